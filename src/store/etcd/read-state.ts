import { awaitedTimer, type Clock } from '../../meta/clock.js';
import type { BackendRecord, BackendState } from '../backend.js';
import type { EtcdClient } from './client.js';
import { encodeFrame } from './frames.js';
import { type EtcdRange, keyAfter } from './key-range.js';
import { type KeyValue, RANGE, REMOVED, WATCH_PATH, type WatchEvent, watchRequest, watchResponse } from './messages.js';
import { EtcdError, isCompacted, isFuture, mayPass, UNAVAILABLE } from './problems.js';
import { decode } from './wire.js';

/** The parameters of a read: the client, the range of keys, and the mapping to the store's keys. */
export interface Reading {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly range: EtcdRange;
  fromEtcd(key: string): string | undefined;
}

/** The intended size of a page in bytes, the number of keys on the first page, and the maximum number of keys on a page. */
const PAGE_BYTES = 4 * 1024 * 1024;
const FIRST_PAGE_KEYS = 100;
const MAX_PAGE_KEYS = 10_000;
/** The maximum number of attempts to read a state that is compacted while it is read. */
const ATTEMPTS = 5;
/** Milliseconds within which etcd must refuse a watch of a compacted revision. */
const PROBE_TIMEOUT = 5_000;
const NOTHING = new Uint8Array(0);
const fromUtf8 = new TextDecoder();

/**
 * Reads a past state, from which watches can resume, and returns it with the newest revision.
 * @param history the number of revisions to go back, if etcd still has them
 * @throws EtcdError
 */
export async function readWithHistory(
  reading: Reading,
  history: number,
): Promise<{ readonly state: BackendState<Uint8Array>; readonly newest: number }> {
  const { key } = reading.range;
  const { header } = await reading.client.call(RANGE, { key, countOnly: true });
  const newest = header?.revision ?? 0;
  if (history <= 0) return { state: await readState(reading), newest };
  const wanted = Math.max(1, newest - history);
  try {
    return { state: await readAt(reading, wanted), newest };
  } catch (error) {
    if (!isCompacted(error)) throw error;
  }
  try {
    return { state: await readAt(reading, await compactRevisionOf(reading, wanted)), newest };
  } catch (error) {
    // The past state was compacted in the meantime, or the connection was lost. The newest state is read instead, so that the start does
    // not take longer. Clients then list again, because they cannot resume their watches.
    if (!isCompacted(error) && !mayPass(error)) throw error;
    return { state: await readState(reading), newest };
  }
}

/** Reads the newest state. @throws EtcdError */
export async function readState(reading: Reading): Promise<BackendState<Uint8Array>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAt(reading, 0);
    } catch (error) {
      // While the pages were read, the revision of the first page was compacted or the connection was lost. The read begins anew.
      if (attempt >= ATTEMPTS || !(isCompacted(error) || mayPass(error))) throw error;
    }
  }
}

/** Reads the state at a revision, page by page. Revision 0 means the newest. */
async function readAt({ client, range, fromEtcd }: Reading, at: number): Promise<BackendState<Uint8Array>> {
  const entries: BackendRecord<Uint8Array>[] = [];
  const { rangeEnd } = range;
  let { key } = range;
  let revision = at;
  for (let limit = FIRST_PAGE_KEYS; ; ) {
    const { header, kvs = [], more = false } = await client.call(RANGE, { key, rangeEnd, limit, revision });
    if (revision === 0) revision = header?.revision ?? 0;
    for (const each of kvs) {
      const record = recordOf(each, fromEtcd);
      if (record !== undefined) entries.push(record);
    }
    if (!more) return { compactRevision: revision, entries, events: [] };
    key = keyAfter(kvs.at(-1)?.key ?? key);
    const bytes = kvs.reduce((sum, { value }) => sum + (value?.length ?? 0), 1);
    limit = Math.max(1, Math.min(MAX_PAGE_KEYS, Math.floor((limit * PAGE_BYTES) / bytes), limit * 10));
  }
}

function recordOf(
  { key: etcdKey = NOTHING, value = NOTHING, modRevision: revision = 0, createRevision = 0 }: KeyValue,
  fromEtcd: Reading['fromEtcd'],
): BackendRecord<Uint8Array> | undefined {
  const key = fromEtcd(fromUtf8.decode(etcdKey));
  return key === undefined ? undefined : { type: 'put', key, value: value.slice(), revision, createRevision };
}

/**
 * Returns the revision up to which etcd has compacted its history. `before` must already be compacted, because etcd returns this revision
 * only when it refuses a watch from a compacted one.
 */
async function compactRevisionOf({ client, clock }: Reading, before: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    const cancel = awaitedTimer(clock, () => ended(), PROBE_TIMEOUT, 'oldest revision of etcd');
    const ended = () => {
      cancel();
      reject(new EtcdError(UNAVAILABLE, 'etcd did not return the oldest revision'));
      stream.then(({ close }) => close(), reject);
    };
    const message = (bytes: Uint8Array) => {
      const { canceled, compactRevision = 0 } = decode(watchResponse, bytes);
      if (!canceled) return;
      resolve(compactRevision);
      ended();
    };
    const create = { key: Uint8Array.of(0), startRevision: before };
    const stream = client.stream(WATCH_PATH, { message, ended }, {});
    stream.then(({ send }) => send(encodeFrame(watchRequest, { create })), ended);
  });
}

/** What an etcd member must have in common with the members that were connected before: the cluster, and the last reported event. */
export interface KnownHistory {
  readonly client: EtcdClient;
  readonly clusterId: bigint | undefined;
  /** The last event that was reported; undefined when there was none. */
  readonly last: WatchEvent | undefined;
}

/**
 * Checks with the member of a new stream whether its history contains the last reported event. The member may have lost the event in a
 * crash, or have another history than the previous member (etcd 13766, 14370, 14685, 17780). The current revision alone does not show that:
 * it grows again, and the next writes get the revisions of the lost ones.
 * @returns what is wrong with the history, for the operator; undefined when nothing is wrong or the member cannot be reached
 */
export async function problemOfHistory({ client, clusterId, last }: KnownHistory): Promise<string | undefined> {
  const { key, modRevision: revision = 0 } = last?.kv ?? {};
  if (key === undefined || revision === 0) return undefined;
  const problem = `revision ${revision}, which it had reported, is not part of its history: restart the server`;
  try {
    const { header, kvs = [] } = await client.call(RANGE, { key, revision });
    if (header?.clusterId !== clusterId) return 'a member belongs to another cluster than the others';
    const expected = last?.type === REMOVED ? undefined : revision;
    return kvs[0]?.modRevision === expected ? undefined : problem;
  } catch (error) {
    // A member that has compacted the revision had it, so nothing is wrong. If the connection was lost, the history is checked when the
    // next stream opens.
    return isFuture(error) ? problem : undefined;
  }
}
