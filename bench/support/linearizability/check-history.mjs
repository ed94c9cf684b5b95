import { checkKey } from './check-key.mjs';

/**
 * Checks all responses and events of several servers on one storage.
 * @param history.versions `{ key, revision, value }` of all keys, in the order of the storage
 * @param history.operations as in {@link checkKey}, with their `key`; lists have `revision`, `items` and whether they are `fresh`
 * @param history.watchers `{ name, from, until, events }`: the events `{ type, key, revision, value }` after one version up to another
 * @returns the violations, as text
 */
export function checkHistory({ versions, operations, watchers }) {
  const byKey = byKeys(versions);
  const keys = new Set([...byKey.keys(), ...operations.flatMap(({ key }) => (key === undefined ? [] : [key]))]);
  const perKey = byKeys(operations.filter(({ kind }) => kind !== 'list'));
  const problems = [];
  for (const list of operations.filter(({ kind, outcome }) => kind === 'list' && outcome === 'ok')) {
    problems.push(...checkList(list, byKey));
    if (!list.fresh) continue;
    // A list of the newest state is a read of every key.
    for (const key of keys) {
      const index = (byKey.get(key) ?? []).filter(({ revision }) => revision <= list.revision).length;
      const { start, end } = list;
      const reads = perKey.get(key) ?? [];
      reads.push({ kind: 'get', key, start, end, outcome: 'ok', index });
      perKey.set(key, reads);
    }
  }
  for (const key of keys)
    for (const problem of checkKey(byKey.get(key) ?? [], perKey.get(key) ?? [])) problems.push(`${key}: ${problem}`);
  problems.push(...checkOrder(operations));
  for (const watcher of watchers) problems.push(...checkWatch(versions, watcher));
  return problems;
}

/** Checks that a list is the state of all keys at its version. */
function checkList({ revision, items, fresh }, byKey) {
  const problems = [];
  const found = new Map(items.map((item) => [item.key, item]));
  const name = `a list ${fresh ? 'of the newest state' : 'that may be old'} at ${revision}`;
  if (found.size !== items.length) problems.push(`list: ${name} has an object twice`);
  for (const [key, versions] of byKey) {
    const there = versions.findLast((each) => each.revision <= revision);
    const item = found.get(key);
    found.delete(key);
    if (there?.value !== item?.value || (item !== undefined && item.revision !== there.revision))
      problems.push(`list: ${name} has ${say(item)} for ${key}, which was ${say(there)}`);
  }
  for (const key of found.keys()) problems.push(`list: ${name} has ${key}, which was never stored`);
  return problems;
}

/** Checks that versions grow with time: a request that begins after a response has a greater version, or reads at least that one. */
function checkOrder(operations) {
  const answered = operations.filter(
    ({ kind, outcome, revision, fresh }) => outcome === 'ok' && revision !== undefined && (kind !== 'list' || fresh),
  );
  const byEnd = [...answered].sort((a, b) => a.end - b.end);
  const problems = [];
  let next = 0;
  let newest = 0;
  for (const each of answered.sort((a, b) => a.start - b.start)) {
    for (; next < byEnd.length && byEnd[next].end < each.start; next++) newest = Math.max(newest, byEnd[next].revision);
    const { kind, key, revision } = each;
    if (kind === 'list' ? revision < newest : kind !== 'get' && revision <= newest)
      problems.push(`backwards: ${kind} ${key ?? ''} has version ${revision} after ${newest} was answered`);
  }
  return problems;
}

/** Checks that a watch receives each version once, unchanged and in order. */
function checkWatch(versions, { name, from, until, events }) {
  const expected = [];
  const present = new Set();
  for (const { key, revision, value } of versions) {
    const type = value === undefined ? 'DELETED' : present.has(key) ? 'MODIFIED' : 'ADDED';
    if (value === undefined) present.delete(key);
    else present.add(key);
    // The event of a deletion has the last value, which is not compared.
    if (revision > from && revision <= until) expected.push(`${type} ${key} ${revision} ${value ?? ''}`);
  }
  const seen = events.map(
    ({ type, key, revision, value }) => `${type} ${key} ${revision} ${type === 'DELETED' ? '' : value}`,
  );
  for (let i = 0; i < Math.max(expected.length, seen.length); i++) {
    if (expected[i] === seen[i]) continue;
    const repeated = seen[i] !== undefined && seen.indexOf(seen[i]) < i;
    return [
      `watch: ${name} saw ${seen[i] ?? 'nothing'}${repeated ? ' again' : ''} instead of ${expected[i] ?? 'nothing'}, its event ${i + 1} of ${expected.length}`,
    ];
  }
  return [];
}

const say = (version) => (version?.value === undefined ? 'absent' : `${version.value} of ${version.revision}`);

function byKeys(all) {
  const found = new Map();
  for (const each of all) {
    const group = found.get(each.key);
    if (group) group.push(each);
    else found.set(each.key, [each]);
  }
  return found;
}
