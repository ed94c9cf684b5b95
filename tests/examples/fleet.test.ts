/* The guide to several clusters is a test itself. */
import '../../examples/guides/fleet.test.js';
