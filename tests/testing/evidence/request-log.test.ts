import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, configMap, namespace, secret } from '../../../src/index.js';
import { apiError } from '../../../src/meta/api-error.js';
import { createFakeClock, type FakeClock, injectFaults, recordRequests } from '../../../src/testing/index.js';
import { fetchFrom } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const made = (name: string, n = '1') => ({ metadata: { name }, data: { n } });
const jane = { username: 'jane', groups: ['system:authenticated'] };

describe.each(['k8s', 'orch'] as const)('a log of requests (%s)', (dialect) => {
  let server: ApiServer;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = createFakeClock('2030-01-01T00:00:00Z');
    server = await startServer({ dialect, clock, controllers: { mode: 'stepped' }, certificates: { root: false } });
    await server.settle();
  });
  afterEach(() => server.close());

  it('has the user, the request, the time and the response', async () => {
    using requests = recordRequests(server);
    const client = server.client({ userAgent: 'operator/1.0' });
    const { metadata } = await client.create(configMap, made('a'), where);
    clock.advance(5000);
    await client.get(configMap, 'b', where).catch(() => {});
    expect(requests.size).toBe(2);
    expect(requests.get(1)).toMatchObject({
      number: 1,
      time: Date.parse('2030-01-01T00:00:00Z'),
      duration: 0,
      user: { username: 'system:apiserver' },
      userAgent: 'operator/1.0',
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      verb: 'create',
      resource: 'configmaps',
      name: 'a',
      fieldManager: 'operator',
      status: 201,
      reason: '',
      resourceVersion: metadata.resourceVersion,
      before: undefined,
      isLost: false,
      isOwn: false,
    });
    expect(requests.get(2)).toMatchObject({
      time: Date.parse('2030-01-01T00:00:05Z'),
      verb: 'get',
      name: 'b',
      status: 404,
      reason: 'NotFound',
      message: 'configmaps "b" not found',
      changes: [],
    });
    expect(requests.get(3)).toBeUndefined();
    expect([...requests]).toEqual([requests.get(1), requests.get(2)]);
    expect(JSON.parse(JSON.stringify(requests.get(1)))).toMatchObject({ time: '2030-01-01T00:00:00.000Z', number: 1 });
  });

  it('refers to the objects of the server', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    using requests = recordRequests(server);
    const read = await client.get(configMap, 'a', where);
    const written = await client.replace(configMap, { ...read, data: { n: '2' } }, where);
    await client.delete(configMap, 'a', where);
    const [get, update, deletion] = [...requests];
    expect(get?.answer).toBe(read);
    expect(update?.before).toBe(read);
    expect(update?.after).toBe(written);
    expect(Object.isFrozen(update?.after)).toBe(true);
    expect(update?.basedOn).toBe(read.metadata.resourceVersion);
    expect(update?.sent).toMatchObject({ data: { n: '2' } });
    expect(deletion).toMatchObject({ before: written, after: undefined, verb: 'delete', basedOn: undefined });
    expect(deletion?.changes).toHaveLength(1);
  });

  it('names the binding and the rule that allow a request, and reports missing permissions', async () => {
    const admin = server.client();
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    const apiVersion = `${dialect === 'k8s' ? 'rbac.authorization.k8s.io' : 'rbac.authorization.orch.io'}/v1`;
    const metadata = { name: 'reader', namespace: 'default' };
    const roleRef = { apiGroup: apiVersion.slice(0, -3), kind: 'Role', name: 'reader' };
    const subjects = [{ kind: 'User', name: 'jane', apiGroup: roleRef.apiGroup }];
    await server.load([
      { apiVersion, kind: 'Role', metadata, rules },
      { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects },
    ]);
    using requests = recordRequests(server);
    const client = server.client({ user: jane });
    await client.list(configMap, where);
    await client.list(secret, where).catch(() => {});
    expect(requests.get(1)?.authorization).toMatchObject({
      decision: 'Allow',
      authorizer: 'rbac',
      grant: { binding: 'RoleBinding "reader/default"', role: 'Role "reader"', subject: 'User "jane"' },
      attributes: { verb: 'list', resource: 'configmaps', namespace: 'default', user: jane },
    });
    const stored = await admin.get(server.kind(apiVersion, 'Role'), 'reader', where);
    const { authorization } = requests.get(1) ?? {};
    expect(authorization?.decision === 'Allow' && authorization.grant?.rule).toBe(
      (stored as unknown as { rules: object[] }).rules[0],
    );
    expect(requests.get(2)).toMatchObject({
      status: 403,
      reason: 'Forbidden',
      authorization: { decision: 'NoOpinion' },
    });
  });

  it('counts the items of lists and the events of watches, and says why a watch ended', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    using requests = recordRequests(server);
    const { metadata } = await client.list(configMap, where);
    const watch = client.watch(configMap, { ...where, resourceVersion: metadata.resourceVersion ?? '' });
    await watch.opened();
    expect(requests.get(2)?.watch).toEqual({ events: 0, ended: undefined });
    await client.create(configMap, made('b'), where);
    for await (const _event of watch) break;
    expect(requests.get(1)).toMatchObject({ count: 1, resourceVersion: metadata.resourceVersion, answer: undefined });
    expect(requests.get(2)).toMatchObject({ verb: 'watch', status: 200, watch: { events: 1, ended: 'client' } });
    const short = client.watch(configMap, { ...where, timeoutSeconds: 1 });
    await short.opened();
    clock.advance(2000);
    for await (const _event of short) void 0;
    expect(requests.get(4)?.watch).toMatchObject({ ended: 'server' });
    using faults = injectFaults(server);
    for (const [how, ended] of [
      ['lost', 'lost'],
      ['expired', 'error'],
    ] as const) {
      faults.on({ verb: 'watch' }).endWatch(how);
      const broken = client.watch(configMap, where);
      const iterate = async () => {
        for await (const _event of broken) void 0;
      };
      await expect(iterate()).rejects.toThrow();
      expect(requests.filter({ verb: 'watch' }).at(-1)?.watch).toMatchObject({ ended });
    }
  });

  it('has the changes and refusals of admission', async () => {
    await using other = await startServer({
      dialect,
      certificates: { root: false },
      admission: (defaults) => [
        ...defaults,
        () => ({
          name: 'Painter',
          rules: [{ operations: ['CREATE'], apiGroups: [''], resources: ['configmaps'] }],
          admit: ({ object, annotate, warn }) => {
            annotate('example.com/painted', 'yes');
            warn('it is red now');
            return object && { ...object, data: { color: 'red' } };
          },
          validate({ name, resource }) {
            if (name === 'never') throw apiError.forbidden(resource, name, 'not this one');
          },
        }),
      ],
    });
    using requests = recordRequests(other);
    const client = other.client();
    await client.create(configMap, made('a'), where);
    await client.create(configMap, made('never'), where).catch(() => {});
    expect(requests.get(1)).toMatchObject({
      admission: { mutatedBy: ['Painter'], refusedBy: undefined, annotations: { 'example.com/painted': 'yes' } },
      warnings: ['it is red now'],
    });
    expect(requests.get(2)).toMatchObject({ admission: { refusedBy: 'Painter' }, status: 403, changes: [] });
  });

  it('has the patch, its type, and whether it is a dry run', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    using requests = recordRequests(server);
    const url = 'https://server/api/v1/namespaces/default/configmaps/a';
    const admin = { user: { username: 'admin', groups: ['system:masters'] } };
    const send = async (type: string, body: string, query = '') =>
      await server.fetch(
        new Request(url + query, { method: 'PATCH', body, headers: { 'content-type': type, 'user-agent': 'x/2' } }),
        admin,
      );
    await send('application/merge-patch+json', '{"data":{"n":"2"}}', '?dryRun=All&fieldManager=me');
    await send('application/json-patch+json', '[{"op":"test","path":"/metadata/resourceVersion","value":"7"}]');
    await send('application/merge-patch+json', 'no json');
    expect(requests.get(1)).toMatchObject({
      patchType: 'merge',
      sent: { data: { n: '2' } },
      dryRun: true,
      fieldManager: 'me',
      user: { username: 'admin' },
      userAgent: 'x/2',
    });
    expect(requests.get(1)?.after).toBe(requests.get(1)?.before);
    expect(requests.get(2)).toMatchObject({ patchType: 'json', basedOn: '7', dryRun: false, fieldManager: 'x' });
    expect(requests.get(3)).toMatchObject({ sent: 'no json', status: 400 });
  });

  it('has requests that fail before their user is known, and those with impersonation', async () => {
    using requests = recordRequests(server);
    const headers = { authorization: 'Bearer wrong' };
    await fetchFrom(server, '/api/v1/namespaces', { headers });
    expect(requests.get(1)).toMatchObject({ status: 401, user: { username: '' }, authorization: undefined });
    const asJane = { headers: { 'impersonate-user': 'jane' } };
    const admin = { user: { username: 'admin', groups: ['system:masters'] } };
    await fetchFrom(server, '/api/v1/namespaces', { ...asJane, ...admin });
    expect(requests.get(2)).toMatchObject({
      status: 403,
      user: { username: 'jane' },
      impersonator: { username: 'admin' },
      checks: [{ decision: 'Allow', attributes: { verb: 'impersonate', resource: 'users', name: 'jane' } }],
    });
    expect(requests.filter({ user: 'jane' })).toEqual(requests.filter({ user: 'admin' }));
  });

  it('says when a fault kept the response from the client', async () => {
    using requests = recordRequests(server);
    using faults = injectFaults(server);
    faults.on({ verb: 'create' }).loseAnswer();
    await server
      .client()
      .create(configMap, made('a'), where)
      .catch(() => {});
    expect(requests.get(1)).toMatchObject({ isLost: true, status: 201 });
  });

  it('omits the requests of the server itself, unless they are requested', async () => {
    for (const own of [false, true]) {
      using requests = recordRequests(server, { own });
      await server.client().create(namespace, { metadata: { name: `n-${own}` } });
      await server.client().delete(namespace, `n-${own}`);
      await server.settle();
      expect([...requests].some(({ isOwn }) => isOwn)).toBe(own);
      // As with faults, a matcher selects requests of the server itself only if it names their user or user agent.
      expect(requests.filter({}).every(({ isOwn }) => !isOwn)).toBe(true);
      expect(requests.filter({ userAgent: 'kube-controller-manager' }).length > 0).toBe(own);
    }
  });

  it('keeps a number of requests, and says how many are dropped', async () => {
    using requests = recordRequests(server, { limit: 3 });
    const client = server.client();
    for (let i = 0; i < 2000; i++) await client.get(configMap, `a${i}`, where).catch(() => {});
    expect([...requests].map(({ number, name }) => [number, name])).toEqual([
      [1998, 'a1997'],
      [1999, 'a1998'],
      [2000, 'a1999'],
    ]);
    expect(requests).toMatchObject({ size: 3, dropped: 1997 });
    expect([requests.get(1997), requests.get(2001), requests.get(1998)?.number]).toEqual([undefined, undefined, 1998]);
    requests.clear();
    expect(requests).toMatchObject({ size: 0, dropped: 0, bytes: 0 });
    await client.list(configMap, where);
    expect([...requests].map(({ number }) => number)).toEqual([2001]);
    expect(requests.dropped).toBe(0);
  });

  it('keeps a number of bytes: each object counts once, until the last request that refers to it is dropped', async () => {
    const maxBytes = 1024 * 1024;
    using requests = recordRequests(server, { maxBytes });
    const client = server.client();
    const large = 'x'.repeat(100_000);
    for (let i = 0; i < 30; i++) await client.create(configMap, made(`a${i}`, large), where);
    expect(requests.bytes).toBeLessThanOrEqual(maxBytes);
    expect(requests.size).toBeLessThan(10);
    expect(requests.dropped).toBe(30 - requests.size);
    requests.clear();
    for (let i = 0; i < 300; i++) await client.get(configMap, 'a1', where);
    expect(requests).toMatchObject({ size: 300, dropped: 0 });
    const patch = JSON.stringify({ data: { n: 'y'.repeat(900_000) } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const admin = { user: { username: 'admin', groups: ['system:masters'] } };
    const url = 'https://server/api/v1/namespaces/default/configmaps/a1';
    await server.fetch(new Request(url, { method: 'PATCH', body: patch, headers }), admin);
    // A request that exceeds the limit by itself is kept, but is the only one.
    expect(requests.size).toBe(1);
    await client.get(configMap, 'none', where).catch(() => {});
    expect(requests.bytes).toBeLessThan(maxBytes);
  });

  it('counts long messages and warnings as well', async () => {
    using requests = recordRequests(server);
    const client = server.client();
    await client.get(configMap, 'a', where).catch(() => {});
    const before = requests.bytes;
    const labels = { ['x'.repeat(10_000)]: 'y'.repeat(10_000) };
    await client.create(configMap, { metadata: { name: 'a', labels } }, where).catch(() => {});
    expect(requests.get(2)).toMatchObject({ status: 422 });
    expect(requests.bytes - before).toBeGreaterThan(4 * (requests.get(2)?.message.length ?? 0));
  });

  it('has all objects that a request deletes, and one that several clients wrote concurrently', async () => {
    const client = server.client();
    for (const name of ['a', 'b']) await client.create(secret, { metadata: { name, labels: { x: 'y' } } }, where);
    await client.create(configMap, made('n', '0'), where);
    using requests = recordRequests(server);
    await client.deleteCollection(secret, { ...where, labelSelector: 'x=y' });
    expect(requests.get(1)?.changes).toMatchObject([
      { before: { metadata: { name: 'a' } }, after: undefined },
      { before: { metadata: { name: 'b' } }, after: undefined },
    ]);
    const patches = Array.from({ length: 5 }, (_, i) =>
      client.patch(configMap, 'n', { data: { [`k${i}`]: 'v' } }, where),
    );
    await Promise.all(patches);
    const versions = requests
      .filter({ verb: 'patch' })
      .flatMap(({ before, after }) => [before?.metadata.resourceVersion, after?.metadata.resourceVersion]);
    // Each write began from the version that the previous write created.
    expect(new Set(versions).size).toBe(6);
  });

  it('can be closed, and is the only one of its server', async () => {
    const requests = recordRequests(server);
    expect(() => recordRequests(server)).toThrow('the server already has an observer');
    await server.client().list(configMap, where);
    requests.stop();
    await server.client().list(configMap, where);
    expect(requests.size).toBe(1);
    using again = recordRequests(server);
    await using fork = server.fork();
    await fork.client().list(configMap, where);
    expect(again.size).toBe(0);
    expect(() => recordRequests(fork, { limit: 0 })).toThrow('limit must be an integer of at least 1');
    expect(() => recordRequests(fork, { size: 3 } as object)).toThrow('recordRequests: there is no option size');
  });

  it('refuses invalid matchers', () => {
    using requests = recordRequests(server);
    expect(() => requests.filter({ verbs: 'get' } as object)).toThrow('there is no option verbs; did you mean "verb"?');
    expect(() => requests.filter({ nth: 3 } as object)).toThrow('a log cannot be matched by nth');
    expect(() => requests.filter({ status: '404' as unknown as number })).toThrow('match.status must be a number');
    expect(() => requests.filter(null as unknown as object)).toThrow('a log of requests: match must be an object');
  });
});
