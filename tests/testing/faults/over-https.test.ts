import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request } from 'node:https';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteClient } from '../../../src/exports/client.js';
import { type Listener, listen } from '../../../src/http/index.js';
import { type ApiServer, configMap, isExpired, namespace } from '../../../src/index.js';
import { createFakeClock, type Faults, injectFaults } from '../../../src/testing/index.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const MAPS = '/api/v1/namespaces/default/configmaps';
const made = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

const RESET = 'the stream was reset';

interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
  /** The error with which the connection or the stream broke; undefined if it did not. */
  readonly broken: string | undefined;
}

let server: ApiServer;
let faults: Faults;
let listener: Listener;
let credentials: { readonly cert: string; readonly key: string; readonly ca: string };
const clock = createFakeClock();

beforeEach(async () => {
  server = await startServer({ dialect: 'k8s', clock, certificates: { root: false }, controllers: [] });
  listener = await listen(server);
  const { certificate, key } = await server.issueClientCertificate({ username: 'jane', groups: ['system:masters'] });
  credentials = { cert: certificate, key, ca: listener.certificateAuthority ?? '' };
  // Faults are injected while the server is already serving requests.
  faults = injectFaults(server);
});
afterEach(async () => {
  faults.clear();
  await listener.close();
  await server.close();
});

const stored = async () => (await faults.observer().list(configMap, where)).items.map(({ metadata }) => metadata.name);

