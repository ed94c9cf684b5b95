/* The guide to faults is made of tests. */
import '../../examples/guides/faults.test.js';
import '../../examples/guides/three-lines.test.js';
