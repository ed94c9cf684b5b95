import { describe, expect, it } from 'vitest';
import { remoteClient } from '../../src/client/remote/remote-client.js';
import { isExpired, isForbidden } from '../../src/index.js';
import type { Fetch } from '../../src/meta/fetch.js';
import { configMap } from '../../src/resources/core/index.js';
import { createFakeClock } from '../../src/testing/index.js';

type Line = object | 'lost';
/** The behaviour of one connection: a failure, or events until it ends or is lost. */
type Connection = { status: number; body: object } | readonly Line[];

const map = (name: string, resourceVersion: number, data = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: String(resourceVersion) },
  data,
});
const added = (name: string, version: number) => ({ type: 'ADDED', object: map(name, version) });
const modified = (name: string, version: number) => ({ type: 'MODIFIED', object: map(name, version) });
const deleted = (name: string, version: number) => ({ type: 'DELETED', object: map(name, version) });
const bookmark = (resourceVersion: number, annotations = {}) => ({
  type: 'BOOKMARK',
  object: {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { resourceVersion: String(resourceVersion), annotations },
  },
});
const failure = (code: number, reason: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason,
});

/** Returns a client of a server that responds with these connections in order, and the requests of the client. */
async function clientOf(...connections: readonly Connection[]) {
  const asked: URLSearchParams[] = [];
  const clock = createFakeClock();
  const fetch: Fetch = async (url, { signal }) => {
    asked.push(new URL(url).searchParams);
    const connection = connections[asked.length - 1];
    if (!connection) return new Response(new ReadableStream({ start: (c) => endWith(signal, c) }));
    if ('status' in connection) return Response.json(connection.body, { status: connection.status });
    const lines = [...connection];
    return new Response(
      new ReadableStream({
        pull(controller) {
          const next = lines.shift();
          if (next === undefined) controller.close();
          else if (next === 'lost') controller.error(new Error('ECONNRESET'));
          else controller.enqueue(new TextEncoder().encode(`${JSON.stringify(next)}\n`));
        },
      }),
    );
  };
  const client = await remoteClient({ server: 'https://server', dialect: 'k8s', fetch, clock });
  return { client, asked, clock };
}

function endWith(signal: AbortSignal, controller: ReadableStreamDefaultController): void {
  signal.addEventListener('abort', () => controller.error(signal.reason));
}

/** Returns the events of a watch as lines while time passes. The watch is closed after `count` events. */
async function follow(
  { client, clock }: Awaited<ReturnType<typeof clientOf>>,
  options: object,
  count: number,
): Promise<string[]> {
  const seen: string[] = [];
  const watch = client.watch(configMap, { namespace: 'default', ...options });
  const going = setInterval(() => clock.advance(60_000), 1);
  try {
    for await (const { type, object } of watch) {
      seen.push(`${type} ${object.metadata.name ?? ''}@${object.metadata.resourceVersion}`);
      if (seen.length === count) break;
    }
    return seen;
  } finally {
    clearInterval(going);
  }
}