/** Sends a request over an HTTP/1.1 connection. */
function ask1(method: string, path: string, body?: object): Promise<Answer> {
  return new Promise((resolve) => {
    const answer = { status: undefined as number | undefined, headers: {}, body: '', broken: undefined };
    const options = { ...credentials, method, agent: false, headers: { 'content-type': 'application/json' } };
    const outgoing = request(`${listener.url}${path}`, options, (response) => {
      answer.status = response.statusCode;
      answer.headers = response.headers;
      response.on('data', (chunk: Buffer) => (answer.body += chunk.toString()));
      response.on('end', () => resolve(answer));
      response.on('error', ({ message }) => resolve({ ...answer, broken: message }));
    });
    outgoing.on('error', ({ message }) => resolve({ ...answer, broken: message }));
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends a request over an HTTP/2 stream. */
function ask2(session: ClientHttp2Session, method: string, path: string, body?: object): Promise<Answer> {
  return new Promise((resolve) => {
    const answer = { status: undefined as number | undefined, headers: {}, body: '', broken: undefined };
    const stream = session.request({ ':method': method, ':path': path, 'content-type': 'application/json' });
    stream.on('response', (headers) => {
      answer.status = headers[':status'];
      answer.headers = headers;
    });
    stream.on('data', (chunk: Buffer) => (answer.body += chunk.toString()));
    stream.on('error', () => {});
    stream.on('close', () => resolve({ ...answer, broken: stream.rstCode === 0 ? undefined : RESET }));
    stream.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe.each(['HTTP/1.1', 'HTTP/2'])('faults over %s', (protocol) => {
  let session: ClientHttp2Session | undefined;
  const ask = async (method: string, path: string, body?: object) => {
    if (protocol === 'HTTP/1.1') return await ask1(method, path, body);
    if (!session) {
      session = connect(listener.url, credentials);
      await once(session, 'connect');
    }
    return await ask2(session, method, path, body);
  };
  afterEach(() => {
    session?.destroy();
    session = undefined;
  });

  it('returns errors with Retry-After', async () => {
    faults.on({ user: 'jane', verb: 'list' }).answer(429, { retryAfter: 3 });
    const { status, headers, body } = await ask('GET', MAPS);
    expect([status, headers['retry-after'], JSON.parse(body).reason]).toEqual([429, '3', 'TooManyRequests']);
    faults.on({ resource: 'configmaps', name: 'a', verb: 'get' }).answer(409);
    expect(JSON.parse((await ask('GET', `${MAPS}/a`)).body).details).toEqual({ name: 'a', kind: 'configmaps' });
  });

  it('breaks the connection before the execution, or after it, without a byte of the response', async () => {
    const lost = protocol === 'HTTP/2' ? RESET : 'socket hang up';
    faults.on({ verb: 'create' }).refuse();
    expect(await ask('POST', MAPS, made('undone'))).toMatchObject({ status: undefined, broken: lost });
    expect(await stored()).toEqual([]);
    faults.on({ verb: 'create' }).loseAnswer();
    expect(await ask('POST', MAPS, made('done'))).toMatchObject({ status: undefined, broken: lost });
    expect(await stored()).toEqual(['done']);
    // The fault of one request does not affect other requests of the same client.
    expect((await ask('GET', MAPS)).status).toBe(200);
  });

  it('breaks the connection after some bytes, at the end of a short response', async () => {
    const whole = (await ask('GET', MAPS)).body;
    for (const bytes of [1, 50, whole.length, whole.length + 1000]) {
      faults.on({ verb: 'list' }).cut(bytes);
      const { status, body, broken } = await ask('GET', MAPS);
      expect([status, body, broken === undefined]).toEqual([200, whole.slice(0, bytes), false]);
    }
    faults.on({ verb: 'watch' }).cut(20);
    const cut = ask('GET', `${MAPS}?watch=1&resourceVersion=0`);
    await expect.poll(() => faults.openWatches()).toHaveLength(1);
    await faults.observer().create(configMap, made('a'), where);
    expect(await cut).toMatchObject({ body: '{"type":"ADDED","obj' });
  });

  it('ends watches, in each of the forms', async () => {
    for (const [how, form] of [
      ['timeout', 'application/json'],
      ['expired', 'application/json'],
      ['lost', 'application/json'],
    ] as const) {
      const watching = ask('GET', `${MAPS}?watch=1&resourceVersion=0`);
      await expect.poll(() => faults.openWatches({ user: 'jane' })).toHaveLength(1);
      faults.on({ verb: 'watch', user: 'jane' }).endWatch(how);
      const { status, headers, body, broken } = await watching;
      expect([status, headers['content-type']]).toEqual([200, form]);
      expect(broken === undefined).toBe(how !== 'lost');
      expect(body === '' ? body : JSON.parse(body)).toEqual(
        how === 'expired' ? { type: 'ERROR', object: expect.objectContaining({ code: 410, reason: 'Expired' }) } : '',
      );
    }
  });

  it('partitions one client until the partition heals', async () => {
    const watching = ask('GET', `${MAPS}?watch=1&resourceVersion=0&timeoutSeconds=100`);
    await expect.poll(() => faults.openWatches()).toHaveLength(1);
    const partition = faults.on({ user: 'jane' }).partition();
    const creating = ask('POST', MAPS, made('late'));
    await expect.poll(() => partition.fired).toBe(2);
    clock.advance(100_000);
    expect(await stored()).toEqual([]);
    partition.end();
    expect((await creating).status).toBe(201);
    expect((await watching).broken).toBeUndefined();
  });

  it('serves stale reads', async () => {
    const { resourceVersion = '' } = (await faults.observer().create(configMap, made('a'), where)).metadata;
    await faults.observer().delete(configMap, 'a', where);
    faults.on({ verb: 'list' }).stale({ resourceVersion });
    const { body } = await ask('GET', MAPS);
    expect(JSON.parse(body)).toMatchObject({ metadata: { resourceVersion }, items: [{ metadata: { name: 'a' } }] });
    expect(JSON.parse((await ask('GET', MAPS)).body).items).toEqual([]);
  });
});

describe('the typed client over HTTP', () => {
  const connected = () =>
    remoteClient({
      server: 'https://server',
      dialect: 'k8s',
      clock,
      fetch: async (url, { method, headers, body, signal }) => {
        const init = { method, headers, signal, ...(body === undefined ? {} : { body }) };
        const user = { username: 'jane', groups: ['system:masters'] };
        return await server.fetch(new Request(url, init), { user });
      },
    });

  it('repeats requests when Retry-After says so, and reports a lost response', async () => {
    const client = await connected();
    faults.on({ verb: 'list' }).answer(429, { retryAfter: 7 });
    const before = clock.pendingTimers;
    const listing = client.list(namespace);
    await expect.poll(() => clock.pendingTimers).toBeGreaterThan(before);
    clock.advance(7_000);
    expect((await listing).items.length).toBeGreaterThan(0);
    faults.on({ verb: 'create' }).loseAnswer();
    await expect(client.create(configMap, made('a'), where)).rejects.toThrow(
      'Post "https://server/api/v1/namespaces/default/configmaps": the connection was lost',
    );
    expect(await stored()).toEqual(['a']);
  });

  it('continues a watch that ended or was lost, and gives up one that expired', async () => {
    const client = await connected();
    const watch = await client.watch(configMap, { ...where, resourceVersion: '0' }).opened();
    const seen: (string | undefined)[] = [];
    const following = (async () => {
      for await (const { object } of watch) seen.push(object.metadata.name);
    })();
    for (const how of ['timeout', 'lost'] as const) {
      const end = faults.on({ verb: 'watch' }).endWatch(how);
      await end.arrived({ timeout: 60_000 });
      await faults.observer().create(configMap, made(how), where);
      const moved = () => {
        clock.advance(2_000);
        return seen;
      };
      await expect.poll(moved).toContain(how);
    }
    faults.on({ verb: 'watch' }).endWatch('expired');
    await expect(following).rejects.toSatisfy(isExpired);
    expect(seen).toEqual(['timeout', 'lost']);
  });
});
