/* The guide to time consists of these tests. */
import '../../examples/guides/time.test.js';
