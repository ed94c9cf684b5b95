// The guide's tests, as part of all tests.
import '../../examples/guides/order.test.js';
