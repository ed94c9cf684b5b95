import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryLevel } from 'memory-level';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { configMap, pod, secret } from '../../src/exports/kinds.js';
import { encryptionConfiguration, etcd, level } from '../../src/exports/storage.js';
import type { ApiServer, ApiServerOptions } from '../../src/index.js';
import { ask, fetchFrom } from '../support/ask.js';
import { noEtcd, type RunningEtcd, startEtcd } from '../support/etcd.js';
import { startServer } from '../support/servers.js';

const keyOf = (letter: string) => ({ name: letter, secret: Buffer.from(letter.repeat(32)).toString('base64') });
const [A, B] = [keyOf('a'), keyOf('b')];
const IN_DEFAULT = { namespace: 'default' };
const PATH = '/api/v1/namespaces/default/secrets';
const UNKNOWN = 'no matching key was found for the provided AES transformer';

const rules = (...keys: readonly (typeof A)[]) => ({
  resources: [{ resources: ['secrets'], providers: [{ aesgcm: { keys } }] }],
});
const open = (storage: NonNullable<ApiServerOptions['storage']>, log: (line: string) => void = () => {}) =>
  startServer({ authentication: [anonymous()], authorization: [alwaysAllow()], storage, log });
/** Returns the events of a watch from a version, as `type name`, up to an error. */
const watched = async (server: ApiServer, resourceVersion: string, most: number) => {
  const query = `watch=true&resourceVersion=${resourceVersion}`;
  const answer = await fetchFrom(server, `${PATH}?${query}`);
  const events: string[] = [];
  let rest = '';
  for await (const bytes of answer.body ?? []) {
    const lines = (rest + new TextDecoder().decode(bytes)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { type, object } = JSON.parse(line);
      events.push(`${type} ${object.metadata.name ?? object.message}`);
      if (type === 'ERROR' || events.length === most) return events;
    }
  }
  return events;
};

describe.skipIf(noEtcd !== undefined)(
  `servers with different keys on one etcd${noEtcd === undefined ? '' : ` (skipped: ${noEtcd})`}`,
  () => {
    let running: RunningEtcd;
    beforeAll(async () => {
      running = await startEtcd();
    });
    afterAll(() => running?.[Symbol.asyncDispose]());

    it('a server that lacks a key refuses only that object, and reads it once it has the key', async () => {
      const logs: string[] = [];
      const behind = await encryptionConfiguration(rules(A));
      const ahead = await encryptionConfiguration(rules(B, A));
      const at = { endpoints: [running.endpoint], prefix: '/ahead' };
      await using one = await open(etcd({ ...at, encryption: behind }), (line) => logs.push(line));
      await using other = await open(etcd({ ...at, encryption: ahead }));
      const made = await one.client().create(secret, { metadata: { name: 'shared' } }, IN_DEFAULT);
      await one.client().create(secret, { metadata: { name: 'fine' } }, IN_DEFAULT);
      const written = await other.client().update(
        secret,
        'shared',
        (draft) => {
          draft.data = { a: 'MQ==' };
        },
        IN_DEFAULT,
      );

      const get = await ask(one, { path: `${PATH}/shared` });
      expect([get.status, get.message]).toEqual([500, `Internal error occurred: ${UNKNOWN}`]);
      expect((await ask(one, { path: PATH })).message).toContain(
        'unable to transform key "/registry/secrets/default/shared"',
      );
      expect((await ask(one, { path: `${PATH}/fine` })).status).toBe(200);
      await one.client().create(configMap, { metadata: { name: 'on' } }, IN_DEFAULT);
      expect(await watched(one, made.metadata.resourceVersion ?? '', 3)).toEqual([
        'ADDED fine',
        `ERROR Internal error occurred: ${UNKNOWN}`,
      ]);
      expect(logs.filter((line) => line.includes('/registry/secrets/default/shared')).length).toBe(1);
      const put = await ask(one, { method: 'PUT', path: `${PATH}/shared`, body: { ...written, data: {} } });
      expect(put.status).toBe(500);

      await behind.replace(rules(A, B));
      expect((await ask(one, { path: `${PATH}/shared` })).value.data).toEqual({ a: 'MQ==' });
      expect((await ask(one, { path: PATH })).status).toBe(200);
      const rewritten = await one.client().replace(secret, { ...written, data: { a: 'Mg==' } });
      expect((await ask(other, { path: `${PATH}/shared` })).value.metadata.resourceVersion).toBe(
        rewritten.metadata.resourceVersion,
      );
    });

    it('reports the deletion of an object that it could not read', async () => {
      const at = { endpoints: [running.endpoint], prefix: '/removed' };
      await using one = await open(etcd({ ...at, encryption: await encryptionConfiguration(rules(A)) }));
      await using other = await open(etcd({ ...at, encryption: await encryptionConfiguration(rules(B)) }));
      for (const name of ['never-seen', 'changed'])
        await other.client().create(secret, { metadata: { name } }, IN_DEFAULT);
      expect((await ask(one, { path: `${PATH}/changed` })).status).toBe(500);
      for (const name of ['never-seen', 'changed']) await other.client().delete(secret, name, IN_DEFAULT);
      expect((await ask(one, { path: `${PATH}/changed` })).status).toBe(404);
      expect((await ask(one, { path: PATH })).value.items).toEqual([]);
      await one.client().create(secret, { metadata: { name: 'changed' } }, IN_DEFAULT);
      expect((await ask(one, { path: PATH })).value.items).toHaveLength(1);
      expect((await ask(other, { path: `${PATH}/changed` })).status).toBe(500);
    });
  },
);

