/** `orch-apiserver/testing`: time, chance and logins in a test's hands. Needs no test runner; the contract suites are in `/testing/vitest`. */
export { describeDifferences } from '../client/differences.js';
export { createFakeClock, type FakeClock } from './fake-clock.js';
export { createFakeHost, type FakeHost, type FakeHostOptions } from './fake-host.js';
export { createFakeRandom } from './fake-random.js';
export { createIssuer, type IssuedClaims, type Issuer, type IssuerOptions, listenAsIssuer } from './issuer.js';
