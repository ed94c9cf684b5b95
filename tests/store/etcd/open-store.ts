import { systemClock as clock } from '../../../src/meta/clock.js';
import { BackedStorage } from '../../../src/store/backed-storage.js';
import type { EtcdClient } from '../../../src/store/etcd/client.js';
import { jsonBytes, keysOf } from '../../../src/store/etcd/etcd.js';
import { EtcdBackend } from '../../../src/store/etcd/etcd-backend.js';
import type { StoredSample } from '../../../src/testing/vitest/index.js';

/** A store of sample values in etcd. */
export type SampleStore = BackedStorage<StoredSample, Uint8Array>;

/**
 * Opens a store on a client, without periodic compaction.
 * @param log receives the log lines of the backend and of the store.
 */
export async function openStore(
  client: EtcdClient,
  endpoint: string,
  prefix: string,
  log: string[],
): Promise<SampleStore> {
  const say = (line: string) => void log.push(line);
  const backend = new EtcdBackend({
    client,
    endpoints: [endpoint],
    keys: keysOf(prefix),
    clock,
    compactionInterval: 0,
    log: say,
  });
  return await BackedStorage.open<StoredSample, Uint8Array>(backend, jsonBytes, {
    clock,
    stamp: (value, revision) => ({ ...value, revision }),
    equals: (one, other) => one.n === other.n,
    log: say,
  });
}
