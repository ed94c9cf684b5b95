/*
 * Which tests run in which way. Tests that are in no list are those of `npm test`, which share a few processes. `npm run test:all` runs all
 * tests. CONTRIBUTING.md names the tests that `npm test` leaves out.
 */

/** Tests that take long for what they find, or change more than they can restore. Each file has a process of its own. */
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
  'tests/store/own-writes.test.ts',
  // Every route, method and form of a path.
  'tests/security/access/authorized-is-executed.test.ts',
  // Every answer of every kind.
  'tests/end-to-end/names.test.ts',
  // Modules are replaced or changed, or the test looks at what is loaded.
  'tests/metrics/every-family.test.ts',
  'tests/pki/lazy-packages.test.ts',
  'tests/serialization/a-fourth-format.test.ts',
];

/**
 * Tests that `npm test` leaves out so that it is short on a busy machine as well: they take more than half of the time, and `npm test` runs
 * other tests of the same code. They share a few processes. Those in `LONG` are excepted.
 */
export const EXTENDED = [
  // Several servers run on one storage, or clients of others are used.
  'tests/several/*.test.ts',
  'tests/clients/*.test.ts',
  'tests/clients/faults/*.test.ts',
  // Examples and benchmarks run.
  'tests/bench/*.test.ts',
  'tests/examples/*.test.ts',
  'tests/examples/walkthrough/*.test.ts',
  // Features work together, or one is tested with every kind.
  'tests/end-to-end/*.test.ts',
  'tests/meta/features/gated-behavior.test.ts',
  'tests/meta/features/gated-fields.test.ts',
  'tests/meta/features/gated-status.test.ts',
  'tests/meta/features/gates-with-effects.test.ts',
  'tests/openapi/parts.test.ts',
  'tests/registry/served/many-kinds.test.ts',
  'tests/security/access/plugin-lists.test.ts',
  'tests/serialization/every-kind.property.test.ts',
  'tests/server/beginning.test.ts',
  'tests/server/install.test.ts',
  // A server starts for each combination of options.
  'tests/authentication/jwt/flags.test.ts',
  'tests/cli/certificate-files.test.ts',
  'tests/cli/combinations/*.test.ts',
  'tests/cli/configuration/admission-file.test.ts',
  'tests/cli/encryption.test.ts',
  'tests/cli/storage.test.ts',
  'tests/cli/test-kit.test.ts',
  'tests/cli/test-kit-state.test.ts',
  'tests/plugins/optional-plugins.test.ts',
  'tests/requests/request-timeout.test.ts',
  'tests/server/shutdown.test.ts',
  // There are many cases, from tables or recorded answers of upstream.
  'tests/aggregation/availability-tables.test.ts',
  'tests/authentication/jwt/upstream-tokens.test.ts',
  'tests/cel/conformance-checking.test.ts',
  'tests/cel/conformance-evaluation.test.ts',
  'tests/cel/contexts/rules-data.test.ts',
  'tests/client/recorded-answers.test.ts',
  'tests/controllers/disruption/counts.test.ts',
  'tests/controllers/disruption/events.test.ts',
  'tests/controllers/disruption/scales.test.ts',
  'tests/custom-resources/applied-versions.test.ts',
  'tests/custom-resources/conversion.test.ts',
  'tests/custom-resources/imitations.test.ts',
  'tests/custom-resources/published-schemas.test.ts',
  'tests/custom-resources/recorded-rules.test.ts',
  'tests/fields/smd-typed-cases.test.ts',
  'tests/flow-control/upstream-tables.test.ts',
  'tests/plugins/policy/policy-tables.test.ts',
  'tests/plugins/webhook/reinvocation-tables.test.ts',
  'tests/plugins/webhook/webhook-tables.test.ts',
  'tests/requests/upstream-filters.test.ts',
  'tests/requests/upstream-integration.test.ts',
  'tests/tokens/wycheproof.test.ts',
  // Many certificates, keys or connections are made.
  'tests/aggregation/desync.test.ts',
  'tests/aggregation/discovery.test.ts',
  'tests/aggregation/hostile-backends.test.ts',
  'tests/http/compression.test.ts',
  'tests/http/many-headers.test.ts',
  'tests/outbound/chains.test.ts',
  'tests/pki/certificate-authority.test.ts',
  'tests/pki/certificate-request.test.ts',
  'tests/pki/limbo.test.ts',
  'tests/pki/verify-chain.test.ts',
  'tests/plugins/webhook/https-webhooks.test.ts',
  'tests/plugins/webhook/service-webhooks.test.ts',
  'tests/security/callers/*.test.ts',
  'tests/server/forged-tokens.test.ts',
  'tests/signatures/leading-zeros.test.ts',
  'tests/testing/faults/over-https.test.ts',
  // The sources are read, as `npm run check` does, too.
  'tests/architecture/places.test.ts',
  // A storage other than the usual one is tested.
  'tests/encryption/contract.test.ts',
  'tests/encryption/rotation.test.ts',
  'tests/store/level/contract.test.ts',
  // Memory is measured, much is written, or time passes.
  'tests/client/signals.test.ts',
  'tests/controllers/fairness.test.ts',
  'tests/flow-control/forgotten-flows.test.ts',
  'tests/http/long-lists.test.ts',
  'tests/http/open-answers.test.ts',
  'tests/metrics/late-requests.test.ts',
  'tests/plugins/policy/held-writes.test.ts',
  'tests/schema/budget.test.ts',
  'tests/security/time/bookmarks.test.ts',
  'tests/security/time/memory.test.ts',
  'tests/server/hostile-input.test.ts',
  'tests/server/loaded-bytes.test.ts',
  'tests/store/bounded-history.test.ts',
  'tests/values/join-bytes.test.ts',
  // Values are random, or histories long.
  'tests/cel/fuzz.test.ts',
  'tests/fields/properties.test.ts',
  'tests/testing/evidence/kept-requests.test.ts',
  'tests/testing/evidence/minimal-roles.test.ts',
  'tests/testing/evidence/replay.test.ts',
  'tests/testing/evidence/request-log.test.ts',
  'tests/testing/laws/*.test.ts',
  'tests/testing/order/*.test.ts',
  'tests/testing/replays/assert-deterministic.test.ts',
  'tests/testing/time/advance.test.ts',
  'tests/testing/time/insecure-deterministic.test.ts',
];

/** Those tests in `LONG` that replace modules, for which Vite transforms the sources: that takes seconds. */
export const REPLACING = ['tests/metrics/every-family.test.ts'];
