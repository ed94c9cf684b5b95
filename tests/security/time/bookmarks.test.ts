import { describe, expect, it } from 'vitest';
import type { ByteStream } from '../../../src/requests/api-request.js';
import { configMap } from '../../../src/resources/core/index.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { createFakeRandom } from '../../../src/testing/fake-random.js';
import { send } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';

// A client with a bookmark that is older than its last event would receive known changes again after it reconnects.
const where = { namespace: 'default' };

async function openWatch(query = '') {
  const clock = createFakeClock();
  const server = await openServer({ clock, random: createFakeRandom(1), featureGates: { WatchList: true } });
  const { body } = await send(server, {
    path: '/api/v1/namespaces/default/configmaps',
    query: `watch=1&allowWatchBookmarks=true${query}`,
  });
  if (body.type !== 'stream') throw new Error('a watch is a stream');
  const create = (name: string) =>
    server.client().create(configMap, { metadata: { name, labels: { first: name.slice(0, 1) } } }, where);
  return { server, clock, stream: body.stream, create };
}

const text = new TextDecoder();

/** Type and version of the events in some chunks. */
function eventsIn(chunks: readonly Uint8Array[]): [type: string, version: number][] {
  return chunks.map((line) => {
    const { type, object } = JSON.parse(text.decode(line));
    return [type, Number(object.metadata.resourceVersion)];
  });
}

/** Those of all that waits. */
function eventsOf(stream: ByteStream): [type: string, version: number][] {
  const told: [string, number][] = [];
  for (let part = stream.take(); part.length > 0; part = stream.take()) told.push(...eventsIn(part));
  return told;
}

const inOrder = (events: [string, number][]) => [...events].sort((a, b) => a[1] - b[1]);

describe('a bookmark that is due before changes, and read after them', () => {
  it('is sent after them with their version', async () => {
    const { server, clock, stream, create } = await openWatch();
    eventsOf(stream);
    clock.advance(60_000);
    for (const name of ['a', 'b', 'c']) await create(name);
    const told = eventsOf(stream);
    expect(told.map(([type]) => type)).toEqual(['ADDED', 'ADDED', 'ADDED', 'BOOKMARK']);
    expect(told.at(-1)?.[1]).toBe(told.at(-2)?.[1]);
    await server.close();
  });
  it('is not older than changes that a filtered watch does not send', async () => {
    const { server, clock, stream, create } = await openWatch('&labelSelector=first%3Da');
    eventsOf(stream);
    clock.advance(60_000);
    for (const name of ['a', 'b', 'c']) await create(name);
    const newest = await create('d');
    const told = eventsOf(stream);
    expect(told.map(([type]) => type)).toEqual(['ADDED', 'BOOKMARK']);
    expect(told.at(-1)?.[1]).toBe(Number(newest.metadata.resourceVersion));
    await server.close();
  });
  it('never goes back for a reader that is thousands of changes behind', async () => {
    const { server, clock, stream, create } = await openWatch(
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    );
    const told: [string, number][] = [];
    for (let n = 0; n < 2500; n++) {
      if (n % 500 === 0) clock.advance(60_000);
      if (n % 700 === 0) told.push(...eventsIn(stream.take()));
      await create(`${'abc'[n % 3]}-${n}`);
    }
    told.push(...eventsOf(stream));
    expect(told).toEqual(inOrder(told));
    expect(told.filter(([type]) => type === 'BOOKMARK').length).toBeGreaterThan(0);
    await server.close();
  });
});
