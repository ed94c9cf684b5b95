import { passed } from './cluster.mjs';
import { openWatch, send } from './requests.mjs';

/** The share of each kind of operation, of a hundred. */
const MIX = [
  ['create', 14],
  ['put', 12],
  ['putIf', 18],
  ['patch', 12],
  ['patchIf', 6],
  ['delete', 6],
  ['deleteIf', 6],
  ['get', 18],
  ['list', 5],
  ['oldList', 2],
  ['exactList', 1],
].flatMap(([kind, share]) => Array.from({ length: share }, () => kind));

const MERGE = 'application/merge-patch+json';
export const itemOf = ({ metadata, data }) => ({
  key: metadata.name,
  revision: Number(metadata.resourceVersion),
  value: data?.v,
});
/** Objects that the servers make by themselves are not part of the history. */
export const isOurs = (name) => /^k-/.test(name);

/**
 * One client: one operation after the other, each at any of the servers.
 * @param history `operations` takes what was done; `left` is how many there are still to do
 */
export async function runClient(id, { servers, collection, random, history, keys }) {
  /** The last version of each key that this client has seen, or an older one: preconditions that hold, and others. */
  const known = new Map();
  for (let n = 0; history.left > 0; ) {
    const { port } = random.pick(servers);
    const kind = random.pick(MIX);
    const key = `k-${random.below(keys)}`;
    const isIf = kind.endsWith('If');
    if (isIf && !known.has(key)) continue;
    history.left--;
    const value = `<${id}.${n++}>`;
    const operation = await once(kind, {
      port,
      collection,
      key,
      value,
      expected: isIf ? known.get(key) : undefined,
      history,
    });
    if (operation === undefined) {
      history.left++;
      await passed(20);
      continue;
    }
    history.operations.push(operation);
    const { outcome, revision } = operation;
    if (outcome !== 'ok' || operation.kind === 'list') continue;
    if (revision !== undefined && random.below(4) > 0) known.set(key, revision);
  }
}

/** Does one operation. Returns undefined if it was never carried out, so that it says nothing. */
async function once(kind, { port, collection, key, value, expected, history }) {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: key, ...(expected === undefined ? {} : { resourceVersion: String(expected) }) },
    data: { v: value },
  };
  const path = `${collection}/${key}`;
  const start = performance.now();
  const plain = kind.replace(/If$/, '');
  const answer = await {
    create: () => send(port, 'POST', collection, object),
    put: () => send(port, 'PUT', path, object),
    patch: () => send(port, 'PATCH', path, object, MERGE),
    delete: () =>
      send(
        port,
        'DELETE',
        path,
        expected === undefined ? {} : { preconditions: { resourceVersion: String(expected) } },
      ),
    get: () => send(port, 'GET', path),
    list: () => send(port, 'GET', collection),
    oldList: () => send(port, 'GET', `${collection}?resourceVersion=0`),
    exactList: () => send(port, 'GET', `${collection}?resourceVersion=${history.newest}&resourceVersionMatch=Exact`),
  }[plain]();
  const end = performance.now();
  const outcome = outcomeOf(plain, answer);
  if (outcome === undefined) return undefined;
  const { value: answered } = answer;
  if (/list/i.test(plain)) {
    if (outcome !== 'ok') return undefined;
    const items = answered.items.map(itemOf).filter(({ key: name }) => isOurs(name));
    const revision = Number(answered.metadata.resourceVersion);
    history.newest = Math.max(history.newest, revision);
    return { kind: 'list', fresh: plain === 'list', start, end, outcome, revision, items };
  }
  if (plain === 'get' && outcome === 'unknown') return undefined;
  const seen = outcome === 'ok' && plain !== 'delete' ? itemOf(answered) : {};
  return {
    kind: plain,
    key,
    start,
    end,
    outcome,
    expected,
    value: plain === 'get' ? seen.value : plain === 'delete' ? undefined : value,
    revision: seen.revision,
  };
}

function outcomeOf(kind, { status, value }) {
  switch (status) {
    case 200:
    case 201:
      return 'ok';
    case 404:
      return 'missing';
    case 409:
      return kind === 'create' ? 'exists' : 'conflict';
    case 0:
    case 410:
    case 429:
      return undefined;
    // The answer was lost, or the server does not know what became of the request.
    case undefined:
    case 500:
    case 503:
    case 504:
      return 'unknown';
    default:
      throw new Error(`${kind} was answered with ${status}: ${JSON.stringify(value)}`);
  }
}

/** Watches a collection from a version on, at the servers in turn if there are several, and goes on where it was after each loss. */
export function startWatcher(name, servers, collection, from, history) {
  const watcher = { name, from, until: from, events: [], expired: 0, lost: 0 };
  let turn = 0;
  let isOver = false;
  let close = () => {};
  const open = () => {
    const { port } = servers[turn++ % servers.length];
    const path = `${collection}?watch=true&allowWatchBookmarks=true&resourceVersion=${watcher.until}`;
    const lines = ({ type, object }) => {
      if (type === 'ERROR') {
        if (object.code === 410) watcher.expired++;
        return;
      }
      const item = itemOf(object);
      if (type !== 'BOOKMARK' && isOurs(item.key)) watcher.events.push({ type, ...item });
      if (item.revision < watcher.until)
        history.problems.push(`watch: ${name} saw ${item.revision} after ${watcher.until}`);
      watcher.until = item.revision;
    };
    close = openWatch(port, path, lines, () => {
      watcher.lost++;
      if (!isOver) setTimeout(() => !isOver && open(), 50);
    });
  };
  open();
  return {
    watcher,
    end() {
      isOver = true;
      close();
    },
  };
}
