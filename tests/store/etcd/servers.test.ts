import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../../src/authorization/always-allow.js';
import { customResourceDefinitions } from '../../../src/controllers/custom-resources/custom-resource-definitions.js';
import { configMap, lease, namespace, serviceAccount } from '../../../src/exports/kinds.js';
import { etcd } from '../../../src/exports/storage.js';
import { type ApiServer, type ApiServerOptions, isConflict } from '../../../src/index.js';
import { systemClock as clock } from '../../../src/meta/clock.js';
import { EtcdClient } from '../../../src/store/etcd/client.js';
import { rangeOfPrefix } from '../../../src/store/etcd/key-range.js';
import { COMPACT, RANGE, TXN } from '../../../src/store/etcd/messages.js';
import { nativeHttp2 } from '../../../src/store/etcd/native-http2.js';
import { ask } from '../../support/ask.js';
import { noEtcd, type RunningEtcd, startEtcd } from '../../support/etcd.js';
import { startServer } from '../../support/servers.js';
import { hasSharedData, readShared } from '../../support/shared-data.js';

const IN_DEFAULT = { namespace: 'default' };
const utf8 = new TextEncoder();
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describe.skipIf(noEtcd !== undefined)(
  `servers on one etcd${noEtcd === undefined ? '' : ` (skipped: ${noEtcd})`}`,
  () => {
    let running: RunningEtcd;
    let client: EtcdClient;
    let places = 0;
    beforeAll(async () => {
      running = await startEtcd();
      client = new EtcdClient({ endpoints: [running.endpoint], http2: nativeHttp2(), clock });
    });
    afterAll(async () => {
      client?.close();
      await running?.[Symbol.asyncDispose]();
    });

    const open = (prefix: string, options: ApiServerOptions = {}) =>
      startServer({
        dialect: 'k8s',
        authentication: [anonymous()],
        authorization: [alwaysAllow()],
        storage: etcd({ endpoints: [running.endpoint], prefix }),
        ...options,
      });
    const keysBelow = async (prefix: string) => {
      const { kvs = [] } = await client.call(RANGE, rangeOfPrefix(prefix));
      return new Map(kvs.map((kv) => [textOf(kv.key).slice(prefix.length), kv]));
    };

    it('share their objects, with consistent reads', async () => {
      const prefix = `/servers-${++places}`;
      await using one = await open(prefix);
      await using other = await open(prefix);
      for (let n = 0; n < 20; n++) {
        const [writer, reader] = n % 2 === 0 ? [one, other] : [other, one];
        const name = `c-${n}`;
        const { metadata } = await writer
          .client()
          .create(configMap, { metadata: { name }, data: { n: String(n) } }, IN_DEFAULT);
        const read = await reader.client().get(configMap, name, IN_DEFAULT);
        expect(read.metadata.resourceVersion).toBe(metadata.resourceVersion);
        // A resourceVersion that one server returned is not a future version for the other one.
        const listed = await ask(reader, {
          path: '/api/v1/namespaces/default/configmaps',
          query: `resourceVersion=${metadata.resourceVersion}`,
        });
        expect(listed.status).toBe(200);
      }
    });

    it('lose and duplicate no update', async () => {
      const prefix = `/servers-${++places}`;
      await using one = await open(prefix);
      await using other = await open(prefix);
      const created = { metadata: { name: 'counter' }, data: { n: '0' } };
      await one.client().create(configMap, created, IN_DEFAULT);
      const step = async (server: ApiServer) => {
        const api = server.client();
        for (;;) {
          const current = await api.get(configMap, 'counter', IN_DEFAULT);
          try {
            await api.replace(configMap, { ...current, data: { n: String(Number(current.data?.['n']) + 1) } });
            return;
          } catch (error) {
            if (!isConflict(error)) throw error;
          }
        }
      };
      await Promise.all(Array.from({ length: 60 }, (_, n) => step(n % 2 === 0 ? one : other)));
      for (const server of [one, other])
        expect((await server.client().get(configMap, 'counter', IN_DEFAULT)).data).toEqual({ n: '60' });
    });

    it('create an object of one name once', async () => {
      const prefix = `/servers-${++places}`;
      await using one = await open(prefix);
      await using other = await open(prefix);
      const make = (server: ApiServer, n: number) =>
        server.client().create(configMap, { metadata: { name: `once-${n}` } }, IN_DEFAULT);
      for (let n = 0; n < 10; n++) {
        const made = await Promise.allSettled([make(one, n), make(other, n)]);
        expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
    });

    it('return a conflict for an outdated version, and success for the newest one of another server', async () => {
      const prefix = `/servers-${++places}`;
      await using one = await open(prefix);
      await using other = await open(prefix);
      let current = await one.client().create(configMap, { metadata: { name: 'a' } }, IN_DEFAULT);
      for (let n = 0; n < 10; n++) {
        const writer = n % 2 === 0 ? other : one;
        const stale = current;
        current = await writer.client().replace(configMap, { ...current, data: { n: String(n) } });
        await expect(one.client().replace(configMap, { ...stale, data: { n: 'stale' } })).rejects.toSatisfy(isConflict);
      }
    });

    it('store objects under the keys of upstream, events with a lease', async () => {
      const prefix = `/servers-${++places}`;
      await using server = await open(prefix);
      const api = server.client();
      await api.create(configMap, { metadata: { name: 'a' } }, IN_DEFAULT);
      const event = { metadata: { name: 'e' }, involvedObject: IN_DEFAULT, reason: 'R' };
      const made = await ask(server, { method: 'POST', path: '/api/v1/namespaces/default/events', body: event });
      expect(made.status).toBe(201);
      const stored = await keysBelow(prefix);
      expect(textOf(stored.get('/configmaps/default/a')?.value).slice(0, 4)).toBe('k8s\0');
      expect(stored.get('/events/default/e')?.lease).toBeTypeOf('bigint');
      expect(stored.get('/namespaces/default')?.lease).toBeUndefined();
    });

    it('have the history from before their start, as far as etcd has it', async () => {
      const prefix = `/servers-${++places}`;
      await using one = await open(prefix, { controllers: [] });
      const map = (n: number) => ({ metadata: { name: `c-${n}` } });
      const { metadata } = await one.client().create(configMap, map(0), IN_DEFAULT);
      await one.client().create(configMap, map(1), IN_DEFAULT);
      const { metadata: last } = await one
        .client()
        .delete(configMap, 'c-0', IN_DEFAULT)
        .then(() => one.client().list(configMap, IN_DEFAULT));
      await using other = await open(prefix, { controllers: [] });
      const seenFrom = async (server: ApiServer, resourceVersion: string | undefined) => {
        const watch = await server
          .client()
          .watch(configMap, { ...IN_DEFAULT, ...(resourceVersion ? { resourceVersion } : {}) })
          .opened();
        const events: string[] = [];
        for await (const { type, object } of watch) {
          events.push(`${type} ${object.metadata.name}`);
          if (object.metadata.name === 'end') return events;
        }
        return events;
      };
      await one.client().create(configMap, { metadata: { name: 'end' } }, IN_DEFAULT);
      const expected = ['ADDED c-1', 'DELETED c-0', 'ADDED end'];
      expect(await seenFrom(other, metadata.resourceVersion)).toEqual(expected);
      // Events that etcd has compacted are absent, and later ones are present.
      await client.call(COMPACT, { revision: Number(last.resourceVersion) });
      await using third = await open(prefix, { controllers: [] });
      expect(await seenFrom(third, last.resourceVersion)).toEqual(['ADDED end']);
      const gone = await ask(third, {
        path: '/api/v1/namespaces/default/configmaps',
        query: `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`,
      });
      expect(gone.status).toBe(410);
    });

    it('have all objects after a restart of a server, and of etcd', async () => {
      const prefix = `/servers-${++places}`;
      const first = await open(prefix);
      const { metadata } = await first.client().create(configMap, { metadata: { name: 'a' } }, IN_DEFAULT);
      await first.close();
      await using second = await open(prefix);
      const get = async () => (await second.client().get(configMap, 'a', IN_DEFAULT)).metadata;
      expect(await get()).toEqual(metadata);
      await running.kill();
      const ready = async () => {
        const { status, text } = await ask(second, { path: '/readyz' });
        return [status, /^\[-\]etcd failed/m.test(text)];
      };
      await expect.poll(ready).toEqual([500, true]);
      // A read that may be stale (resourceVersion=0) is answered without asking etcd.
      const old = await ask(second, { path: '/api/v1/namespaces/default/configmaps/a', query: 'resourceVersion=0' });
      expect(old.status).toBe(200);
      await running.restart();
      await expect.poll(ready).toEqual([200, false]);
      expect(await get()).toEqual(metadata);
      await second.client().create(configMap, { metadata: { name: 'b' } }, IN_DEFAULT);
    });

    it('run the controllers in one of them, and in another one when it ends', async () => {
      const prefix = `/servers-${++places}`;
      const began: string[] = [];
      const probe = (name: string) => ({
        name: 'probe',
        follow: () => {
          began.push(name);
          return () => void began.push(`${name} ended`);
        },
        reconcile: async () => {},
      });
      const join = (name: string) =>
        open(prefix, { controllers: { definitions: (defaults) => [...defaults, probe(name)] } });
      const one = await join('one');
      await using other = await join('other');
      expect(began).toEqual(['one']);
      const leading = () => other.client().get(lease, 'kube-controller-manager', { namespace: 'kube-system' });
      expect((await leading()).spec.leaseTransitions).toBe(0);
      await one.close();
      await expect.poll(() => began, { timeout: 10_000 }).toEqual(['one', 'one ended', 'other']);
      expect((await leading()).spec.leaseTransitions).toBe(1);
      // The new leader continues with the objects that the first leader left.
      await other.client().create(namespace, { metadata: { name: 'later' } });
      const account = () => other.client().get(serviceAccount, 'default', { namespace: 'later' });
      await expect
        .poll(
          () =>
            account().then(
              () => true,
              () => false,
            ),
          { timeout: 10_000 },
        )
        .toBe(true);
    });

    it.skipIf(!hasSharedData)('serve the objects that upstream has written', async () => {
      const { objects } = readShared('data/etcd-layout/objects.json');
      const prefix = `/servers-${++places}`;
      for (const { key, value } of objects) {
        const put = {
          key: utf8.encode(prefix + key.slice('/registry'.length)),
          value: new Uint8Array(Buffer.from(value, 'base64')),
        };
        await client.call(TXN, { success: [{ put }] });
      }
      await using server = await open(prefix, {
        controllers: [customResourceDefinitions],
        featureGates: { ClusterTrustBundle: true },
        runtimeConfig: { 'certificates.k8s.io/v1alpha1': 'true' },
      });
      await server.settle();
      const recorded = objects.filter(({ path }: { path?: string }) => path !== undefined);
      const versionless = ({
        metadata: { resourceVersion: _, ...metadata },
        ...object
      }: {
        metadata: Record<string, unknown>;
      }) => ({ ...object, metadata });
      for (const { path, answer } of recorded) {
        const { value } = await ask(server, { path });
        expect(versionless(value), path).toEqual(versionless(answer));
      }
    });
  },
);
