/* The guide to forks consists of these tests. */
import '../../examples/guides/forks.test.js';
