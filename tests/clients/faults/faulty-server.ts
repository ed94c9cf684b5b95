import { expect } from 'vitest';
import { memory } from '../../../src/exports/storage.js';
import { type Listener, listen } from '../../../src/http/index.js';
import { type ApiServer, type ApiServerOptions, type ConfigMap, configMap } from '../../../src/index.js';
import {
  createFakeClock,
  type Faults,
  injectFaults,
  type RequestLog,
  recordRequests,
} from '../../../src/testing/index.js';
import { startServer } from '../../support/servers.js';

export const where = { namespace: 'default' };
/** Matches the requests of the tests' clients. */
export const MAPS = { resource: 'configmaps', namespace: 'default' };

/** A server behind HTTPS with faults, a log of its requests, and the config map `a`. */
export interface FaultyServer extends AsyncDisposable {
  readonly server: ApiServer;
  readonly listener: Listener;
  readonly faults: Faults;
  readonly requests: RequestLog;
  /** Writes a value into the config map `a`, without meeting a fault. */
  write(value: string): Promise<ConfigMap>;
  /** Returns whether a config map exists. */
  exists(name: string): Promise<boolean>;
}

export async function openFaultyServer(options: ApiServerOptions = {}): Promise<FaultyServer> {
  const server = await startServer({ dialect: 'k8s', controllers: [], ...options });
  const listener = await listen(server);
  const faults = injectFaults(server);
  const test = faults.observer();
  await test.create(configMap, { metadata: { name: 'a' } }, where);
  return {
    server,
    listener,
    faults,
    requests: recordRequests(server),
    write: (value) => test.update(configMap, 'a', (draft) => void (draft.data = { value }), where),
    exists: async (name) => (await test.list(configMap, where)).items.some(({ metadata }) => metadata.name === name),
    async [Symbol.asyncDispose]() {
      await listener.close();
      await server.close();
    },
  };
}

/**
 * Counts the lists of a client whose watch ends after the history has dropped everything that the client received, except for a bookmark.
 * @param watchUntilEnd lets the client watch the config map `a`; resolves when it has received the value `end`.
 * @param dropped whether the bookmark is dropped
 */
export async function countLists(
  watchUntilEnd: (opened: FaultyServer) => Promise<void>,
  dropped: boolean,
): Promise<{ readonly lists: number; readonly bookmarks: number }> {
  const clock = createFakeClock();
  const storage = memory({ history: { maxEvents: 5 } });
  await using opened = await openFaultyServer({ clock, storage, certificates: { root: false } });
  const { faults, requests, write } = opened;
  const watches = () => requests.filter({ ...MAPS, verb: 'watch' });
  const ended = watchUntilEnd(opened);
  await expect.poll(() => faults.openWatches(MAPS)).toHaveLength(1);
  const drop = faults.on(MAPS, { optional: true }).dropBookmarks();
  if (!dropped) drop.end();
  for (let i = 0; i < 10; i++)
    await faults.observer().create(configMap, { metadata: { name: `other-${i}`, namespace: 'kube-system' } });
  const before = watches()[0]?.watch?.events ?? 0;
  clock.advance(61_000); // A bookmark is due.
  const bookmarks = () => (dropped ? drop.fired : (watches()[0]?.watch?.events ?? 0) - before);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const sent = bookmarks();
  faults.on(MAPS).endWatch('timeout');
  await expect.poll(() => watches().length).toBeGreaterThan(1);
  await write('end');
  // A client that waits for a retry by the server's clock can continue.
  const passing = setInterval(() => clock.advance(1000), 20);
  await ended.finally(() => clearInterval(passing));
  return { lists: requests.filter({ ...MAPS, verb: 'list' }).length, bookmarks: sent };
}

/**
 * Lets a client read the config map `a` from a server that is one version behind, and returns what it read. The server's clock stands
 * still: as time passes, a server renews its lease, and would then be behind by that write.
 */
export async function readOneVersionBehind<T>(read: (opened: FaultyServer) => Promise<T>): Promise<T> {
  await using opened = await openFaultyServer({ clock: createFakeClock(), certificates: { root: false } });
  await opened.server.settle();
  await opened.write('before');
  await opened.write('after');
  opened.faults.on({ ...MAPS, verb: 'get' }).stale(1);
  const found = await read(opened);
  opened.faults.verify();
  return found;
}

let names = 0;
/** Returns a name that no other object of the file has. */
export const newName = () => `made-${++names}`;
