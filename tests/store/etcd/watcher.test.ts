import { afterEach, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../src/meta/clock.js';
import { EtcdClient } from '../../../src/store/etcd/client.js';
import { rangeOfPrefix } from '../../../src/store/etcd/key-range.js';
import { watchRequest, watchResponse } from '../../../src/store/etcd/messages.js';
import { nativeHttp2 } from '../../../src/store/etcd/native-http2.js';
import { Watcher } from '../../../src/store/etcd/watcher.js';
import { decode } from '../../../src/store/etcd/wire.js';
import { type FakeStream, startFakeEtcd } from '../../support/fake-etcd.js';

const utf8 = new TextEncoder();
const event = (key: string, modRevision: number) => ({ kv: { key: utf8.encode(key), modRevision } });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a watcher on a fake etcd, and records what it reports. */
async function watch(from: number, trusted = true) {
  const streams: FakeStream[] = [];
  const requests: object[] = [];
  const fake = await startFakeEtcd((stream) => {
    streams.push(stream);
    stream.onMessage((message) => requests.push(decode(watchRequest, message)));
  });
  const client = new EtcdClient({ endpoints: [fake.endpoint], http2: nativeHttp2(), clock });
  const reported: string[] = [];
  const range = rangeOfPrefix('/a/');
  const watcher = new Watcher({
    client,
    clock,
    ...range,
    log: () => {},
    observer: {
      events: (events) =>
        void reported.push(events.map(({ kv }) => `${new TextDecoder().decode(kv?.key)}@${kv?.modRevision}`).join(' ')),
      progressed: (revision) => {
        reported.push(`progress ${revision}`);
        return trusted;
      },
      created: () => {},
      compacted: () => void reported.push('compacted'),
    },
  });
  closing.push(
    () => fake[Symbol.asyncDispose](),
    () => client.close(),
    () => watcher.close(),
  );
  watcher.start(from);
  /** Returns the stream with this number once its watch is created. */
  const created = async (number: number): Promise<FakeStream> => {
    await expect.poll(() => requests.filter((each) => 'create' in each).length).toBe(number);
    const stream = streams[number - 1] as FakeStream; // the stream has sent its request, so it exists
    stream.send(watchResponse, { created: true, header: { revision: 1 } });
    return stream;
  };
  return { watcher, streams, requests, reported, created, range };
}

describe('a watcher', () => {
  it('begins after a revision, with all required options', async () => {
    const { requests, created, streams, range } = await watch(41);
    await created(1);
    expect(requests).toEqual([{ create: { ...range, startRevision: 41, progressNotify: true, fragment: true } }]);
    expect(streams[0]?.headers['hasleader']).toBe('true');
  });
  it('reports events, and continues after them on another stream', async () => {
    const { created, reported, requests } = await watch(1);
    const first = await created(1);
    first.send(watchResponse, { events: [event('/a/1', 2), event('/a/2', 3)] });
    await expect.poll(() => reported).toEqual(['/a/1@2 /a/2@3']);
    first.native.session?.destroy();
    const second = await created(2);
    expect(requests.at(-1)).toMatchObject({ create: { startRevision: 3 } });
    second.send(watchResponse, { events: [event('/a/2', 3), event('/a/1', 4)] });
    await expect.poll(() => reported).toEqual(['/a/1@2 /a/2@3', '/a/1@4']);
  });
  it('holds the last revision of a fragment until it is complete', async () => {
    const { created, reported, requests } = await watch(1);
    const first = await created(1);
    first.send(watchResponse, { fragment: true, events: [event('/a/1', 2), event('/a/2', 3)] });
    await expect.poll(() => reported).toEqual(['/a/1@2']);
    first.send(watchResponse, { fragment: true, events: [event('/a/3', 3), event('/a/1', 5)] });
    await expect.poll(() => reported).toEqual(['/a/1@2', '/a/2@3 /a/3@3']);
    // The rest of revision 5 is lost with the stream, so the watcher requests the whole revision again.
    first.native.session?.destroy();
    const second = await created(2);
    expect(requests.at(-1)).toMatchObject({ create: { startRevision: 3 } });
    second.send(watchResponse, { events: [event('/a/3', 3), event('/a/1', 5), event('/a/2', 5)] });
    await expect.poll(() => reported.at(-1)).toBe('/a/1@5 /a/2@5');
  });
  it('requests progress once its stream is open, and reports the notification', async () => {
    const { watcher, created, reported, requests } = await watch(1);
    watcher.requestProgress();
    const first = await created(1);
    await expect.poll(() => requests.at(-1)).toEqual({ progress: {} });
    first.send(watchResponse, { watchId: -1, header: { revision: 9 } });
    await expect.poll(() => reported).toEqual(['progress 9']);
    first.native.session?.destroy();
    await created(2);
    expect(requests.at(-1)).toMatchObject({ create: { startRevision: 9 } });
  });
  it('stops when events are lost, until it is started again', async () => {
    const { watcher, created, reported, requests } = await watch(1);
    const first = await created(1);
    first.send(watchResponse, { canceled: true, compactRevision: 20 });
    await expect.poll(() => reported).toEqual(['compacted']);
    watcher.start(25);
    await created(2);
    expect(requests.at(-1)).toMatchObject({ create: { startRevision: 25 } });
    expect(watcher.problem).toBeUndefined();
  });
  it('reports why it has no stream, and retries', async () => {
    const { watcher, created } = await watch(1);
    const first = await created(1);
    first.send(watchResponse, { canceled: true, cancelReason: 'etcdserver: permission denied' });
    await expect.poll(() => watcher.problem).toBe('etcdserver: permission denied');
    const second = await created(2);
    second.send(watchResponse, { events: [event('/a/1', 2)] });
    await expect.poll(() => watcher.problem).toBeUndefined();
  });
});
