/*
 * Which tests run in which way. Tests in neither list share a few processes, and are part of `npm test`. CONTRIBUTING.md names the tests
 * that `npm test` leaves out.
 */

/** Tests that take long for what they find: `npm run test:all` runs them, each file in a process of its own. */
export const LONG = [
  // Programs are started, again and again.
  'tests/kubectl/*.test.ts',
  'tests/openapi/kubectl.test.ts',
  'tests/custom-resources/projects.test.ts',
  'tests/clients/every-kind.test.ts',
  'tests/clients/faults/kubectl.test.ts',
  'tests/examples/runners.test.ts',
  'tests/server/waiting/programs.test.ts',
  // The whole source is read, checked or bundled.
  'tests/architecture/dead-code.test.ts',
  'tests/cel/alone.test.ts',
  'tests/flows.test.ts',
  'tests/package/api-report.test.ts',
  'tests/package/browser.test.ts',
  'tests/package/commands.test.ts',
  'tests/package/served.test.ts',
  // Hostile input is large, slow, or both.
  'tests/security/bodies/*.test.ts',
  'tests/security/connections/*.test.ts',
  'tests/security/expressions/*.test.ts',
  'tests/security/growth/*.test.ts',
  'tests/security/products/*.test.ts',
  'tests/aggregation/uploads.test.ts',
  'tests/custom-resources/hostile-definitions.test.ts',
  // Time passes, or very much is written.
  'tests/aggregation/proxies.test.ts',
  'tests/security/time/coming-and-going.test.ts',
  'tests/serialization/encoding-cache.test.ts',
  'tests/server/flat-heap.test.ts',
  'tests/server/long-list.test.ts',
  'tests/server/saved-state.test.ts',
  'tests/server/stored-size.test.ts',
  'tests/store/etcd/faults.test.ts',
  'tests/store/etcd/races.test.ts',
  'tests/store/etcd/robustness.test.ts',
  // Every route, method and form of a path.
  'tests/security/access/authorized-is-executed.test.ts',
  // Every answer of every kind.
  'tests/end-to-end/names.test.ts',
];

/** Tests that replace modules, for which Vite transforms the sources: that takes seconds. */
export const REPLACING = ['tests/metrics/every-family.test.ts'];

/** Tests that replace modules, change what they hold, or look at what is loaded: each file in a process of its own. */
export const ALONE = [...REPLACING, 'tests/pki/lazy-packages.test.ts', 'tests/serialization/a-fourth-format.test.ts'];
