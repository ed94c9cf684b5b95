import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { openTestKit } from '../../src/cli/test-kit/open-test-kit.js';
import { type Client, namespace, serviceAccount } from '../../src/index.js';
import { type RunningKit, startKit } from './kit.js';

describe('--test-kit', () => {
  let kit: RunningKit;
  let client: Client;
  const ask: RunningKit['ask'] = (...args) => kit.ask(...args);

  beforeAll(async () => {
    kit = await startKit('--test-clock=2030-01-01T00:00:00Z', '--test-steps');
    client = kit.client;
  });
  beforeEach(async () => void (await ask('DELETE', '/faults')));
  afterAll(() => kit.stop());

  it('adds, lists, verifies and ends faults', async () => {
    const spec = { match: { verb: 'list', resource: 'namespaces' }, action: { type: 'answer', status: 403 } };
    const { status, body } = await ask('POST', '/faults', spec);
    expect([status, body]).toEqual([201, { id: expect.any(String), fired: 0, ...spec }]);
    expect(await ask('POST', '/faults/verify')).toEqual({
      status: 200,
      body: {
        verified: false,
        message: expect.stringContaining('a fault never fired:\n  verb list, resource namespaces'),
      },
    });
    await expect(client.list(namespace)).rejects.toMatchObject({ code: 403 });
    await client.list(namespace);
    const id = String(body['id']);
    expect((await ask('GET', `/faults/${id}`)).body).toMatchObject({ id, fired: 1 });
    expect((await ask('GET', '/faults')).body).toEqual({ faults: [{ id, fired: 1, ...spec }] });
    expect((await ask('POST', '/faults/verify')).body).toEqual({ verified: true });

    const hold = await ask('POST', '/faults', { match: { verb: 'list' }, action: { type: 'hold' } });
    const listing = client.list(namespace);
    await expect.poll(async () => (await ask('GET', `/faults/${hold.body['id']}`)).body['fired']).toBe(1);
    expect((await ask('DELETE', `/faults/${hold.body['id']}`)).status).toBe(200);
    expect((await listing).items.length).toBeGreaterThan(0);
  });

  it('refuses invalid faults', async () => {
    const mistakes: [unknown, number, string][] = [
      [{ match: {}, action: { type: 'explode' } }, 400, 'a fault must have an action, one of answer,'],
      [{ match: { verbs: 'x' }, action: { type: 'hold' } }, 400, 'did you mean "verb"?'],
      [{ match: { name: 'a'.repeat(2000) }, action: { type: 'hold' } }, 400, 'match.name must be a string'],
      [undefined, 400, 'a fault must be an object'],
      ['[1', 400, 'the body is not JSON'],
      [JSON.stringify('x'.repeat(70_000)), 413, 'the body must have at most 65536 bytes'],
    ];
    for (const [body, status, message] of mistakes)
      expect(await ask('POST', '/faults', body)).toEqual({
        status,
        body: { message: expect.stringContaining(message) },
      });
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/faults/99'],
      ['PUT', '/faults'],
      ['GET', '/faults/verify'],
      ['GET', '/__proto__'],
      ['GET', '/faults/1/2'],
    ] as const)
      expect((await ask(method, path)).status).toBe(404);
    expect((await ask('GET', '/faults')).body).toEqual({ faults: [] });
  });

  it('answers with 500 and the reason where it fails, such as with a body that is nested too deeply', async () => {
    const depth = 20_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const order = `{"watches":{"labelSelector":${deep}},"action":{"type":"hold"}}`;
    expect(await ask('POST', '/orders', order)).toEqual({ status: 500, body: { message: expect.any(String) } });
    expect((await ask('GET', '/orders')).body).toEqual({ orders: [] });
  });

  it('records requests, checks them, and derives the smallest roles', async () => {
    expect((await ask('GET', '/requests')).body).toEqual({
      message: 'no requests are being recorded: start that with POST /requests',
    });
    expect((await ask('POST', '/requests', { limits: 3 })).body).toEqual({
      message: 'recordRequests: there is no option limits; did you mean "limit"?',
    });
    expect(await ask('POST', '/requests', { limit: 100 })).toMatchObject({
      status: 201,
      body: { size: 0, dropped: 0 },
    });
    expect((await ask('POST', '/requests')).status).toBe(409);
    await client.create(namespace, { metadata: { name: 'made' } });
    const match = { verb: 'create', resource: 'namespaces', name: 'made' };
    const { body } = await ask('GET', '/requests');
    expect(body).toMatchObject({ size: 1, requests: [{ number: 1, ...match, status: 201, decision: 'Allow' }] });
    expect((await ask('GET', '/requests/1')).body).toMatchObject({
      number: 1,
      sent: { metadata: { name: 'made' } },
      after: { kind: 'Namespace', metadata: { name: 'made' } },
      authorization: { decision: 'Allow', asked: { verb: 'create' } },
    });
    const check = async (name: string, given: object = {}) => (await ask('POST', `/requests/${name}`, given)).body;
    expect(await check('received', { match, times: 1 })).toEqual({ passed: true });
    expect(await check('received', { match, times: 2 })).toEqual({
      passed: false,
      message: expect.stringContaining('expected 2 requests with verb create'),
    });
    expect(await check('not-received', { match })).toMatchObject({ passed: false });
    for (const name of ['nothing-forbidden', 'no-hot-loop', 'no-write-on-stale-read'])
      expect(await check(name, { match: {} })).toEqual({ passed: true });
    expect(await check('no-hot-loop', { times: 2, within: 5 })).toEqual({ passed: true });
    const [{ user }] = body['requests'] as [{ user: string }];
    expect(await check('minimal-roles', { user, name: 'least' })).toMatchObject({
      objects: [{ kind: 'ClusterRole', metadata: { name: 'least' } }, { kind: 'ClusterRoleBinding' }],
      yaml: expect.stringContaining('- namespaces'),
    });
    for (const [name, given, message] of [
      ['received', { match: { verbs: 'x' } }, 'did you mean "verb"?'],
      ['nothing-forbidden', { times: 3 }, 'there is no option times'],
      ['minimal-roles', {}, 'user must be the name of a user'],
      ['minimal-roles', { user: 'joe' }, 'no request of joe is recorded'],
    ] as const)
      expect(await ask('POST', `/requests/${name}`, given)).toEqual({
        status: 400,
        body: { message: expect.stringContaining(message) },
      });
    for (const [method, path] of [
      ['GET', '/requests/99'],
      ['GET', '/requests/received'],
      ['PUT', '/requests'],
      ['POST', '/requests/explode'],
      ['GET', '/requests/1/2'],
    ] as const)
      expect((await ask(method, path)).status).toBe(404);
    expect((await ask('DELETE', '/requests')).status).toBe(200);
    expect((await ask('GET', '/requests/1')).status).toBe(404);
  });

  it('holds, lists and releases the events of watches', async () => {
    const spec = { watches: { resource: 'namespaces' }, action: { type: 'hold' } };
    const watch = await client.watch(namespace, {}).opened();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type, object } of watch) seen.push(`${type} ${object.metadata.name}`);
    })();
    await expect.poll(() => seen).toContain('ADDED default');
    seen.length = 0;
    expect((await ask('GET', '/orders')).body).toEqual({ orders: [] });
    const { status, body } = await ask('POST', '/orders', spec);
    expect([status, body]).toEqual([201, { id: expect.any(String), ...spec, waiting: [] }]);
    const order = `/orders/${String(body['id'])}`;
    for (const name of ['a', 'b', 'c']) await client.create(namespace, { metadata: { name } });
    const event = (name: string) => ({ type: 'ADDED', name, watcher: { path: '/api/v1/namespaces', controller: '' } });
    expect((await ask('GET', order)).body).toMatchObject({ waiting: ['a', 'b', 'c'].map(event) });
    expect((await ask('GET', '/pending')).body).toMatchObject({
      held: [{ path: '/api/v1/namespaces', events: 3 }],
      text: expect.stringContaining('3 events are held back'),
    });
    expect((await ask('POST', `${order}/release`)).body).toMatchObject({ released: [event('a')] });
    await expect.poll(() => seen).toEqual(['ADDED a']);
    expect((await ask('POST', `${order}/release`, { events: 'all' })).body).toMatchObject({
      released: ['b', 'c'].map(event),
    });
    await expect.poll(() => seen).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
    await client.delete(namespace, 'a');
    expect((await ask('DELETE', order)).status).toBe(200);
    await expect.poll(() => seen.at(-1)).toBe('MODIFIED a');
    watch.close();
    await reading;
    expect(await ask('POST', '/orders/seed', { seed: 7 })).toEqual({ status: 200, body: { orders: [] } });
  });

  it('steps through controllers, lets the server settle and moves its clock', async () => {
    expect((await ask('POST', '/settle')).body).toEqual({ settled: true });
    const hold = await ask('POST', '/orders', { controllers: 'service-account-*', action: { type: 'hold' } });
    const order = `/orders/${String(hold.body['id'])}`;
    await client.create(namespace, { metadata: { name: 'shop' } });
    expect((await ask('POST', '/settle', { failures: 'ignore', timeout: 3000 })).body).toEqual({ settled: true });
    expect((await ask('GET', order)).body['waiting']).toContainEqual({
      controller: 'service-account-controller',
      key: 'shop',
    });
    expect((await ask('POST', `${order}/step`, { key: 'shop' })).body).toEqual({
      step: { controller: 'service-account-controller', key: 'shop' },
    });
    expect((await ask('POST', `${order}/step`, { key: 'shop' })).body).toEqual({ step: null });
    expect(await client.get(serviceAccount, 'default', { namespace: 'shop' })).toMatchObject({
      metadata: { creationTimestamp: '2030-01-01T00:00:00Z' },
    });
    await ask('DELETE', '/orders');
    expect((await ask('GET', '/clock')).body).toEqual({ now: '2030-01-01T00:00:00.000Z' });
    expect((await ask('POST', '/clock', { advance: 3_600_000 })).body).toEqual({ now: '2030-01-01T01:00:00.000Z' });
    // Ten years would fire tens of millions of timers if the server settled after each.
    const years = 10 * 365 * 24 * 3_600_000;
    expect((await ask('POST', '/clock', { advance: years, settle: false })).body).toEqual({
      now: '2039-12-30T01:00:00.000Z',
    });
    expect((await ask('POST', '/settle', { clients: ['nobody'], quiet: 50, timeout: 10 })).body).toEqual({
      settled: false,
      reason: 'timeout',
      message: expect.stringContaining('did not settle within 10 ms'),
    });
  });

  it('refuses invalid orders', async () => {
    const hold = { type: 'hold' };
    const { body: given } = await ask('POST', '/orders', { watches: {}, action: { type: 'shuffle' } });
    const order = `/orders/${String(given['id'])}`;
    const mistakes: [string, unknown, number, string][] = [
      ['/orders', undefined, 400, 'either watches or controllers'],
      ['/orders', { watches: {}, controllers: 'a', action: hold }, 400, 'either watches or controllers'],
      ['/orders', { watches: {} }, 400, 'an order must have an action, one of hold, delay, shuffle'],
      ['/orders', { watches: {}, action: { type: 'hold', milliseconds: 1 } }, 400, 'unknown member milliseconds'],
      ['/orders', { watches: {}, action: { type: 'delay' } }, 400, 'must be a number of milliseconds, not undefined'],
      ['/orders', { watches: { users: 'x' }, action: hold }, 400, 'did you mean "user"?'],
      ['/orders', { watches: 7, action: hold }, 400, 'a matcher must be an object'],
      ['/orders', { controllers: 7, action: hold }, 400, 'controllers: names must be a string'],
      ['/orders', { watchs: {}, action: hold }, 400, 'did you mean "watches"?'],
      ['/orders', [], 400, 'the body must be a JSON object'],
      [`${order}/release`, {}, 404, 'the test kit has no POST'],
      [`${order}/step`, {}, 404, 'the test kit has no POST'],
      ['/orders/99/step', {}, 404, 'there is no order 99'],
      ['/settle', { clients: 7 }, 400, 'clients must be a list'],
      ['/settle', { timeout: 1e9 }, 400, 'timeout must be a number of milliseconds, at most 60000'],
      ['/settle', { failures: 'x' }, 400, 'failures must be reject or ignore'],
      ['/clock', { advance: -1 }, 400, 'advance must be a number of milliseconds'],
      ['/clock', {}, 400, 'advance must be a number of milliseconds'],
      ['/clock', { advance: 32 * 86_400_000 }, 400, 'send "settle": false'],
      ['/clock', { advance: 1, settle: 'no' }, 400, 'settle must be true or false'],
    ];
    for (const [path, body, status, message] of mistakes)
      expect([path, await ask('POST', path, body)]).toEqual([
        path,
        { status, body: { message: expect.stringContaining(message) } },
      ]);
    for (const [method, path] of [
      ['PUT', '/orders'],
      ['GET', '/orders/1/2/3'],
      ['DELETE', '/pending'],
      ['GET', '/settle'],
      ['PUT', '/clock'],
    ] as const)
      expect((await ask(method, path)).status).toBe(404);
    expect(await ask('POST', '/orders/seed', { seed: 'x' })).toMatchObject({ status: 400 });
    await ask('DELETE', '/orders');
  });

  it('is required for a clock and controllers that only tests advance', async () => {
    const errors = async (...flags: string[]) => {
      let printed = '';
      const write = (part: string) => (printed += part);
      await run(flags, { stdout: { write }, stderr: { write }, signal: new AbortController().signal });
      return printed;
    };
    expect(await errors('--test-clock=2030-01-01T00:00:00Z')).toContain('--test-clock needs --test-kit');
    expect(await errors('--test-steps')).toContain('--test-steps needs --test-kit');
    expect(await errors('--test-kit', '--test-clock=soon')).toContain('--test-clock must be a time such as');
  });

  it('keeps a bounded number of faults', async () => {
    const spec = { match: { name: 'x' }, action: { type: 'refuse' }, optional: true };
    for (let i = 0; i < 1000; i++) await ask('POST', '/faults', spec);
    expect(await ask('POST', '/faults', spec)).toMatchObject({ status: 429 });
  });

  it('accepts everyone with the secret, but no browser', async () => {
    const refused: [Record<string, string>, number][] = [
      [{ authorization: '' }, 401],
      [{ authorization: `Bearer ${'x'.repeat(kit.secret.length)}` }, 401],
      [{ authorization: kit.secret }, 401],
      [{ host: 'example.com' }, 403],
      [{ origin: 'http://example.com' }, 403],
      [{ 'sec-fetch-site': 'none' }, 403],
    ];
    for (const [headers, status] of refused) {
      const { status: answered, body } = await ask('GET', '/faults', undefined, headers);
      expect([answered, JSON.stringify(body)]).toEqual([status, expect.not.stringContaining(kit.secret)]);
    }
    const { port } = new URL(kit.url);
    expect((await ask('GET', '/faults', undefined, { host: `localhost:${port}` })).status).toBe(200);
    expect(kit.text()).toContain(`Test kit: ${kit.url}`);
    expect(kit.text()).not.toContain(kit.secret);
  });

  it('requires a server of this package', async () => {
    await expect(openTestKit({})).rejects.toThrow('the test kit requires a server that this package created');
  });
});
