import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, configMap, namespace, secret } from '../../../src/index.js';
import { pod, service, serviceAccount } from '../../../src/resources/core/index.js';
import {
  createFakeClock,
  createFakeRandom,
  type RequestLog,
  recordRequests,
  replay,
} from '../../../src/testing/index.js';
import { fetchFrom } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const jane = { username: 'jane', groups: ['system:masters'] };

describe.each(['k8s', 'orch'] as const)('a replay (%s)', (dialect) => {
  let server: ApiServer;
  let requests: RequestLog;
  beforeEach(async () => {
    const clock = createFakeClock('2030-01-01T00:00:00Z');
    server = await startServer({ dialect, clock, random: createFakeRandom(1), controllers: { mode: 'stepped' } });
    await server.settle();
    requests = recordRequests(server);
  });
  afterEach(() => server.close());

  async function work(): Promise<void> {
    const client = server.client({ user: jane, userAgent: 'operator/1' });
    await client.create(configMap, { metadata: { name: 'a' }, data: { n: '1' } }, where);
    const { metadata } = await client.create(secret, { metadata: { generateName: 's-' } }, where);
    const read = await client.get(configMap, 'a', where);
    await client.replace(configMap, { ...read, data: { n: '2' } }, where);
    await client.replace(configMap, { ...read, data: { n: '3' } }, where).catch(() => {});
    await client.patch(configMap, 'a', { data: { m: '1' } }, where);
    await client.apply(
      configMap,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { x: 'y' } },
      { ...where, fieldManager: 'me' },
    );
    await client.get(secret, metadata.name ?? '', where);
    await client.list(configMap, { ...where, resourceVersion: read.metadata.resourceVersion ?? '' });
    await client.watch(configMap, where).opened();
    await client.delete(secret, metadata.name ?? '', where);
    await server
      .client({ user: { username: 'eve' } })
      .list(configMap, where)
      .catch(() => {});
    await fetchFrom(server, '/readyz', { user: jane });
  }

  it('on a fork of the earlier state has the same outcome, byte for byte', async () => {
    await using fork = server.fork();
    await work();
    const replayed = await replay(requests, fork, { exact: true });
    expect(replayed.text).toBe('');
    expect(replayed).toMatchObject({ sent: requests.size - 1, differences: [], skipped: [{ verb: 'watch' }] });
    const all = await fork.client().list(configMap, where);
    expect(all.items.find(({ metadata }) => metadata.name === 'a')?.metadata.managedFields).toMatchObject([
      { manager: 'operator' },
    ]);
  });

  it('on another server has the same outcome except for uids, versions, times and generated names', async () => {
    await work();
    await using other = await startServer({ dialect, controllers: { mode: 'stepped' } });
    await other.settle();
    for (let i = 0; i < 7; i++) await other.client().create(configMap, { metadata: { name: `more-${i}` } }, where);
    const { differences } = await replay(requests, other);
    // The list contains other ConfigMaps, too, so its length depends on the server.
    expect(differences.map(({ request, lines }) => [request.verb, ...lines])).toEqual([
      ['list', expect.stringMatching(/^items: \d+ -> \d+$/)],
    ]);
  });

  it('on another server has the same outcome except for addresses, ports, tokens and token volumes', async () => {
    const client = server.client({ user: jane, userAgent: 'operator/1' });
    const owner = await client.create(configMap, { metadata: { name: 'owner' } }, where);
    const { uid = '' } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await client.create(secret, { metadata: { name: 'owned', ownerReferences } }, where);
    const spec = { type: 'NodePort', ports: [{ port: 80 }] } as const;
    const made = await client.create(service, { metadata: { name: 'a' }, spec }, where);
    await client.replace(service, { ...made, metadata: { ...made.metadata, labels: { n: '1' } } }, where);
    await client.create(serviceAccount, { metadata: { name: 'robot' } }, where);
    const containers = [{ name: 'c', image: 'i' }];
    const running = await client.create(
      pod,
      { metadata: { name: 'p' }, spec: { serviceAccountName: 'robot', containers } },
      where,
    );
    await client.replace(pod, { ...running, metadata: { ...running.metadata, labels: { n: '1' } } }, where);
    await client.createSubresource(serviceAccount, 'robot', 'token', { spec: { audiences: ['a'] } }, where);
    await using other = await startServer({ dialect, random: createFakeRandom(2), controllers: { mode: 'stepped' } });
    const { sent, text } = await replay(requests, other);
    expect(text).toBe('');
    expect(sent).toBe(8);
  });

  it('reports the differences of another server', async () => {
    await using fork = server.fork();
    await work();
    await fork.client().create(configMap, { metadata: { name: 'b' }, data: { old: 'x' } }, where);
    const { text, differences } = await replay(requests, fork, { match: { resource: 'configmaps', verb: 'patch' } });
    expect(differences.map(({ status, reason }) => [status, reason])).toEqual([
      [404, 'NotFound'],
      [200, ''],
    ]);
    expect(text).toMatch(
      /^#\d+ patch configmaps default\/a by jane \(operator\/1\)\n {2}status: 200 -> 404\n {2}reason: "" -> NotFound\n#\d+ patch configmaps default\/b by jane \(operator\/1\)\n {2}status: 201 -> 200$/,
    );
    const { text: ofObjects } = await replay(requests.filter({ verb: 'create', name: 'a' }), server.fork());
    expect(ofObjects).toContain('status: 201 -> 409');
    await expect(replay(requests, fork, { exactly: true } as object)).rejects.toThrow('there is no option exactly');
  });

  it('skips requests without a user, and reports objects that differ', async () => {
    await using fork = server.fork();
    await fetchFrom(server, '/api/v1/nodes', { headers: { authorization: 'Bearer wrong' } });
    await server.client().get(namespace, 'default');
    await fork.client().patch(namespace, 'default', { metadata: { labels: { colour: 'red' } } });
    const { skipped, text } = await replay(requests, fork);
    expect(skipped).toMatchObject([{ status: 401 }]);
    expect(text).toContain('metadata/labels/colour: nothing -> "red"');
  });
});
