import { afterEach, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../src/meta/clock.js';
import { EtcdClient, type EtcdClientOptions } from '../../../src/store/etcd/client.js';
import { Compactor } from '../../../src/store/etcd/compactor.js';
import { COMPACT, LEASE_GRANT, RANGE, TXN } from '../../../src/store/etcd/messages.js';
import { nativeHttp2 } from '../../../src/store/etcd/native-http2.js';
import type { Table } from '../../../src/store/etcd/wire.js';
import { noEtcd, startEtcd, wayTo } from '../../support/etcd.js';
import { openStore, type SampleStore } from './open-store.js';

const utf8 = new TextEncoder();
const failure = (code: string) => expect.objectContaining({ name: 'StoreError', code });

describe.skipIf(noEtcd !== undefined)(
  `an etcd that fails${noEtcd === undefined ? '' : ` (skipped: ${noEtcd})`}`,
  () => {
    const closing: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });

    const start = async (...flags: readonly string[]) => {
      const etcd = await startEtcd(...flags);
      closing.push(() => etcd[Symbol.asyncDispose]());
      return etcd;
    };
    const clientOf = ({ endpoint }: { readonly endpoint: string }, options: Partial<EtcdClientOptions> = {}) => {
      const client = new EtcdClient({ endpoints: [endpoint], http2: nativeHttp2(), clock, ...options });
      closing.push(() => client.close());
      return client;
    };
    const open = async (etcd: { readonly endpoint: string }, options: Partial<EtcdClientOptions> = {}) => {
      const log: string[] = [];
      const store = await openStore(clientOf(etcd, options), etcd.endpoint, '/faults', log);
      closing.push(() => store.close());
      return { store, log };
    };
    const put = (store: SampleStore, key: string, n: number) =>
      store.guaranteedUpdate(key, () => ({ action: 'put', value: { n } }));

    it('that is killed and restarted has everything that was acknowledged, and the watch continues', async () => {
      const etcd = await start();
      const { store } = await open(etcd);
      const { store: other } = await open(etcd);
      const watch = other.watch('', other.revision);
      const known = new Map<string, number>();
      let n = 0;
      for (let round = 0; round < 3; round++) {
        const writes = Array.from({ length: 40 }, async () => {
          const [key, value] = [`/${n % 10}-${round}-${n}`, n++];
          await put(store, key, value);
          known.set(key, value);
        });
        await Promise.race(writes);
        await etcd.kill();
        await Promise.allSettled(writes);
        await etcd.restart();
        await put(store, `/after-${round}`, round);
        known.set(`/after-${round}`, round);
      }
      await other.waitFor();
      for (const [key, value] of known) expect(other.get(key)?.value.n, key).toBe(value);
      const events = watch.take(10_000);
      expect(events.map(({ key }) => key).sort()).toEqual(
        other
          .list('')
          .entries.map(({ key }) => key)
          .sort(),
      );
      expect(events.every(({ revision }, index) => index === 0 || revision > (events[index - 1]?.revision ?? 0))).toBe(
        true,
      );
    });

    it('that is unavailable fails writes and consistent reads, and no others', async () => {
      const etcd = await start();
      const { store } = await open(etcd, { callTimeout: 1_000 });
      await put(store, '/a', 1);
      await etcd.kill();
      await expect.poll(() => store.problem).toBeDefined();
      expect(store.get('/a')?.value.n).toBe(1);
      expect(store.list('').entries).toHaveLength(1);
      await expect(put(store, '/a', 2)).rejects.toEqual(failure('unavailable'));
      await expect(store.waitFor()).rejects.toEqual(failure('unavailable'));
      await etcd.restart();
      // A member that has just started has no leader for a second or two.
      await expect
        .poll(() =>
          put(store, '/a', 3).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      expect(store.get('/a')?.value.n).toBe(3);
      await expect.poll(() => store.problem).toBeUndefined();
    });

    it('that is suspended for a while responds afterwards', async () => {
      const etcd = await start();
      const { store } = await open(etcd);
      await put(store, '/a', 1);
      etcd.signal('SIGSTOP');
      const late = put(store, '/a', 2);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      etcd.signal('SIGCONT');
      expect((await late).outcome).toBe('updated');
    });

    it('that was compacted meanwhile ends watches that need every event, and the others get the differences', async () => {
      const etcd = await start();
      const way = await wayTo(etcd.endpoint);
      closing.push(() => way.cut());
      const { store } = await open(way);
      const client = clientOf(etcd);
      await put(store, '/kept', 1);
      await put(store, '/changed', 1);
      await put(store, '/removed', 1);
      await put(store, '/made-again', 1);
      const kept = store.get('/kept');
      const before = store.revision;
      const watch = store.watch('', before);
      const crossing = store.watch('', before, { crossesGaps: true });
      await way.cut();
      const keyOf = (key: string) => utf8.encode(`/faults/${key}`);
      const write = (key: string, n: number) =>
        client.call(TXN, { success: [{ put: { key: keyOf(key), value: utf8.encode(JSON.stringify({ n })) } }] });
      const remove = (key: string) => client.call(TXN, { success: [{ remove: { key: keyOf(key) } }] });
      await write('/changed', 2);
      await write('/changed', 3);
      await remove('/removed');
      await remove('/made-again');
      await write('/made-again', 4);
      const { header } = await write('/new', 5);
      await client.call(COMPACT, { revision: header?.revision ?? 0 });
      await way.mend();
      await store.waitFor();
      expect(watch.state).toBe('closed');
      expect(watch.error).toEqual(failure('compacted'));
      expect(crossing.take().map(({ type, key, value }) => `${type} ${key} ${value.n}`)).toEqual([
        'put /changed 3',
        'delete /made-again 1',
        'put /made-again 4',
        'put /new 5',
        'delete /removed 1',
      ]);
      expect(store.get('/kept')).toBe(kept);
      expect(store.compactRevision).toBe(store.revision);
      expect(() => store.watch('', before)).toThrow('was compacted');
      expect((await put(store, '/changed', 6)).outcome).toBe('updated');
    });

    it('forgets its history once, whichever server requests it', async () => {
      const etcd = await start();
      const client = clientOf(etcd);
      const [one, other] = [0, 1].map(() => new Compactor({ client, clock, interval: 0, log: () => {} }));
      const write = () =>
        client.call(TXN, { success: [{ put: { key: utf8.encode('/faults/a'), value: utf8.encode('1') } }] });
      const hasRevision = (revision: number) =>
        client.call(RANGE, { key: utf8.encode('/faults/a'), revision }).then(
          () => true,
          () => false,
        );
      const { header } = await write();
      const first = header?.revision ?? 0;
      await one?.compact();
      await other?.compact();
      for (let n = 0; n < 3; n++) await write();
      expect(await hasRevision(first)).toBe(true);
      // The second server received the time of compaction from the first, so only one of them compacts.
      await Promise.all([one?.compact(), other?.compact()]);
      expect(await hasRevision(first)).toBe(false);
      expect(await hasRevision(first + 2)).toBe(true);
    });

    it('that ends a lease deletes its keys together, and the watch sends each deletion', async () => {
      const etcd = await start();
      const { store } = await open(etcd);
      const client = clientOf(etcd);
      const { id = 0n } = await client.call(LEASE_GRANT, { ttl: 2 });
      const watch = store.watch('', store.revision);
      for (const name of ['a', 'b', 'c'])
        await client.call(TXN, {
          success: [{ put: { key: utf8.encode(`/faults/${name}`), value: utf8.encode('{"n":1}'), lease: id } }],
        });
      await expect.poll(() => store.count('')).toBe(3);
      await expect.poll(() => store.count('')).toBe(0);
      const removals = watch.take().filter(({ type }) => type === 'delete');
      expect(removals.map(({ key }) => key).sort()).toEqual(['a', 'b', 'c']);
      expect(new Set(removals.map(({ revision }) => revision)).size).toBe(1);
    });

    it('that is full refuses writes with its own error, and reads continue', async () => {
      const etcd = await start('--quota-backend-bytes', String(2 * 1024 * 1024));
      const { store } = await open(etcd);
      await put(store, '/a', 1);
      const tags = ['x'.repeat(400_000)];
      const fill = async () => {
        for (let n = 0; n < 200; n++) {
          await store.guaranteedUpdate(`/large-${n}`, () => ({ action: 'put', value: { n, tags } }));
          // etcd updates the size of its database only when it commits, every tenth of a second.
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      await expect(fill()).rejects.toEqual(failure('storageFull'));
      await store.waitFor();
      expect(store.get('/a')?.value.n).toBe(1);
    });

    it('with users requires the password, and refuses a wrong one at once', async () => {
      const etcd = await start();
      const root = clientOf(etcd);
      await enableUsers(root);
      const user = { name: 'root', password: 'secret' };
      const { store } = await open(etcd, { user });
      await put(store, '/a', 1);
      await store.waitFor();
      expect(store.get('/a')?.value.n).toBe(1);
      await expect(open(etcd, { user: { ...user, password: 'wrong' } })).rejects.toThrow(
        /refuses this server.*invalid user/,
      );
      await expect(open(etcd)).rejects.toThrow(/refuses this server/);
      // Authentication tokens become invalid when the etcd process that issued them ends.
      await etcd.kill();
      await etcd.restart();
      await put(store, '/a', 2);
      expect(store.get('/a')?.value.n).toBe(2);
    });

    async function enableUsers(client: EtcdClient): Promise<void> {
      const empty = {} as const;
      const auth = (path: string, request: Table, message: object) =>
        client.call({ path: `/etcdserverpb.Auth/${path}`, request, answer: empty, repeatable: false }, message);
      await auth('UserAdd', { name: [1, 'text'], password: [2, 'text'] }, { name: 'root', password: 'secret' });
      await auth('RoleAdd', { name: [1, 'text'] }, { name: 'root' });
      await auth('UserGrantRole', { user: [1, 'text'], role: [2, 'text'] }, { user: 'root', role: 'root' });
      await auth('AuthEnable', empty, {});
    }
  },
);
