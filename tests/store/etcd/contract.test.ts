import { afterAll, beforeAll, describe } from 'vitest';
import { systemClock } from '../../../src/meta/clock.js';
import { BackedStorage } from '../../../src/store/backed-storage.js';
import { EtcdClient } from '../../../src/store/etcd/client.js';
import { jsonBytes, keysOf } from '../../../src/store/etcd/etcd.js';
import { EtcdBackend } from '../../../src/store/etcd/etcd-backend.js';
import { nativeHttp2 } from '../../../src/store/etcd/native-http2.js';
import {
  runSharedStorageContract,
  runStorageContract,
  type StorageContractOptions,
  type StoredSample,
} from '../../../src/testing/vitest/index.js';
import { noEtcd, type RunningEtcd, startEtcd } from '../../support/etcd.js';

// The contract suite advances a fake clock of its own. The connection must not depend on it, so it uses the machine’s clock.
const clock = systemClock;

describe.skipIf(noEtcd !== undefined)(`etcd${noEtcd === undefined ? '' : ` (skipped: ${noEtcd})`}`, () => {
  let etcd: RunningEtcd;
  let places = 0;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(async () => {
    await etcd?.[Symbol.asyncDispose]();
  });

  const open = (place: number, options: StorageContractOptions, requestsProgress?: boolean) => {
    const endpoints = [etcd.endpoint];
    const backend = new EtcdBackend({
      client: new EtcdClient({ endpoints, http2: nativeHttp2(), clock }),
      endpoints,
      keys: keysOf(`/contract-${place}`),
      clock,
      compactionInterval: 0,
      log: () => {},
      ...(requestsProgress === undefined ? {} : { requestsProgress }),
    });
    return BackedStorage.open<StoredSample, Uint8Array>(backend, jsonBytes, options);
  };

  runStorageContract('EtcdBackend', (options) => open(++places, options));
  // undefined takes the default for the release of etcd; false behaves like releases without progress notifications.
  for (const requestsProgress of [undefined, false])
    runSharedStorageContract(`EtcdBackend${requestsProgress === undefined ? '' : ' with marks'}`, async (options) => {
      const place = ++places;
      return [await open(place, options, requestsProgress), await open(place, options, requestsProgress)];
    });
});
