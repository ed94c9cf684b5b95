import type { CoreApiServer } from '../../server/core-api-server.js';
import type { ServerSnapshot } from '../../server/server-snapshot.js';
import { StoreError } from '../../store/storage.js';
import { diff } from '../../testing/index.js';
import { type KitAnswer, type KitRoutes, members, problem } from './kit-routes.js';

/**
 * The maximum number of snapshots that exist at once, because each snapshot keeps objects in memory that have been replaced in the server
 * since.
 */
const MAX_SNAPSHOTS = 100;

/**
 * Serves the state of a server. `snapshots`: POST takes a snapshot, GET lists all or reads one, DELETE deletes one or all, POST to
 * `restore` restores the server to one. `rewind`: POST restores the server to a revision of its history. `diff`: POST returns the
 * differences between two snapshots, or between a snapshot and the server.
 */
export function stateRoutes(server: CoreApiServer): readonly (readonly [name: string, routes: KitRoutes])[] {
  const byId = new Map<string, ServerSnapshot>();
  let last = 0;
  let change: Promise<unknown> = Promise.resolve();

  /** Runs an action after all earlier actions have ended, so that no action runs while the server is being restored. */
  function inTurn(act: () => KitAnswer | Promise<KitAnswer>): Promise<KitAnswer> {
    const turn = change.then(act).catch((error: unknown) => {
      if (error instanceof StoreError) return problem(400, error.message);
      throw error;
    });
    change = turn.catch(() => {});
    return turn;
  }

  function take(body: unknown): KitAnswer {
    const { revision } = members(body, ['revision']);
    if (byId.size >= MAX_SNAPSHOTS)
      return problem(429, `there are already ${MAX_SNAPSHOTS} snapshots: remove them with DELETE /snapshots`);
    const snapshot = server.snapshot(revision === undefined ? undefined : readRevision(revision));
    byId.set(String(++last), snapshot);
    return { status: 201, body: snapshotDocument(String(last), snapshot) };
  }

  /** Returns the snapshot with the id in a member of the body. @throws TypeError for a value that is not the id of a snapshot. */
  function findSnapshot(member: string, id: unknown): ServerSnapshot {
    const snapshot = typeof id === 'string' ? byId.get(id) : undefined;
    if (snapshot) return snapshot;
    throw new TypeError(
      `${member} must be the id of a snapshot${typeof id === 'string' ? `, and there is no snapshot ${id}` : ''}`,
    );
  }

  async function restore(id: string, snapshot: ServerSnapshot): Promise<KitAnswer> {
    await server.restore(snapshot);
    return { status: 200, body: snapshotDocument(id, snapshot) };
  }

  async function rewind(body: unknown): Promise<KitAnswer> {
    const revision = readRevision(members(body, ['revision'])['revision']);
    await server.rewind(revision);
    return { status: 200, body: { revision } };
  }

  async function compare(body: unknown): Promise<KitAnswer> {
    const { before, after, bookkeeping = false } = members(body, ['before', 'after', 'bookkeeping']);
    if (typeof bookkeeping !== 'boolean') throw new TypeError('bookkeeping must be true or false');
    const later = after === undefined ? server : findSnapshot('after', after);
    return { status: 200, body: await diff(findSnapshot('before', before), later, { bookkeeping }) };
  }

  const snapshots: KitRoutes = (method, [id, what, ...more], body) => {
    if (more.length > 0) return undefined;
    if (id === undefined) {
      if (method === 'POST') return inTurn(() => take(body));
      if (method === 'DELETE') byId.clear();
      return method === 'GET' || method === 'DELETE'
        ? { status: 200, body: { snapshots: [...byId].map((entry) => snapshotDocument(...entry)) } }
        : undefined;
    }
    const snapshot = byId.get(id);
    if (!snapshot) return problem(404, `there is no snapshot ${id}`);
    if (what !== undefined) {
      if (method !== 'POST' || what !== 'restore') return undefined;
      members(body, []);
      return inTurn(() => restore(id, snapshot));
    }
    if (method === 'DELETE') byId.delete(id);
    return method === 'GET' || method === 'DELETE' ? { status: 200, body: snapshotDocument(id, snapshot) } : undefined;
  };
  const only =
    (act: (body: unknown) => Promise<KitAnswer>): KitRoutes =>
    (method, rest, body) =>
      method === 'POST' && rest.length === 0 ? inTurn(() => act(body)) : undefined;
  return [
    ['snapshots', snapshots],
    ['rewind', only(rewind)],
    ['diff', only(compare)],
  ];
}

const snapshotDocument = (id: string, { revision }: ServerSnapshot) => ({ id, revision });

/** Parses a revision, which is a string in objects and a number in snapshots. @throws TypeError for any other value. */
function readRevision(value: unknown): number {
  const revision = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof revision === 'number' && Number.isSafeInteger(revision) && revision > 0) return revision;
  throw new TypeError('revision must be the resourceVersion of an object or a snapshot, at least 1');
}
