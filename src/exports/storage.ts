/**
 * `orch-apiserver/storage`: the storage interface, the storages in memory, in a folder and in etcd, encryption at rest, and building blocks
 * for storages of your own.
 * To keep data in another system, implement `Backend` and open a `BackedStorage` above it. To write a whole storage, use `MemoryState` for
 * reads, history and watches, `ReadingStorage` to offer them, and `updateUntilCommitted` for the loop that retries an update until it is
 * committed.
 */
export {
  type ConfiguredEncryption,
  type EncryptionConfiguration,
  type EncryptionConfigurationOptions,
  type EncryptionKey,
  type EncryptionProvider,
  encryptionConfiguration,
} from '../encryption/encryption-configuration.js';
export { BackedStorage, type BackedStorageOptions } from '../store/backed-storage.js';
export {
  type Backend,
  type BackendInitialState,
  type BackendObserver,
  type BackendRecord,
  type BackendState,
  type Codec,
  jsonText,
  type OptimisticResult,
  type Unchanged,
} from '../store/backend.js';
export { estimateSize } from '../store/estimate-size.js';
export type { EtcdTls } from '../store/etcd/client.js';
export { type EtcdOptions, etcd } from '../store/etcd/etcd.js';
export { type UpdateRules, updateUntilCommitted } from '../store/guaranteed-update.js';
export type { HistoryBounds } from '../store/history.js';
export { iterateWatch } from '../store/iterate-watch.js';
export type { LevelBatch, LevelDatabase, LevelEncodings, LevelIterator, LevelRange } from '../store/level/database.js';
export { type LevelOptions, level } from '../store/level/level.js';
export type { Durability } from '../store/level/level-backend.js';
export { type MemoryOptions, memory } from '../store/memory.js';
export { type CommittedWrite, MemoryState, type MemoryStateOptions } from '../store/memory-state.js';
export { MemoryStore, type MemoryStoreOptions } from '../store/memory-store.js';
export {
  type Entry,
  type ListOptions,
  type Page,
  type RevisionWaitOptions,
  type Storage,
  StoreError,
  type StoreErrorCode,
  type StoreEvent,
  type TryUpdate,
  type Update,
  type UpdateOptions,
  type UpdateResult,
  type WaitOptions,
  type Watch,
  type WatchOptions,
} from '../store/storage.js';
export type { InitialState, StorageFactory, StorageLayout, StorageWiring } from '../store/storage-factory.js';
export { ReadingStorage, type StorageReads } from '../store/storage-view.js';
export type { EncryptedStorage, Encryption, Prefix, Restored, Transformer, ValueForm } from '../store/transformer.js';
