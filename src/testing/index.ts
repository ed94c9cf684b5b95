/**
 * `orch-apiserver/testing`: a clock, random values, faults and logins that tests control. It needs no test runner; the contract suites are
 * in `/testing/vitest`.
 */
export { describeDifferences } from '../client/differences.js';
export { type Differences, type DiffOptions, diff, type ObjectDifference } from './diff.js';
export { createFakeClock, type FakeClock } from './fake-clock.js';
export { createFakeHost, type FakeHost, type FakeHostOptions } from './fake-host.js';
export { createFakeRandom, type FakeRandom } from './fake-random.js';
export {
  type Fault,
  type FaultOptions,
  type FaultyServer,
  type FaultyServerOptions,
  type Hold,
  injectFaults,
} from './faults/faults.js';
export type { WatchEnd } from './faults/open-watches.js';
export type { RequestFilter, RequestTarget } from './faults/request-target.js';
export { createIssuer, type IssuedClaims, type Issuer, type IssuerOptions, listenAsIssuer } from './issuer.js';
export { type WaitForOptions, waitFor, waitForDeletion } from './wait-for.js';
