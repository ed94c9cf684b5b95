// The tests of the guide run together with all other tests.
import '../../examples/guides/order.test.js';
