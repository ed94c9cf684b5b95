import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ApiServer } from '../../src/api-server.js';
import type { Client } from '../../src/client/client.js';
import { remoteClient } from '../../src/client/remote/remote-client.js';
import { listen } from '../../src/http/index.js';
import {
  defineResource,
  isConflict,
  isInvalid,
  isNotFound,
  pod,
  type Status,
  secret,
  serviceAccount,
} from '../../src/index.js';
import { kubeconfigClient } from '../../src/kubeconfig/kubeconfig-client.js';
import { configMap } from '../../src/resources/core/index.js';
import { openServer } from '../support/servers.js';

const where = { namespace: 'default' };

/** The ways in which a client connects to its server. */
const WAYS: Record<string, (server: ApiServer) => Promise<{ client: Client; close?: () => Promise<void> }>> = {
  'in process': async (server) => ({ client: server.client({ userAgent: 'tests' }) }),
  'through fetch': async (server) => ({
    client: await remoteClient({
      server: 'https://server',
      dialect: 'k8s',
      userAgent: 'tests',
      fetch: async (url, options) => await server.fetch(new Request(url, options)),
    }),
  }),
  'over HTTPS': async (server) => {
    const listener = await listen(server);
    const text = await listener.kubeconfig();
    const client = await kubeconfigClient({ text, dialect: 'k8s', userAgent: 'tests' });
    return { client, close: () => listener.close() };
  },
};

describe.each(Object.entries(WAYS))('the typed client %s', (_, open) => {
  let server: ApiServer;
  let client: Client;
  let close: (() => Promise<void>) | undefined;
  beforeEach(async () => {
    server = await openServer();
    ({ client, close } = await open(server));
  });
  afterEach(async () => {
    await close?.();
    await server.close();
  });

  it('creates custom resources without kind and apiVersion', async () => {
    const thing = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      plural: 'things',
      scope: 'Namespaced',
      schema: z.object({ spec: z.object({ size: z.int() }) }),
    });
    await server.install(thing);
    const made = await client.create(thing, { metadata: { name: 'a' }, spec: { size: 1 } }, where);
    expect(made).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Thing', spec: { size: 1 } });
  });

  it('evicts pods, and returns the Status', async () => {
    const spec = { containers: [{ name: 'a', image: 'x' }] };
    await client.create(serviceAccount, { metadata: { name: 'default' } }, where);
    await client.create(pod, { metadata: { name: 'p' }, spec }, where);
    const evict = () => client.createSubresource<Status>(pod, 'p', 'eviction', { metadata: { name: 'p' } }, where);
    expect(await evict()).toMatchObject({ kind: 'Status', status: 'Success' });
    await expect(evict()).rejects.toSatisfy(isNotFound);
  });

  it('creates, reads, changes and deletes', async () => {
    const made = await client.create(configMap, { metadata: { name: 'a' }, data: { k: 'v' } }, where);
    expect(made).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', namespace: 'default' } });
    expect(Object.isFrozen(made.data)).toBe(true);
    const updated = await client.update(configMap, 'a', (draft) => void (draft.data = { k: 'w' }), where);
    expect(updated.metadata.uid).toBe(made.metadata.uid);
    const patched = await client.patch(configMap, 'a', { data: { l: 'x' } }, where);
    expect(patched.data).toEqual({ k: 'w', l: 'x' });
    const recipe = await client.patch(configMap, 'a', (draft) => void (draft.data = { k: 'y' }), where);
    expect(recipe.data).toEqual({ k: 'y' });
    const applied = await client.apply(configMap, { metadata: { name: 'b' }, data: { z: '1' } }, where);
    expect(applied.metadata.managedFields).toMatchObject([{ manager: 'tests', operation: 'Apply' }]);
    expect(await client.get(configMap, 'a', where)).toEqual(recipe);
    expect(await client.delete(configMap, 'a', where)).toMatchObject({ kind: 'Status', status: 'Success' });
    await expect(client.get(configMap, 'a', where)).rejects.toSatisfy(isNotFound);
  });

  it('lists with selectors and in pages; every item has its kind', async () => {
    for (const name of ['a', 'b', 'c'])
      await client.create(secret, { metadata: { name, labels: { odd: String(name !== 'b') } } }, where);
    const first = await client.list(secret, { ...where, labelSelector: 'odd=true', limit: 1 });
    expect(first).toMatchObject({
      kind: 'SecretList',
      apiVersion: 'v1',
      items: [{ kind: 'Secret', apiVersion: 'v1' }],
    });
    const next = first.metadata.continue ?? '';
    const second = await client.list(secret, { ...where, labelSelector: 'odd=true', continue: next });
    expect(second.items.map(({ metadata }) => metadata.name)).toEqual(['c']);
    await client.deleteCollection(secret, where);
    expect((await client.list(secret, where)).items).toEqual([]);
  });

  it('throws the errors of the server', async () => {
    const made = await client.create(configMap, { metadata: { name: 'a' } }, where);
    await client.patch(configMap, 'a', { data: { k: 'v' } }, where);
    await expect(client.replace(configMap, made, where)).rejects.toSatisfy(isConflict);
    const failure = await client.create(configMap, { metadata: { name: 'A' } }, where).catch((error) => error);
    expect(failure).toSatisfy(isInvalid);
    expect(failure.details.causes).toMatchObject([{ field: 'metadata.name' }]);
    expect(failure.message).toContain('metadata.name: Invalid value: "A"');
  });

  it('watches from the current state, or from a version', async () => {
    const made = await client.create(configMap, { metadata: { name: 'a' } }, where);
    const all = await client.watch(configMap, { ...where, fieldSelector: 'metadata.name=a' }).opened();
    const later = await client
      .watch(configMap, { ...where, resourceVersion: made.metadata.resourceVersion ?? '' })
      .opened();
    await client.patch(configMap, 'a', { data: { k: 'v' } }, where);
    await client.delete(configMap, 'a', where);
    expect(await seen(all, 3)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    expect(await seen(later, 2)).toEqual(['MODIFIED a', 'DELETED a']);
  });

  it('ends a watch by its signal and by closing it', async () => {
    const abort = new AbortController();
    const one = await client.watch(configMap, { ...where, signal: abort.signal }).opened();
    const other = await client.watch(configMap, where).opened();
    const ends = Promise.all([seen(one, 100), seen(other, 100)]);
    abort.abort();
    other.close();
    expect(await ends).toEqual([[], []]);
  });
});

async function seen(watch: AsyncIterable<{ type: string; object: { metadata: { name?: string } } }>, count: number) {
  const events: string[] = [];
  if (count === 0) return events;
  for await (const { type, object } of watch) {
    events.push(`${type} ${object.metadata.name}`);
    if (events.length === count) break;
  }
  return events;
}
