/** `orch-apiserver/testing/vitest`: a server for each test as fixtures, matchers, and the contracts that plug-ins must satisfy as suites. */
export { type AuthenticatorSample, runAuthenticatorContract } from '../authenticator-contract.js';
export { type ResourceSample, runResourceContract } from '../resource-contract.js';
export {
  type DurablePlace,
  runDurableStorageContract,
  runSharedStorageContract,
  runStorageContract,
  type StorageContractOptions,
  type StoredSample,
} from '../storage-contract.js';
export { type EvidenceMatchers, matchers, type ObjectPlace } from './matchers.js';
export { type ServerFixtures, serverTest } from './server-test.js';
