import { MemoryLevel } from 'memory-level';
import { afterAll, beforeAll, describe } from 'vitest';
import { encryptionConfiguration, etcd, level } from '../../src/exports/storage.js';
import { systemClock } from '../../src/meta/clock.js';
import {
  type DurablePlace,
  runDurableStorageContract,
  runSharedStorageContract,
  runStorageContract,
} from '../../src/testing/vitest/index.js';
import { noEtcd, type RunningEtcd, startEtcd } from '../support/etcd.js';

const secret = Buffer.alloc(32, 7).toString('base64');
/** The keys of the contracts belong to no resource of an API, so only the rule for all resources covers them. */
const encryption = await encryptionConfiguration({
  resources: [{ resources: ['*.*'], providers: [{ aesgcm: { keys: [{ name: 'key1', secret }] } }] }],
});

function inMemory(): DurablePlace {
  let database = new MemoryLevel<string, string>();
  return {
    open: ({ history, ...wiring }) => level({ database, history, encryption })(wiring),
    async crash() {
      const old = database;
      const contents = await old.iterator().all();
      database = new MemoryLevel<string, string>();
      await database.batch(contents.map(([key, value]) => ({ type: 'put', key, value })));
      await old.close();
    },
  };
}

runStorageContract('level() with encryption', ({ history, ...wiring }) =>
  level({ database: new MemoryLevel(), history, encryption })(wiring),
);
runDurableStorageContract('level() with encryption', inMemory);

describe.skipIf(noEtcd !== undefined)(`etcd${noEtcd === undefined ? '' : ` (skipped: ${noEtcd})`}`, () => {
  let running: RunningEtcd;
  let places = 0;
  beforeAll(async () => {
    running = await startEtcd();
  });
  afterAll(() => running?.[Symbol.asyncDispose]());

  const open = (place: number) =>
    etcd({ endpoints: [running.endpoint], prefix: `/contract-${place}`, compactionInterval: 0, encryption });
  runSharedStorageContract('etcd() with encryption', async (options) => {
    const place = open(++places);
    // The contract advances a clock of its own, which the connection must not use.
    const wiring = { ...options, clock: systemClock };
    return [await place(wiring), await place(wiring)];
  });
});
