/* The guide to forks is a test itself. */
import '../../examples/guides/forks.test.js';
