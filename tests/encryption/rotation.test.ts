import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { configMap, coreEvent, secret } from '../../src/exports/kinds.js';
import { type ConfiguredEncryption, encryptionConfiguration, etcd, level } from '../../src/exports/storage.js';
import type { ApiServer, ApiServerOptions } from '../../src/index.js';
import { systemClock as clock } from '../../src/meta/clock.js';
import { EtcdClient } from '../../src/store/etcd/client.js';
import { rangeOfPrefix } from '../../src/store/etcd/key-range.js';
import { RANGE, TXN } from '../../src/store/etcd/messages.js';
import { nativeHttp2 } from '../../src/store/etcd/native-http2.js';
import { openFolder } from '../../src/store/level/open-folder.js';
import { decodeRecord } from '../../src/store/level/record.js';
import { ask } from '../support/ask.js';
import { noEtcd, type RunningEtcd, startEtcd } from '../support/etcd.js';
import { startServer } from '../support/servers.js';

const keyOf = (letter: string) => ({
  name: `key-${letter}`,
  secret: Buffer.from(letter.repeat(32)).toString('base64'),
});
const [A, B] = [keyOf('a'), keyOf('b')];
const IDENTITY = { identity: {} };
const IN_DEFAULT = { namespace: 'default' };
const HIDDEN = 'not-to-be-seen-anywhere';
const PATH = '/api/v1/namespaces/default/secrets';

type Providers = Parameters<typeof encryptionConfiguration>[0]['resources'][number]['providers'];

/** The place where one server stores its data. */
interface Place {
  storage(encryption?: ConfiguredEncryption): NonNullable<ApiServerOptions['storage']>;
  /** Returns all stored values, past ones included, by the ends of their keys. */
  stored(): Promise<readonly (readonly [key: string, value: string])[]>;
  /** Copies the stored value of one key to another, as a person with access to the storage could. */
  move(from: string, to: string): Promise<void>;
}

