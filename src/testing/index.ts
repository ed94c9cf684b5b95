/** For tests: time and chance in their hands, and the contracts that plug-ins must keep. Contracts need vitest. */
export { describeDifferences } from '../client/differences.js';
export { runAuthenticatorContract } from './authenticator-contract.js';
export { createFakeClock, type FakeClock } from './fake-clock.js';
export { createFakeRandom } from './fake-random.js';
export { type ResourceSample, runResourceContract } from './resource-contract.js';
export { runStorageContract } from './storage-contract.js';
