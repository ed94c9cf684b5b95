/* The guide to faults consists of these tests. */
import '../../examples/guides/faults.test.js';
import '../../examples/guides/three-lines.test.js';