it('ends a watch from a past version whose key is gone, and shows later changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'encryption-'));
  try {
    const path = join(folder, 'db');
    let before = '';
    {
      const encryption = await encryptionConfiguration(rules(A));
      await using server = await open(level({ path, encryption }));
      before =
        (await server.client().create(configMap, { metadata: { name: 'here' } }, IN_DEFAULT)).metadata
          .resourceVersion ?? '';
      const made = await server.client().create(secret, { metadata: { name: 'kept' } }, IN_DEFAULT);
      await encryption.replace(rules(B, A));
      await server.client().replace(secret, made);
    }
    await using server = await open(level({ path, encryption: await encryptionConfiguration(rules(B)) }));
    expect(await watched(server, before, 2)).toEqual([`ERROR Internal error occurred: ${UNKNOWN}`]);
    expect((await ask(server, { path: `${PATH}/kept` })).status).toBe(200);
    expect((await ask(server, { path: PATH })).value.items).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('a server without the encryption key of a kind', () => {
  const startWith = async (resource: string) => {
    const rule = ({ name, secret: key }: typeof A) => ({
      resources: [{ resources: [resource], providers: [{ aesgcm: { keys: [{ name, secret: key }] } }] }],
    });
    const before = new MemoryLevel<string, string>();
    const one = await open(level({ database: before, encryption: await encryptionConfiguration(rule(A)) }));
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const serviceAccountName = 'default';
    await one.settle();
    await one.client().create(pod, { metadata: { name: 'a' }, spec: { ...spec, serviceAccountName } }, IN_DEFAULT);
    const contents = await before.iterator().all();
    await one.close();
    const database = new MemoryLevel<string, string>();
    await database.batch(contents.map(([key, value]) => ({ type: 'put', key, value })));
    const logs: string[] = [];
    const encryption = await encryptionConfiguration(rule(B));
    return { logs, starting: open(level({ database, encryption }), (line) => logs.push(line)) };
  };

  it('runs without the controllers that need all objects of that kind', async () => {
    const { logs, starting } = await startWith('pods');
    await using server = await starting;
    expect(logs).toContain(
      `controller disruption-controller does not run: /registry/pods/default/a cannot be read: ${UNKNOWN}`,
    );
    await server.client().create(configMap, { metadata: { name: 'on' } }, IN_DEFAULT);
  });
});
