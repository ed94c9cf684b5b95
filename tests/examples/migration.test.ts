// The guide to custom resources contains this test.
import '../../examples/guides/migration.test.js';
