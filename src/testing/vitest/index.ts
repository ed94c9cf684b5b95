/**
 * `orch-apiserver/testing/vitest`: fixtures that provide a server for each test, matchers, and the contracts that plug-ins must satisfy as
 * test suites.
 */
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
