/* The guide to faults is a test itself. */
import '../../examples/guides/faults.test.js';
