import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.js';
import { fetchFrom, requestsTo } from '../support/ask.js';
import { openServer } from '../support/servers.js';

// Watches as clients of `orch` see them (spec 4.10 to 4.15, 19.24).
const MAPS = '/api/v1/namespaces/default/configmaps';
const INITIAL = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
let server: ApiServer;
const { get, post, merge, remove } = requestsTo(() => server);
let clock: FakeClock;
beforeAll(async () => {
  clock = createFakeClock();
  server = await openServer({ dialect: 'orch', clock, featureGates: { WatchList: true } });
  for (const name of ['a', 'b']) await create(name);
});
afterEach(async () => {
  const { items } = (await get(MAPS)).value;
  for (const { metadata } of items as { metadata: { name: string } }[])
    if (!['a', 'b'].includes(metadata.name)) await remove(`${MAPS}/${metadata.name}`);
});
afterAll(() => server.close());
const create = async (name: string) => (await post(MAPS, { metadata: { name } })).value;
const version = async (): Promise<string> => (await get(`${MAPS}?limit=1`)).value.metadata.resourceVersion;

interface Event {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly code?: number;
    readonly metadata: { readonly name?: string; readonly resourceVersion?: string; readonly annotations?: object };
  };
}
/** A watch whose events are read one by one. */
async function watch(query: string) {
  const response = await fetchFrom(server, `${MAPS}?watch=1&${query}`);
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const text = new TextDecoder();
  let read = '';
  return {
    response,
    async next(count: number): Promise<Event[]> {
      while (read.split('\n').length <= count) {
        const { value, done } = await reader.read();
        if (done) break;
        read += text.decode(value, { stream: true });
      }
      const lines = read.split('\n');
      read = lines.slice(count).join('\n');
      return lines
        .slice(0, count)
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    close: () => reader.cancel(),
  };
}
const brief = (events: readonly Event[]) =>
  events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim());

describe('a watch', () => {
  it('is a stream of documents with an event type and an object', async () => {
    const { response, next, close } = await watch(`resourceVersion=${await version()}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const made = await create('x');
    const label = { metadata: { labels: { a: 'b' } } };
    await merge(`${MAPS}/x`, label);
    await remove(`${MAPS}/x`);
    const events = await next(3);
    expect(brief(events)).toEqual(['ADDED x', 'MODIFIED x', 'DELETED x']);
    expect(events[0]).toEqual({ type: 'ADDED', object: made });
    expect(Object.keys(events[1] ?? {})).toEqual(['type', 'object']);
    await close();
  });

  it('begins with the current state if no version, or version 0, is requested', async () => {
    for (const query of ['', 'resourceVersion=0']) {
      const { next, close } = await watch(query);
      expect(brief(await next(2))).toEqual(['ADDED a', 'ADDED b']);
      await create('new');
      expect(brief(await next(1))).toEqual(['ADDED new']);
      await close();
      await remove(`${MAPS}/new`);
    }
  });

  it('continues where another one ended', async () => {
    const first = await watch(`resourceVersion=${await version()}`);
    await create('one');
    const [{ object } = { object: undefined }] = await first.next(1);
    await first.close();
    await create('two');
    const second = await watch(`resourceVersion=${object?.metadata.resourceVersion}`);
    expect(brief(await second.next(1))).toEqual(['ADDED two']);
    await second.close();
  });

  it('of an expired version gets an error event', async () => {
    const before = await version();
    await create('three');
    clock.advance(6 * 60_000);
    await create('four');
    const { response, next, close } = await watch(`resourceVersion=${before}`);
    expect(response.status).toBe(200);
    expect(await next(1)).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
    await close();
  });

  it('of a future version sends nothing until its end', async () => {
    const { response, next } = await watch('resourceVersion=99999999&timeoutSeconds=1');
    expect(response.status).toBe(200);
    const waiting = next(1);
    clock.advance(1000);
    expect(await waiting).toEqual([]);
  });

  it('has bookmarks if requested: a version, and nothing else of an object', async () => {
    const now = await version();
    const asked = await watch(`resourceVersion=${now}&allowWatchBookmarks=true`);
    const plain = await watch(`resourceVersion=${now}`);
    clock.advance(120_000);
    const [first] = await asked.next(1);
    await create('marked');
    expect(first).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: expect.stringMatching(/^\d+$/), creationTimestamp: null },
      },
    });
    expect(brief(await plain.next(1))).toEqual(['ADDED marked']);
    await asked.close();
    await plain.close();
  });

  it('ends after the requested number of seconds', async () => {
    const { next } = await watch(`resourceVersion=${await version()}&timeoutSeconds=5`);
    let ended = false;
    const end = next(1).then(() => (ended = true));
    clock.advance(4_999);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(ended).toBe(false);
    clock.advance(1);
    await end;
  });
});

describe('initial events', () => {
  it('are all objects, then a bookmark that marks their end, then changes', async () => {
    const list = await get(MAPS);
    const count = list.value.items.length;
    for (const from of ['', `&resourceVersion=${list.value.metadata.resourceVersion}`, '&resourceVersion=']) {
      const { next, close } = await watch(`${INITIAL}&allowWatchBookmarks=true${from}`);
      const events = await next(count + 1);
      expect(events.slice(0, -1).every(({ type }) => type === 'ADDED')).toBe(true);
      const last = events.at(-1);
      expect(last?.type).toBe('BOOKMARK');
      expect(last?.object.metadata.annotations).toEqual({ 'orch.io/initial-events-end': 'true' });
      expect(Number(last?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(
        Number(list.value.metadata.resourceVersion),
      );
      await create('after');
      expect(brief(await next(1))).toEqual(['ADDED after']);
      await close();
      await remove(`${MAPS}/after`);
    }
  });

  it('require resourceVersionMatch and the gate', async () => {
    const statusOf = async (of: ApiServer, query: string) => {
      const response = await fetchFrom(of, `${MAPS}?watch=1&timeoutSeconds=1&${query}`);
      await response.body?.cancel();
      return response.status;
    };
    expect(await statusOf(server, 'sendInitialEvents=true')).toBeGreaterThanOrEqual(400);
    expect(await statusOf(server, 'sendInitialEvents=true&resourceVersionMatch=Exact')).toBeGreaterThanOrEqual(400);
    await using plain = await openServer({ dialect: 'orch' });
    expect(await statusOf(plain, INITIAL)).toBe(400);
  });

  it('wait for the version that they must have', async () => {
    const wanted = Number(await version()) + 2;
    const opening = watch(`${INITIAL}&allowWatchBookmarks=true&resourceVersion=${wanted}`);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    for (const name of ['awaited-1', 'awaited-2']) await create(name);
    const { response, next, close } = await opening;
    expect(response.status).toBe(200);
    const events = await next((await get(MAPS)).value.items.length + 1);
    expect(brief(events)).toEqual(expect.arrayContaining(['ADDED awaited-1', 'ADDED awaited-2']));
    expect([events.at(-1)?.type, Number(events.at(-1)?.object.metadata.resourceVersion)]).toEqual(['BOOKMARK', wanted]);
    await close();
  });
});
