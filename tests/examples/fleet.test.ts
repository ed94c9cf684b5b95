/* The guide to several clusters consists of this test. */
import '../../examples/guides/fleet.test.js';
