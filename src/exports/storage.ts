/**
 * `orch-apiserver/storage`: the interface of a storage, the storages in memory and in a folder, and building blocks for others.
 * `BackedStorage` is everything above a `Backend`; `MemoryState` is the in-memory part of any storage, and `updateUntilCommitted` is the
 * loop around its commits.
 */
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
} from '../store/backend.js';
export { estimateSize } from '../store/estimate-size.js';
export { updateUntilCommitted } from '../store/guaranteed-update.js';
export type { HistoryBounds } from '../store/history.js';
export { iterateWatch } from '../store/iterate-watch.js';
export type {
  LevelDatabase,
  LevelEncodings,
  LevelIterator,
  LevelOperation,
  LevelRange,
} from '../store/level/database.js';
export { type LevelOptions, level } from '../store/level/level.js';
export type { Durability } from '../store/level/level-backend.js';
export { type MemoryOptions, memory } from '../store/memory.js';
export { type CommittedWrite, MemoryState, type MemoryStateOptions } from '../store/memory-state.js';
export { MemoryStore, type MemoryStoreOptions } from '../store/memory-store.js';
export {
  type Entry,
  type ListOptions,
  type Page,
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
export type { InitialState, StorageFactory, StorageWiring } from '../store/storage-factory.js';
