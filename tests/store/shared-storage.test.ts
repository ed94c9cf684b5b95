import { runSharedStorageContract, type StoredSample } from '../../src/testing/vitest/index.js';
import { SharedBackend, SharedView } from '../support/shared-storage.js';

// The contract suite for storages that several servers share.
runSharedStorageContract('SharedView', (options) => {
  const backend = new SharedBackend();
  return [new SharedView<StoredSample>(backend, options), new SharedView<StoredSample>(backend, options)];
});
