/* The guide to time is a test itself. */
import '../../examples/guides/time.test.js';
