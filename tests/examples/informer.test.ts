/* The guide to informers is a test itself. */
import '../../examples/guides/informer.test.js';