describe('a watch of a remote server', () => {
  it('continues from the last version when its connection is lost or ends', async () => {
    const server = await clientOf([modified('a', 11), 'lost'], [deleted('a', 12)], [added('b', 13)]);
    expect(await follow(server, { resourceVersion: '10' }, 3)).toEqual(['MODIFIED a@11', 'DELETED a@12', 'ADDED b@13']);
    expect(server.asked.map((each) => each.get('resourceVersion'))).toEqual(['10', '11', '12']);
  });

  it('continues from a bookmark, which it returns only to callers that request bookmarks', async () => {
    const server = await clientOf([bookmark(50), 'lost'], [added('b', 51)]);
    expect(await follow(server, { resourceVersion: '10' }, 1)).toEqual(['ADDED b@51']);
    expect(server.asked.map((each) => each.get('resourceVersion'))).toEqual(['10', '50']);
    const other = await clientOf([bookmark(50), added('b', 51)]);
    expect(await follow(other, { allowWatchBookmarks: true }, 2)).toEqual(['BOOKMARK @50', 'ADDED b@51']);
  });

  it('retries while the server does not respond or is unhealthy', async () => {
    const unwell = { status: 503, body: failure(503, 'ServiceUnavailable') };
    const inside = { type: 'ERROR', object: failure(500, 'InternalError') };
    const server = await clientOf([added('a', 1), modified('a', 2), inside], unwell, unwell, [modified('a', 3)]);
    expect(await follow(server, {}, 3)).toEqual(['ADDED a@1', 'MODIFIED a@2', 'MODIFIED a@3']);
    expect(server.asked).toHaveLength(4);
  });

  it('requests the initial state again if it was incomplete, and sends the changes in between', async () => {
    const server = await clientOf(
      [added('a', 1), added('b', 2), added('c', 3), 'lost'],
      [added('a', 1), added('c', 5), added('d', 4), bookmark(9)],
      [modified('a', 10)],
    );
    expect(await follow(server, {}, 7)).toEqual([
      'ADDED a@1',
      'ADDED b@2',
      'ADDED c@3',
      'MODIFIED c@5',
      'ADDED d@4',
      'DELETED b@2',
      'MODIFIED a@10',
    ]);
    expect(server.asked.map((each) => each.get('resourceVersion'))).toEqual([null, null, '9']);
  });

  it('recognizes the end of the initial state by its annotation', async () => {
    const end = bookmark(9, { 'k8s.io/initial-events-end': 'true' });
    const server = await clientOf([added('a', 1), 'lost'], [added('a', 1), end, 'lost'], [modified('a', 10)]);
    const options = { sendInitialEvents: true, allowWatchBookmarks: true };
    expect(await follow(server, options, 3)).toEqual(['ADDED a@1', 'BOOKMARK @9', 'MODIFIED a@10']);
    expect(server.asked.map((each) => each.get('sendInitialEvents'))).toEqual(['true', 'true', null]);
    expect(server.asked.map((each) => each.get('resourceVersionMatch'))).toEqual([
      'NotOlderThan',
      'NotOlderThan',
      null,
    ]);
  });

  it('fails if retrying does not help: an expired version, or a lost permission', async () => {
    const gone = { type: 'ERROR', object: failure(410, 'Expired') };
    await expect(follow(await clientOf([modified('a', 2), gone]), {}, 9)).rejects.toSatisfy(isExpired);
    const later = await clientOf([modified('a', 2)], { status: 410, body: failure(410, 'Expired') });
    await expect(follow(later, {}, 9)).rejects.toSatisfy(isExpired);
    const refused = await clientOf([modified('a', 2)], { status: 403, body: failure(403, 'Forbidden') });
    await expect(follow(refused, {}, 9)).rejects.toSatisfy(isForbidden);
    const unknown = await clientOf(['lost']);
    await expect(follow(unknown, { sendInitialEvents: false }, 9)).rejects.toSatisfy(isExpired);
  });

  it('is refused at once if the first request is', async () => {
    const { client } = await clientOf({ status: 403, body: failure(403, 'Forbidden') });
    await expect(client.watch(configMap, {}).opened()).rejects.toSatisfy(isForbidden);
  });

  it('ends after its timeout, over all connections', async () => {
    const server = await clientOf([modified('a', 2)], [modified('a', 3)]);
    expect(await follow(server, { timeoutSeconds: 30 }, 9)).toEqual(['MODIFIED a@2']);
    expect(server.asked.map((each) => each.get('timeoutSeconds'))).toEqual(['30']);
  });

  it('fails for an event beyond the maximum length before the event is complete', async () => {
    const text = 'x'.repeat(1024 * 1024);
    const long = (mebibytes: number) => ({ ...added('a', 1), text: text.repeat(mebibytes) });
    expect(await follow(await clientOf([long(15)]), {}, 1)).toEqual(['ADDED a@1']);
    const message = 'the server sent a watch event of more than 16777216 characters';
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent++ < 30) controller.enqueue(new TextEncoder().encode(text));
        else controller.error(new Error('the test sends no more'));
      },
    });
    const client = await remoteClient({
      server: 'https://server',
      dialect: 'k8s',
      fetch: async () => new Response(body),
    });
    await expect(follow({ client, asked: [], clock: createFakeClock() }, {}, 1)).rejects.toThrow(message);
    expect(sent).toBeLessThan(20);
  });

  it('treats a response that is not a watch as a lost connection', async () => {
    const server = await clientOf([modified('a', 2), { type: 'NEWS', object: {} }], [modified('a', 3)]);
    expect(await follow(server, {}, 2)).toEqual(['MODIFIED a@2', 'MODIFIED a@3']);
  });
});

describe('a remote client', () => {
  it("repeats a request when the server's Retry-After says so", async () => {
    let times = 0;
    const clock = createFakeClock();
    const fetch: Fetch = async () =>
      ++times < 3 ? new Response('busy', { status: 429, headers: { 'retry-after': '2' } }) : Response.json(map('a', 1));
    const client = await remoteClient({ server: 'https://server', fetch, clock });
    const going = setInterval(() => clock.advance(2000), 1);
    expect(await client.get(configMap, 'a', { namespace: 'default' })).toEqual(map('a', 1));
    clearInterval(going);
    expect(times).toBe(3);
  });

  it('reports every failure as an error of the API, whatever responds', async () => {
    const client = async (answer: () => Response) =>
      (await remoteClient({ server: 'https://server/', fetch: async () => answer() })).get(configMap, 'a', {
        namespace: 'default',
      });
    await expect(client(() => new Response('oops', { status: 404 }))).rejects.toMatchObject({
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
    });
    await expect(client(() => new Response('<html>'))).rejects.toThrow('the response is not JSON');
    await expect(client(() => Response.json([1]))).rejects.toThrow('the response is not an object');
    await expect(
      client(() => {
        throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
      }),
    ).rejects.toThrow('Get "https://server/api/v1/namespaces/default/configmaps/a": connect ECONNREFUSED');
    await expect(remoteClient({ server: 'ftp://server' })).rejects.toThrow('must be a URL of http or https');
  });

  it('discovers the kinds that the server serves, and their changes', async () => {
    const clock = createFakeClock();
    let resources = [{ resource: 'configmaps' }, { resource: 'unheard-of' }];
    const fetch: Fetch = async (url, { headers }) => {
      expect(headers['accept']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
      const items = url.endsWith('/api') ? [{ metadata: {}, versions: [{ version: 'v1', resources }] }] : [];
      return Response.json({ kind: 'APIGroupDiscoveryList', items });
    };
    const client = await remoteClient({ server: 'https://server', dialect: 'k8s', fetch, clock });
    expect(client.resources().length).toBeGreaterThan(20);
    let changes = 0;
    const stop = client.onResourcesChange(() => changes++);
    const names = () => client.resources().map(({ gvr }) => gvr.resource);
    await expect.poll(names).toEqual(['configmaps']);
    resources = [{ resource: 'configmaps' }, { resource: 'secrets' }];
    clock.advance(30_000);
    await expect.poll(names).toEqual(['configmaps', 'secrets']);
    expect(changes).toBe(2);
    stop();
  });
});
