/**
 * `orch-apiserver/storage`: the interface of a storage, the in-memory storage, and building blocks for durable ones. `MemoryState` is the
 * in-memory part of any storage, and `updateUntilCommitted` is the loop around its commits.
 */
export { estimateSize } from '../store/estimate-size.js';
export { updateUntilCommitted } from '../store/guaranteed-update.js';
export type { HistoryBounds } from '../store/history.js';
export { iterateWatch } from '../store/iterate-watch.js';
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
