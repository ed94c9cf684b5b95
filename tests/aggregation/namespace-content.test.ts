import { expect, it } from 'vitest';
import { namespace } from '../../src/exports/kinds.js';
import type { ServiceHandler } from '../../src/meta/services/service-routes.js';
import { apiService } from '../../src/resources/apiregistration/index.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { farServer, frontServer, GROUP, LIST, PATH, registration } from './far-server.js';

const AT = `${PATH}/namespaces/room/things`;
const list = (...names: string[]) => ({
  kind: 'ThingList',
  apiVersion: `${GROUP}/v1`,
  metadata: {},
  items: names.map((name) => ({ metadata: { name, namespace: 'room' } })),
});

/** Returns an aggregating server with its clock, and the objects of the server behind it, whose kinds support the given verbs. */
async function start(verbs: string[]) {
  const clock = createFakeClock('2030-01-01T00:00:00Z');
  const things = new Set(['a', 'b']);
  const { handler, seen } = farServer((request, { pathname }) => {
    if (pathname === AT && request.method === 'GET') return Response.json(list(...things));
    if (!pathname.startsWith(AT) || request.method !== 'DELETE') return undefined;
    if (pathname === AT) things.clear();
    else things.delete(pathname.slice(AT.length + 1));
    return Response.json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
  });
  const [thing] = LIST.resources;
  const described: ServiceHandler = {
    async fetch(request, caller) {
      const isIndex = new URL(request.url).pathname === PATH;
      return isIndex ? Response.json({ ...LIST, resources: [{ ...thing, verbs }] }) : handler.fetch(request, caller);
    },
  };
  const server = await frontServer(described, { clock, controllers: { mode: 'stepped' } });
  await server.settle();
  const client = server.client();
  await client.create(namespace, { metadata: { name: 'room' }, spec: {} });
  const conditions = async () => (await client.get(namespace, 'room')).status.conditions ?? [];
  return { clock, server, client, things, seen, conditions, [Symbol.asyncDispose]: () => server.close() };
}

it.each([
  ['in one request', ['delete', 'deletecollection', 'list'], ['', '']],
  ['one by one', ['delete', 'list'], ['/a', '/b']],
])('deleting a namespace deletes its objects in other servers: %s', async (how, verbs, paths) => {
  await using started = await start(verbs);
  const { client, server, things, seen } = started;
  await client.delete(namespace, 'room');
  await server.settle();
  expect(things.size).toBe(0);
  const deleted = seen.filter(({ method }) => method === 'DELETE').map(({ url }) => new URL(url).pathname);
  expect(deleted).toEqual(how === 'one by one' ? paths.map((path) => `${AT}${path}`) : [AT]);
  await expect(client.get(namespace, 'room')).rejects.toMatchObject({ code: 404 });
});

it('the deletion of a namespace waits for servers whose discovery fails', async () => {
  await using started = await start(['delete', 'list']);
  const { client, clock, server, conditions } = started;
  const name = `v2.${GROUP}`;
  const service = { namespace: 'default', name: 'gone' };
  await client.create(apiService, { ...registration({ version: 'v2', service }), metadata: { name } });
  await server.settle();
  await client.delete(namespace, 'room');
  await server.settle();
  expect((await conditions())[0]).toMatchObject({
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'True',
    reason: 'DiscoveryFailed',
    message: `Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: ${GROUP}/v2: stale GroupVersion discovery: ${GROUP}/v2`,
  });
  await client.delete(apiService, name);
  clock.advance(10_000);
  await server.settle();
  await expect(client.get(namespace, 'room')).rejects.toMatchObject({ code: 404 });
});
