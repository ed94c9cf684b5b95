import type { EtcdClient } from './client.js';
import { RANGE, REMOVED, type WatchEvent } from './messages.js';
import { isFuture } from './problems.js';

/** What a member's history is compared with. */
export interface KnownHistory {
  readonly client: EtcdClient;
  readonly clusterId: bigint | undefined;
  /** The last event that was reported; undefined when there was none. */
  readonly last: WatchEvent | undefined;
}

/** How a member's history differs from the one that was reported. */
export type HistoryProblem = string | undefined;

/**
 * Asks the member of a new stream whether the last event that was reported is part of its history. It is not when the member has lost it in a
 * crash, or when it has another history than the member before (etcd 13766, 14370, 14685, 17780). Revisions alone do not show that once they
 * have grown again: the next writes get the revisions of those that were lost.
 * @returns what is wrong with the history, for the operator; undefined when nothing is, or when the member cannot be asked
 */
export async function problemOfHistory({ client, clusterId, last }: KnownHistory): Promise<HistoryProblem> {
  const { key, modRevision: revision = 0 } = last?.kv ?? {};
  if (key === undefined || revision === 0) return undefined;
  const problem = `revision ${revision}, which it had reported, is not part of its history: restart the server`;
  try {
    const { header, kvs = [] } = await client.call(RANGE, { key, revision });
    if (header?.clusterId !== clusterId) return 'a member belongs to another cluster than the others';
    const expected = last?.type === REMOVED ? undefined : revision;
    return kvs[0]?.modRevision === expected ? undefined : problem;
  } catch (error) {
    // A revision that was compacted was there. When the connection was lost, the next stream is verified.
    return isFuture(error) ? problem : undefined;
  }
}
