import { describe, expect, it } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { functionSink } from '../../src/audit/audit-sink.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import type { AdmissionPluginFactory } from '../../src/exports/admission.js';
import { ApiServer, configMap } from '../../src/index.js';
import { createFakeClock } from '../../src/testing/index.js';
import { fetchFrom } from '../support/ask.js';
import { startServer } from '../support/servers.js';

const MAPS = '/api/v1/namespaces/default/configmaps';

/** Starts a server with a fake clock. The creation of an object called `slow` waits for `go` in admission. */
async function slowServer(options: ApiServerOptions = {}) {
  const clock = createFakeClock();
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  let go = () => {};
  const gone = new Promise<void>((resolve) => (go = resolve));
  const slow: AdmissionPluginFactory = () => ({
    name: 'slow',
    handles: ({ operation, name }) => operation === 'CREATE' && name === 'slow',
    validate: () => {
      reach();
      return gone;
    },
  });
  const server = await startServer({
    dialect: 'k8s',
    clock,
    admission: (defaults) => [...defaults, slow],
    authentication: [anonymous()],
    authorization: [alwaysAllow()],
    ...options,
  });
  const get = async (path: string, accept = 'application/json') => {
    const response = await fetchFrom(server, path, { headers: { accept } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const post = (name: string) => fetchFrom(server, MAPS, { method: 'POST', body: { metadata: { name } } });
  return { clock, server, get, post, reached, go };
}

describe('the shutdown of a server', () => {
  it('begins with /readyz, and everything else is served for a while', async () => {
    const { clock, server, get } = await slowServer({ shutdown: { delay: 5_000 } });
    expect(await get('/readyz')).toMatchObject({ status: 200 });
    let closed = false;
    const closing = server.close().then(() => (closed = true));
    expect((await get('/readyz')).text).toContain('[-]shutdown failed: reason withheld');
    expect(await get('/readyz/shutdown')).toMatchObject({
      status: 500,
      text: 'internal server error: process is shutting down\n',
    });
    expect(await get('/livez')).toMatchObject({ status: 200 });
    clock.advance(4_999);
    expect(await get(MAPS)).toMatchObject({ status: 200 });
    expect(closed).toBe(false);
    clock.advance(1);
    await closing;
    await expect(get(MAPS)).rejects.toThrow('the server is closed: create a new one');
  });

  it('completes requests in flight, and refuses new ones', async () => {
    const { server, get, post, reached, go } = await slowServer({ browsers: { strictTransportSecurity: 'max-age=7' } });
    const slow = post('slow');
    await reached;
    const closing = server.close();
    await Promise.resolve();
    await expect.poll(async () => (await get(MAPS)).status).toBe(503);
    const refused = await get(MAPS);
    expect(JSON.parse(refused.text)).toMatchObject({
      reason: 'ServiceUnavailable',
      message: 'apiserver is shutting down',
    });
    expect(refused.text).toMatch(/^\{"kind":"Status","apiVersion":"v1","metadata":\{\},.*\}\n\n$/);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache, private',
      'strict-transport-security': 'max-age=7',
    });
    // The shutdown does not wait for watches.
    const watch = await fetchFrom(server, `${MAPS}?watch=true`);
    expect(watch.status).toBe(200);
    await watch.body?.cancel();
    expect(await get('/livez')).toMatchObject({ status: 200, text: 'ok' });
    go();
    expect((await slow).status).toBe(201);
    await closing;
  });

  it('returns 429 if configured, until all requests are completed', async () => {
    const events: unknown[] = [];
    const { server, get, post, reached, go } = await slowServer({
      shutdown: { sendRetryAfter: true },
      browsers: { strictTransportSecurity: 'max-age=7' },
      metrics: true,
      audit: {
        policy: { rules: [{ level: 'Metadata' }] },
        sinks: [
          functionSink((all) => void events.push(...all.map(({ responseStatus }) => responseStatus?.code)), {
            mode: 'blocking',
          }),
        ],
      },
    });
    const slow = post('slow');
    await reached;
    let drained = false;
    const draining = server.drain().then(() => (drained = true));
    await expect.poll(async () => (await get(MAPS)).status).toBe(429);
    const refused = await get(MAPS);
    expect(refused.text).toBe('The apiserver is shutting down, please try again later.\n');
    expect([refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual(['5', 'close']);
    for (const absent of ['cache-control', 'strict-transport-security'])
      expect(refused.headers.has(absent)).toBe(false);
    expect((await get('/readyz')).status).toBe(500);
    // Only requests beyond the limits are counted as refused, and only requests that are served have events.
    expect((await get('/metrics')).text).not.toContain('code="429"');
    expect(events).not.toContain(429);
    expect(drained).toBe(false);
    go();
    expect((await slow).status).toBe(201);
    await draining;
    // The stored objects can still be saved.
    expect(await server.save()).toContain('slow');
    await server.close();
  });

  it.each([
    ['/metrics', {}, 200],
    ['/livez?verbose', {}, 200],
    ['/healthz?verbose', {}, 200],
    ['/readyz?verbose&exclude=shutdown', {}, 200],
    [MAPS, { 'user-agent': 'kube-apiserver/v1.31.0' }, 200],
    [MAPS, { 'user-agent': 'kube-apiserver' }, 429],
    [MAPS, { 'user-agent': 'foo' }, 429],
    [`${MAPS}?watch=true`, { 'user-agent': 'foo' }, 429],
  ])('returns %s of %j meanwhile with %d', async (path, headers, status) => {
    const { server, post, reached, go } = await slowServer({ shutdown: { sendRetryAfter: true }, metrics: true });
    const slow = post('slow');
    await reached;
    const closing = server.close();
    await expect.poll(async () => (await fetchFrom(server, MAPS)).status).toBe(429);
    const answer = await fetchFrom(server, path, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '5' : null);
    expect(answer.headers.get('connection')).toBe(status === 429 ? 'close' : null);
    await answer.text();
    go();
    await slow;
    await closing;
  });

  it('waits a bounded time', async () => {
    const { clock, server, post, reached } = await slowServer({ shutdown: { grace: 1_000 } });
    void post('slow').catch(() => {});
    await reached;
    const closing = server.close();
    await expect.poll(() => clock.pendingTimers).toBeGreaterThan(1);
    clock.advance(1_000);
    await closing;
  });

  it('ends watches cleanly', async () => {
    const { server } = await slowServer();
    const watch = server.client().watch(configMap, { namespace: 'default' });
    await watch.opened();
    const events: unknown[] = [];
    const read = (async () => {
      for await (const event of watch) events.push(event);
    })();
    await server.close();
    await read.catch(() => {});
  });
});

describe('/livez', () => {
  it('checks the objects of the start only after its grace period', async () => {
    const texts: string[] = [];
    const clock = createFakeClock();
    const look = async () => {
      for (const path of ['livez', 'readyz']) {
        const response = await fetchFrom(server, `/${path}`);
        texts.push(`${path} ${response.status}`);
      }
    };
    const looks: AdmissionPluginFactory = () => ({
      name: 'looks',
      handles: ({ operation, name }) => operation === 'CREATE' && name === 'kube-system',
      validate: async () => {
        await look();
        clock.advance(2_000);
        await look();
        clock.advance(1);
        await look();
      },
    });
    const server: ApiServer = new ApiServer({
      clock,
      livezGracePeriod: 2_000,
      admission: (defaults) => [...defaults, looks],
      authentication: [anonymous()],
      authorization: [alwaysAllow()],
    });
    await server.start();
    expect(texts).toEqual(['livez 200', 'readyz 500', 'livez 200', 'readyz 500', 'livez 500', 'readyz 500']);
    await look();
    expect(texts.slice(-2)).toEqual(['livez 200', 'readyz 200']);
    await server.close();
  });
});
