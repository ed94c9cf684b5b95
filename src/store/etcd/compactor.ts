import type { Clock } from '../../meta/clock.js';
import { messageOf } from '../../values/message-of.js';
import type { EtcdClient } from './client.js';
import { COMPACT, RESULT, TARGET, TXN } from './messages.js';

const utf8 = new TextEncoder();
/** The etcd key whose version decides which API server compacts next. Upstream uses the same key. */
const COMPACT_KEY = utf8.encode('compact_rev_key');

export interface CompactorOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  /** Milliseconds between two compactions; 0 for none. */
  readonly interval: number;
  readonly log: (message: string) => void;
}

/**
 * Compacts the history of etcd, so that it covers one to two intervals. Each server tries to compact once per interval. An attempt succeeds
 * only if no other server has increased the version of {@link COMPACT_KEY} since this server's last attempt, so only one server compacts in
 * each interval.
 */
export class Compactor {
  readonly #options: CompactorOptions;
  /** The last seen version of {@link COMPACT_KEY}, and the revision of etcd at that moment. */
  #version = 0;
  #revision = 0;
  #cancel: (() => void) | undefined;

  constructor(options: CompactorOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, interval } = this.#options;
    if (interval > 0)
      this.#cancel = clock.setTimer(() => void this.#turn(), interval, false, 'next compaction of etcd');
  }

  stop(): void {
    this.#cancel?.();
    // A `#turn` that is under way finds `#cancel` changed and therefore does not schedule another turn.
    this.#cancel = undefined;
  }

  async #turn(): Promise<void> {
    const { log } = this.#options;
    const cancel = this.#cancel;
    try {
      await this.compact();
    } catch (error) {
      log(`etcd: its history could not be compacted: ${messageOf(error)}`);
    }
    if (this.#cancel === cancel) this.start();
  }

  /** Compacts up to the revision that etcd had at the previous call, unless another server has compacted since then. @throws EtcdError */
  async compact(): Promise<void> {
    const { client } = this.#options;
    const version = { key: COMPACT_KEY, target: TARGET.version, result: RESULT.equal, version: this.#version };
    const answer = await client.call(TXN, {
      compare: [version],
      success: [{ put: { key: COMPACT_KEY, value: utf8.encode(String(this.#revision)) } }],
      failure: [{ range: { key: COMPACT_KEY } }],
    });
    const before = this.#revision;
    this.#revision = answer.header?.revision ?? 0;
    if (!answer.succeeded) {
      this.#version = answer.responses?.[0]?.range?.kvs?.[0]?.version ?? 0;
      return;
    }
    this.#version++;
    if (before > 0) await client.call(COMPACT, { revision: before });
  }
}
