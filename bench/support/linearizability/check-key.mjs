/**
 * Checks that the operations on one key could have happened one after the other, each at one moment between its call and its response.
 *
 * In general, linearizability of a register requires a search (Wing and Gong; Lowe). Here the storage reports the order in which the
 * versions of the key were written, and only one operation wrote each value, so the search rarely has a choice: an operation that changes
 * nothing is placed where it first fits, because it leaves the state unchanged, and the next change is the one that the storage reports.
 * Only deletions write no value, so it may be unknown which of them removed a version. The check is exact, and nearly linear in its input.
 *
 * @param versions `{ revision, value }` in the order of the storage; the value of a deletion is undefined. Before the first one the key is absent.
 * @param operations `{ kind, start, end, outcome, value, expected, revision }`: the kind is create, put, patch, delete or get; the outcome ok,
 * exists, missing, conflict or unknown; `expected` is the version in the precondition, `revision` the one in the response. A get that
 * is derived from a list has the number of the version that it read as `index`.
 * @returns the violations, as text
 */
export function checkKey(versions, operations) {
  const values = versions.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const twice = values.find((value, index) => values.indexOf(value) < index);
  if (twice !== undefined) return [`twice: ${twice} is stored as two versions`];
  const problems = [];
  const placeOf = new Map(versions.flatMap(({ value }, index) => (value === undefined ? [] : [[value, index]])));
  const relevant = [];
  for (const operation of operations) {
    const { kind, outcome, value, revision } = operation;
    const writes = kind === 'create' || kind === 'put' || kind === 'patch';
    const place = writes ? placeOf.get(value) : undefined;
    if (writes && outcome === 'ok' && place === undefined)
      problems.push(`lost: ${say(operation)} was acknowledged, and is no version of the key`);
    else if (writes && outcome === 'ok' && versions[place].revision !== revision)
      problems.push(`wrong version: ${say(operation)} is stored as ${versions[place].revision}`);
    else if (writes && outcome !== 'ok' && outcome !== 'unknown' && place !== undefined)
      problems.push(`refused and done: ${say(operation)} is stored as ${versions[place].revision}`);
    // A write without a response that became no version was not executed; a read without a response has no information.
    if (outcome === 'unknown' && kind !== 'delete' && place === undefined) continue;
    relevant.push({ ...operation, end: outcome === 'unknown' ? Number.POSITIVE_INFINITY : operation.end, place });
  }
  return problems.length > 0 ? problems : place(versions, relevant);
}

/**
 * Orders the operations, and goes back to the last choice between deletions if an order is impossible.
 * @returns the first obstacle of the first order, if no other order is possible
 */
function place(versions, operations) {
  const facts = {
    versions,
    byStart: [...operations].sort((a, b) => a.start - b.start),
    byEnd: [...operations].sort((a, b) => a.end - b.end),
    writer: new Map(operations.flatMap((each) => (each.place === undefined ? [] : [[each.place, each]]))),
  };
  const choices = [{ placed: new Set(), open: new Set(), nextStart: 0, nextEnd: 0, index: 0 }];
  let problem;
  for (let tried = 0; choices.length > 0; tried++) {
    if (tried === MOST_CHOICES) return [`not decided: ${problem}`];
    const found = follow(facts, choices.pop(), (other) => choices.push(other));
    if (found === undefined) return [];
    problem ??= found;
  }
  return [problem];
}

/** The number of orders of deletions that are tried. Histories without violations need a few. */
const MOST_CHOICES = 10_000;

/**
 * Goes on from a partial order.
 * @param keep takes the partial order that another choice would have made
 * @returns what is in the way; undefined if nothing is
 */
