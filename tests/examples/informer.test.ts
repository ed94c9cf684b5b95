/* The guide to informers consists of these tests. */
import '../../examples/guides/informer.test.js';
