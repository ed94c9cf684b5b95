import { describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../src/meta/clock.js';
import { BackedStorage } from '../../../src/store/backed-storage.js';
import { EtcdClient } from '../../../src/store/etcd/client.js';
import { jsonBytes, keysOf } from '../../../src/store/etcd/etcd.js';
import { EtcdBackend } from '../../../src/store/etcd/etcd-backend.js';
import { nativeHttp2 } from '../../../src/store/etcd/native-http2.js';
import { StoreError } from '../../../src/store/storage.js';
import type { StoredSample } from '../../../src/testing/vitest/index.js';
import { noEtcd, startEtcd, type Way, wayTo } from '../../support/etcd.js';

/** The seconds for which the servers race. For a longer run, use RACE_SECONDS=120 npx vitest run tests/store/etcd/races. */
const SECONDS = Number(process.env['RACE_SECONDS'] ?? 4);
const KEYS = 5;
const WRITERS = 4;

/** One write of a counter. `n` is the value that was written. The end is unknown if no response came. */
interface Step {
  readonly key: string;
  readonly n: number;
  readonly revision: number;
}

describe.skipIf(noEtcd !== undefined)(`servers that race${noEtcd === undefined ? '' : ` (skipped: ${noEtcd})`}`, () => {
  it('lose and duplicate nothing while connections are cut and etcd is killed', async () => {
    await using etcd = await startEtcd();
    const stores: BackedStorage<StoredSample, Uint8Array>[] = [];
    const ways: Way[] = [];
    for (let server = 0; server < 3; server++) {
      const way = await wayTo(etcd.endpoint);
      const client = new EtcdClient({ endpoints: [way.endpoint], http2: nativeHttp2(), clock, callTimeout: 1_500 });
      const backend = new EtcdBackend({
        client,
        endpoints: [way.endpoint],
        keys: keysOf('/races'),
        clock,
        compactionInterval: 0,
        log: () => {},
      });
      ways.push(way);
      stores.push(
        await BackedStorage.open<StoredSample, Uint8Array>(backend, jsonBytes, {
          clock,
          stamp: (value, revision) => ({ ...value, revision }),
          equals: () => false,
        }),
      );
    }
    const watches = stores.map((store) => store.watch('', store.revision, { maxBuffered: 100_000 }));
    const acknowledged: Step[] = [];
    const unknown = new Map<string, number>();
    const problems: string[] = [];
    let isOver = false;

    const write = async (store: BackedStorage<StoredSample, Uint8Array>, key: string) => {
      let before = 0;
      try {
        const { entry } = await store.guaranteedUpdate(key, async (current) => {
          before = current?.value.n ?? 0;
          if (before % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
          return { action: 'put', value: { n: before + 1 } };
        });
        acknowledged.push({ key, n: before + 1, revision: entry?.revision ?? 0 });
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== 'unavailable') problems.push(String(error));
        unknown.set(key, (unknown.get(key) ?? 0) + 1);
      }
    };
    /** Reads the newest state, and checks that it contains every write that was acknowledged before the read began. */
    const read = async (store: BackedStorage<StoredSample, Uint8Array>, key: string) => {
      const known = acknowledged.filter((step) => step.key === key).at(-1);
      try {
        await store.waitFor();
      } catch {
        return;
      }
      const { revision = 0, value } = store.get(key) ?? {};
      if (known && revision < known.revision) problems.push(`${key}: ${value?.n} was read after ${known.n} was there`);
    };
    const loops = stores.flatMap((store, server) =>
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let turn = 0; !isOver; turn++) {
          const key = `/${(turn * 7 + server + writer) % KEYS}`;
          await (turn % 3 === 2 ? read(store, key) : write(store, key));
        }
      }),
    );
    const end = Date.now() + SECONDS * 1000;
    for (let round = 0; Date.now() < end; round++) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      const way = ways[round % 3] as Way; // `ways` has three elements, so the cast is safe.
      await way.cut();
      if (round % 4 === 3) await etcd.kill();
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (round % 4 === 3) await etcd.restart();
      await way.mend();
    }
    isOver = true;
    await Promise.all(loops);
    for (const store of stores)
      await expect
        .poll(() =>
          Promise.resolve(store.waitFor()).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);

    expect(problems).toEqual([]);
    for (let index = 0; index < KEYS; index++) {
      const key = `/${index}`;
      const steps = acknowledged.filter((step) => step.key === key);
      // Each write increased the value that it read, so no value occurs twice, and the order of revisions is the order of the values.
      expect(new Set(steps.map(({ n }) => n)).size, key).toBe(steps.length);
      const ordered = [...steps].sort((one, other) => one.n - other.n);
      expect(ordered.every(({ revision }, at) => at === 0 || revision > (ordered[at - 1]?.revision ?? 0))).toBe(true);
      const last = stores[0]?.get(key)?.value.n ?? 0;
      expect(last).toBeGreaterThanOrEqual(steps.length);
      expect(last).toBeLessThanOrEqual(steps.length + (unknown.get(key) ?? 0));
    }
    const shown = watches.map((watch) =>
      watch.take(1e6).map(({ key, revision, value }) => `${revision} ${key} ${value.n}`),
    );
    expect(shown[0]?.length).toBeGreaterThan(acknowledged.length - 1);
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
    for (const store of stores) await store.close();
    for (const way of ways) await way.cut();
  }, 600_000);
});