function follow({ versions, byStart, byEnd, writer }, partial, keep) {
  const { placed, open } = partial;
  let { nextStart, nextEnd, index } = partial;
  const state = () => (index === 0 ? ABSENT : versions[index - 1]);
  const apply = (change) => {
    placed.add(change);
    open.delete(change);
    index++;
  };
  if (partial.change) apply(partial.change);
  for (;;) {
    while (nextEnd < byEnd.length && placed.has(byEnd[nextEnd])) nextEnd++;
    const first = byEnd[nextEnd];
    // What is answered first of all that is left ends the time in which the others may begin.
    const limit = first?.end ?? Number.POSITIVE_INFINITY;
    while (nextStart < byStart.length && byStart[nextStart].start <= limit) open.add(byStart[nextStart++]);
    let moved = false;
    for (const each of open) {
      if (!fits(each, state(), index)) continue;
      placed.add(each);
      open.delete(each);
      moved = true;
    }
    if (moved) continue;
    if (index === versions.length) break;
    const next = versions[index];
    const [change, other] = next.value === undefined ? deletionsIn(open, state()) : [writer.get(index)];
    const mayCome = byStart.slice(nextStart).some((each) => (change ? each === change : isDone(each, 'delete')));
    if (mayCome) return `stale: ${say(first)} was over before ${change ? say(change) : 'the next deletion'} began`;
    if (change === undefined) return `not written: no operation made ${sayState(next)} as ${next.revision}`;
    const problem = refusalOf(change, state());
    if (problem !== undefined) return `${problem}: ${say(change)} when the key was ${sayState(state())}`;
    if (other) keep({ placed: new Set(placed), open: new Set(open), nextStart, nextEnd, index, change: other });
    apply(change);
  }
  const left = byEnd.find((each) => !placed.has(each) && each.end !== Number.POSITIVE_INFINITY);
  return left && `no place: ${say(left)} fits no version of the key in its time`;
}

const ABSENT = { revision: 0, value: undefined };

/** Whether an operation that changes nothing could have had its answer in a state. */
function fits({ kind, outcome, expected, revision, value, index: seen }, state, index) {
  const isThere = state.value !== undefined;
  if (seen !== undefined) return seen === index;
  switch (outcome) {
    case 'ok':
      return kind === 'get' && isThere && state.revision === revision && state.value === value;
    case 'missing':
      return !isThere;
    case 'exists':
      return isThere;
    case 'conflict':
      return expected !== undefined && isThere && state.revision !== expected;
    default:
      return false;
  }
}

/**
 * Returns the deletions that may have removed a state, the likeliest first, at most two. One that was answered and has a precondition has
 * no other place. Without a precondition, the one that must be answered first is as good as any other. One with a precondition and without
 * an answer has no other place either, but need not have one, so both have to be tried.
 */
function deletionsIn(open, state) {
  const fitting = [...open].filter(
    (each) => isDone(each, 'delete') && (each.expected === undefined || each.expected === state.revision),
  );
  const conditional = fitting.filter(({ expected }) => expected !== undefined);
  const answered = conditional.find(({ outcome }) => outcome === 'ok');
  if (answered) return [answered];
  const [first] = fitting.filter(({ expected }) => expected === undefined).sort((a, b) => a.end - b.end);
  return [first, conditional[0]].filter((each) => each !== undefined);
}

/** Whether an operation is of a kind and may have been carried out. */
const isDone = ({ kind, outcome }, wanted) => kind === wanted && (outcome === 'ok' || outcome === 'unknown');

/** Returns why a change could not have been made of a state. */
function refusalOf({ kind, expected }, state) {
  const isThere = state.value !== undefined;
  if (kind === 'create') return isThere ? 'created twice' : undefined;
  if (!isThere) return 'came back';
  return expected !== undefined && expected !== state.revision ? 'lost update' : undefined;
}

const sayState = ({ revision, value }) => (value === undefined ? 'absent' : `${value} of ${revision}`);

function say({ kind, value, expected, outcome, revision, start, end, index }) {
  const what = [kind, value ?? '', expected === undefined ? '' : `if ${expected}`, `-> ${outcome}`, revision ?? ''];
  const seen = index === undefined ? '' : ` (version ${index} in a list)`;
  return `${what.filter((word) => word !== '').join(' ')}${seen} [${start.toFixed(1)}, ${Number(end).toFixed(1)}]`;
}