function folderPlace(path: string): Place {
  const withDatabase = async <R>(
    work: (database: Awaited<ReturnType<typeof openFolder>>) => Promise<R>,
  ): Promise<R> => {
    const database = await openFolder(path, false);
    await database.open();
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  return {
    storage: (encryption) => level({ path, ...(encryption ? { encryption } : {}) }),
    stored: () =>
      withDatabase(async (database) => {
        const all: (readonly [string, string])[] = [];
        const records = database.iterator({ gt: 'v', lt: 'w', keyEncoding: 'utf8', valueEncoding: 'utf8' });
        for (let page = await records.nextv(100); page.length > 0; page = await records.nextv(100))
          for (const [databaseKey, text] of page) {
            const { key, value = '' } = decodeRecord(databaseKey, text);
            all.push([key, value]);
          }
        await records.close();
        return all;
      }),
    move: () => Promise.reject(new Error('records of a folder have checksums over their keys')),
  };
}

function etcdPlace(endpoint: string, client: EtcdClient, prefix: string): Place {
  const utf8 = new TextEncoder();
  return {
    storage: (encryption) => etcd({ endpoints: [endpoint], prefix, ...(encryption ? { encryption } : {}) }),
    async stored() {
      const { kvs = [] } = await client.call(RANGE, rangeOfPrefix(`${prefix}/`));
      return kvs.map(({ key, value }) => [
        Buffer.from(key ?? []).toString(),
        Buffer.from(value ?? []).toString('latin1'),
      ]);
    },
    async move(from, to) {
      const { kvs = [] } = await client.call(RANGE, { key: utf8.encode(prefix + from) });
      await client.call(TXN, {
        success: [{ put: { key: utf8.encode(prefix + to), value: kvs[0]?.value ?? new Uint8Array() } }],
      });
    },
  };
}

let running: RunningEtcd | undefined;
let client: EtcdClient | undefined;
const folder = mkdtempSync(join(tmpdir(), 'encryption-'));
let places = 0;
beforeAll(async () => {
  if (noEtcd !== undefined) return;
  running = await startEtcd();
  client = new EtcdClient({ endpoints: [running.endpoint], http2: nativeHttp2(), clock });
});
afterAll(async () => {
  client?.close();
  await running?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
const newPlace = {
  folder: () => folderPlace(join(folder, `${places++}`)),
  etcd: () => etcdPlace(running?.endpoint ?? '', client as EtcdClient, `/place-${places++}`),
};

for (const backend of ['folder', 'etcd'] as const)
  for (const dialect of ['k8s', 'orch'] as const)
    describe.skipIf(backend === 'etcd' && noEtcd !== undefined)(`encrypted values in ${backend}, ${dialect}`, () => {
      const encryptionOf = (providers: Providers, resources = ['secrets']) =>
        encryptionConfiguration({ resources: [{ resources, providers }] }, { dialect });
      const logs: string[] = [];
      const open = async (place: Place, encryption?: ConfiguredEncryption) => {
        const server = await startServer({
          dialect,
          authentication: [anonymous()],
          authorization: [alwaysAllow()],
          storage: place.storage(encryption),
          log: (line) => logs.push(line),
        });
        return server;
      };
      const make = (server: ApiServer, name: string) =>
        server.client().create(secret, { metadata: { name }, stringData: { password: HIDDEN } }, IN_DEFAULT);
      /** Makes an update without a change. */
      const rewrite = async (server: ApiServer, name: string) => {
        const before = await server.client().get(secret, name, IN_DEFAULT);
        return [before, await server.client().replace(secret, before)] as const;
      };
      const prefixes = async (place: Place) => {
        const secrets = (await place.stored()).filter(([key]) => key.includes('/secrets/default/'));
        return Object.fromEntries(
          secrets.map(([key, value]) => [
            key.slice(key.lastIndexOf('/') + 1),
            /^k8s:enc:[^:]*:v1:[^:]*:/.exec(value)?.[0] ?? 'plain',
          ]),
        );
      };

      it('keys are rotated step by step, as documented, and encryption can be removed again', async () => {
        const place = newPlace[backend]();
        const steps: readonly (readonly [providers: Providers, stored: string])[] = [
          [[IDENTITY, { aescbc: { keys: [A] } }], 'plain'],
          [[{ aescbc: { keys: [A] } }, IDENTITY], 'k8s:enc:aescbc:v1:key-a:'],
          [[{ aescbc: { keys: [A, B] } }, IDENTITY], 'k8s:enc:aescbc:v1:key-a:'],
          [[{ aescbc: { keys: [B, A] } }, IDENTITY], 'k8s:enc:aescbc:v1:key-b:'],
          [[{ aescbc: { keys: [B] } }], 'k8s:enc:aescbc:v1:key-b:'],
          [[{ aesgcm: { keys: [A] } }, { aescbc: { keys: [B] } }], 'k8s:enc:aesgcm:v1:key-a:'],
          [[{ secretbox: { keys: [A] } }, { aesgcm: { keys: [A] } }], 'k8s:enc:secretbox:v1:key-a:'],
          [[IDENTITY, { secretbox: { keys: [A] } }], 'plain'],
          [[IDENTITY], 'plain'],
        ];
        let before = 'plain';
        {
          await using server = await open(place);
          await make(server, 'kept');
        }
        for (const [providers, stored] of steps) {
          {
            await using server = await open(place, await encryptionOf(providers));
            const [old, written] = await rewrite(server, 'kept');
            expect(old.data).toEqual({ password: Buffer.from(HIDDEN).toString('base64') });
            // A stale value is written although nothing changed; any other value is not.
            expect(written.metadata.resourceVersion !== old.metadata.resourceVersion).toBe(stored !== before);
            const [, again] = await rewrite(server, 'kept');
            expect(again.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
          }
          before = stored;
          expect(await prefixes(place)).toEqual({ kept: stored });
        }
      });

      it('no secret is stored in plain text, past values included', async () => {
        const place = newPlace[backend]();
        {
          await using server = await open(place, await encryptionOf([{ aesgcm: { keys: [A] } }]));
          const made = await make(server, 'one');
          await server
            .client()
            .replace(secret, { ...made, data: { password: Buffer.from(`${HIDDEN}-2`).toString('base64') } });
          await make(server, 'gone');
          await server.client().delete(secret, 'gone', IN_DEFAULT);
          await server
            .client()
            .create(configMap, { metadata: { name: 'one' }, data: { shown: 'visible' } }, IN_DEFAULT);
        }
        const all = (await place.stored()).map(([, value]) => value);
        expect(
          all.filter(
            (value) => value.includes(HIDDEN) || value.includes(Buffer.from(HIDDEN).toString('base64').slice(0, 20)),
          ),
        ).toEqual([]);
        expect(all.some((value) => value.includes('visible'))).toBe(true);
      });

      it('a value that cannot be decrypted returns 500, and everything else works', async () => {
        const place = newPlace[backend]();
        {
          await using server = await open(place, await encryptionOf([{ secretbox: { keys: [A] } }]));
          await make(server, 'lost');
          await server.client().create(configMap, { metadata: { name: 'fine' } }, IN_DEFAULT);
        }
        for (const [encryption, why] of [
          [undefined, 'identity transformer tried to read encrypted data'],
          [await encryptionOf([IDENTITY]), 'no matching prefix found'],
          [await encryptionOf([{ aescbc: { keys: [A] } }]), 'no matching prefix found'],
          [
            await encryptionOf([{ secretbox: { keys: [B] } }]),
            'no matching key was found for the provided Secretbox transformer',
          ],
          [
            await encryptionOf([{ secretbox: { keys: [{ ...B, name: A.name }] } }]),
            'output array was not large enough for encryption',
          ],
        ] as const) {
          logs.length = 0;
          await using server = await open(place, encryption);
          const get = await ask(server, { path: `${PATH}/lost` });
          expect([get.status, get.message]).toEqual([500, `Internal error occurred: ${why}`]);
          const list = await ask(server, { path: PATH });
          expect([list.status, list.message]).toEqual([
            500,
            `Internal error occurred: unable to transform key "/registry/secrets/default/lost": ${why}`,
          ]);
          expect((await ask(server, { path: `${PATH}/lost`, method: 'DELETE' })).message).toBe(
            `Internal error occurred: ${why}`,
          );
          const put = await ask(server, {
            path: `${PATH}/lost`,
            method: 'PUT',
            body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'lost' } },
          });
          expect([put.status, put.message]).toEqual([500, `Internal error occurred: ${why}`]);
          expect((await ask(server, { path: '/api/v1/namespaces/default/configmaps/fine' })).status).toBe(200);
          await server.client().create(configMap, { metadata: { generateName: 'more-' } }, IN_DEFAULT);
          expect(logs.filter((line) => line.includes('/registry/secrets/default/lost')).length).toBe(1);
          expect(logs.join('\n')).not.toContain(A.secret);
        }
        await using server = await open(place, await encryptionOf([{ secretbox: { keys: [A] } }]));
        expect((await ask(server, { path: `${PATH}/lost` })).status).toBe(200);
        expect((await server.client().get(secret, 'lost', IN_DEFAULT)).metadata.name).toBe('lost');
      });

      it('another configuration takes effect while the server runs', async () => {
        const place = newPlace[backend]();
        const encryption = await encryptionOf([{ aesgcm: { keys: [A] } }]);
        {
          await using server = await open(place, encryption);
          await make(server, 'first');
          await encryption.replace({
            resources: [{ resources: ['secrets'], providers: [{ aesgcm: { keys: [B, A] } }] }],
          });
          await make(server, 'second');
          await expect(encryption.replace({ resources: [] })).rejects.toThrow('resources: Required value');
          const [old, written] = await rewrite(server, 'first');
          expect(written.metadata.resourceVersion).not.toBe(old.metadata.resourceVersion);
          await make(server, 'third');
        }
        expect(await prefixes(place)).toMatchObject({
          first: 'k8s:enc:aesgcm:v1:key-b:',
          second: 'k8s:enc:aesgcm:v1:key-b:',
          third: 'k8s:enc:aesgcm:v1:key-b:',
        });
      });

      it('wildcards select resources', async () => {
        const place = newPlace[backend]();
        {
          const gcm = [{ aesgcm: { keys: [A] } }];
          const encryption = await encryptionConfiguration(
            {
              resources: [
                { resources: ['configmaps'], providers: [IDENTITY] },
                { resources: ['*.'], providers: gcm },
              ],
            },
            { dialect },
          );
          await using server = await open(place, encryption);
          await make(server, 'one');
          await server.client().create(configMap, { metadata: { name: 'one' } }, IN_DEFAULT);
          const involvedObject = { kind: 'Secret', namespace: 'default', name: 'one' };
          await server.client().create(coreEvent, { metadata: { name: 'one' }, involvedObject }, IN_DEFAULT);
        }
        const stored = await place.stored();
        const isEncrypted = (part: string) =>
          stored.filter(([key]) => key.includes(part)).map(([, value]) => value.startsWith('k8s:enc:aesgcm:'));
        expect(isEncrypted('/secrets/default/one')).toEqual([true]);
        expect(isEncrypted('/configmaps/default/one')).toEqual([false]);
        expect(isEncrypted('/events/default/one')).toEqual([true]);
        expect(new Set(isEncrypted('/clusterroles/'))).not.toContain(true);
      });

      it.skipIf(backend === 'folder')(
        'a value that was moved to another key is refused if the algorithm authenticates the key',
        async () => {
          for (const [algorithm, status] of [
            ['aesgcm', 500],
            ['secretbox', 200],
          ] as const) {
            const place = newPlace[backend]();
            await using server = await open(place, await encryptionOf([{ [algorithm]: { keys: [A] } } as never]));
            await make(server, 'own');
            await place.move('/secrets/default/own', '/secrets/default/stolen');
            expect((await ask(server, { path: `${PATH}/stolen` })).status).toBe(status);
            expect((await ask(server, { path: `${PATH}/own` })).status).toBe(200);
          }
        },
      );
    });
