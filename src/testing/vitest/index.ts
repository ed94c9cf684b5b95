/** `orch-apiserver/testing/vitest`: the contracts that plug-ins must satisfy, as vitest suites. */
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
