import { runSharedStorageContract, type StoredSample } from '../../src/testing/vitest/index.js';
import { SharedBackend, SharedView } from '../support/shared-storage.js';

// What servers on one storage are tried with.
runSharedStorageContract('SharedView', (options) => {
  const backend = new SharedBackend();
  return [new SharedView<StoredSample>(backend, options), new SharedView<StoredSample>(backend, options)];
});
