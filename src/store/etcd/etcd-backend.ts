import type { Clock } from '../../meta/clock.js';
import { nextTurn } from '../../meta/flow.js';
import { messageOf } from '../../values/message-of.js';
import type { Backend, BackendObserver, BackendState, OptimisticResult, Unchanged } from '../backend.js';
import { StoreError } from '../storage.js';
import type { EtcdClient } from './client.js';
import { Compactor } from './compactor.js';
import { type EtcdRange, rangeOfPrefix, sameBytes } from './key-range.js';
import { Leases } from './leases.js';
import {
  type AnswerHeader,
  type Compare,
  RANGE,
  REMOVED,
  RESULT,
  STATUS,
  TARGET,
  TXN,
  type WatchEvent,
} from './messages.js';
import { EtcdError, explainOpenError, storeErrorOf } from './problems.js';
import { answersProgressInOrder, isSupported, Progress } from './progress.js';
import { problemOfHistory, type Reading, readState, readWithHistory } from './read-state.js';
import { Watcher } from './watcher.js';

/** The mapping between the store's keys and etcd's keys. */
export interface EtcdKeys {
  /** The prefix of all keys in etcd. */
  readonly prefix: string;
  /** A key below the prefix that belongs to no object. Writing it makes the watch report all events before that write. */
  readonly marker: string;
  toEtcd(key: string): string;
  /** Returns the store's key; undefined for a key that belongs to no object of the store. */
  fromEtcd(key: string): string | undefined;
  /** Seconds after which etcd removes a key, counted from its last write; undefined for keys that stay. */
  lifetimeOf?(key: string): number | undefined;
}

export interface EtcdBackendOptions {
  readonly client: EtcdClient;
  readonly endpoints: readonly string[];
  readonly keys: EtcdKeys;
  readonly clock: Clock;
  /** Milliseconds between two compactions of etcd's history; 0 for none. */
  readonly compactionInterval: number;
  readonly log: (message: string) => void;
  /** Whether progress requests are used. Default: only if this version of etcd responds to them after all earlier events. */
  readonly requestsProgress?: boolean;
  /** The number of past revisions that are read at the start, if etcd still has them. Default 0. */
  readonly history?: number;
}

/** A write whose result is not known yet. */
interface OwnWrite {
  readonly type: 'put' | 'delete';
  readonly value: Uint8Array | undefined;
  /** The revisions of the key that the watch has reported since the write was sent. */
  readonly reported: number[];
}

/** The milliseconds for which the start waits for the cluster, and the pause in milliseconds between two attempts to read all data anew. */
const [OPEN_TIMEOUT, RELOAD_PAUSE] = [10_000, 1_000];
const GRANTED_LEASE_IS_GONE = /lease not found/;

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/**
 * Keeps values in etcd, to which other servers may write as well. A write is a transaction that compares the revision of its key. One watch
 * of all keys reports the writes of this server and of others. A write resolves only after the watch has reported it, so the order of
 * events is etcd's and no event is reported twice.
 */
export class EtcdBackend implements Backend<Uint8Array> {
  readonly isShared = true;
  readonly #options: EtcdBackendOptions;
  readonly #client: EtcdClient;
  readonly #range: EtcdRange;
  readonly #reading: Reading;
  readonly #markerKey: Uint8Array;
  readonly #watcher: Watcher;
  readonly #progress: Progress;
  readonly #leases: Leases;
  readonly #compactor: Compactor;
  /** The writes under way, by the store's key. The storage sends a write of a key only after the previous write of the key has ended. */
  readonly #own = new Map<string, OwnWrite>();
  #observer: BackendObserver<Uint8Array> | undefined;
  #asking: Promise<number> | undefined;
  #nextAsk: Promise<number> | undefined;
  #marking: Promise<void> | undefined;
  #requestsProgress = false;
  #clusterId: bigint | undefined;
  /** The last event that the watch has reported. */
  #last: WatchEvent | undefined;
  #reloading: Promise<void> | undefined;
  #reloads = 0;
  #broken: string | undefined;
  readonly #writes = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: EtcdBackendOptions) {
    const { client, keys, clock, compactionInterval, log } = options;
    this.#options = options;
    this.#client = client;
    this.#range = rangeOfPrefix(keys.prefix);
    this.#reading = { client, clock, range: this.#range, fromEtcd: (key) => keys.fromEtcd(key) };
    this.#markerKey = utf8.encode(keys.marker);
    this.#watcher = new Watcher({ client, clock, ...this.#range, observer: this.#watchObserver(), log });
    this.#progress = new Progress(clock, () => this.#requestProgress());
    this.#leases = new Leases(client, clock);
    this.#compactor = new Compactor({ client, clock, interval: compactionInterval, log });
  }

  /** Why the newest state cannot be read at the moment; undefined when it can. */
  get problem(): string | undefined {
    return this.#broken ?? this.#watcher.problem;
  }

  async open(observer: BackendObserver<Uint8Array>): Promise<BackendState<Uint8Array>> {
    const { endpoints, requestsProgress, history = 0 } = this.#options;
    try {
      const { version = '', header } = await this.#client.call(STATUS, {}, OPEN_TIMEOUT);
      if (!isSupported(version)) throw new Error(`its version is ${version}, and 3.4 is the oldest that is supported`);
      this.#clusterId = header?.clusterId;
      this.#requestsProgress = requestsProgress ?? answersProgressInOrder(version);
      const { state, newest } = await readWithHistory(this.#reading, history);
      this.#observer = observer;
      this.#progress.reached(state.compactRevision);
      this.#watcher.start(state.compactRevision);
      // The returned state may be older than the newest revision. The watch reports the events in between, and the start waits for them.
      await this.#progress.reach(newest, true);
      this.#compactor.start();
      return state;
    } catch (error) {
      await this.close();
      throw explainOpenError(endpoints, error);
    }
  }

  optimisticPut(
    key: string,
    value: Uint8Array,
    expectedRevision: number,
    unchanged?: Unchanged,
  ): Promise<OptimisticResult> {
    return this.#write(key, { type: 'put', value, reported: [] }, expectedRevision, unchanged);
  }

  async optimisticDelete(
    key: string,
    expectedRevision: number,
    last?: Uint8Array,
    unchanged?: Unchanged,
  ): Promise<OptimisticResult> {
    if (expectedRevision === 0) return { committed: false };
    return await this.#write(key, { type: 'delete', value: last, reported: [] }, expectedRevision, unchanged);
  }

  /** Calls during a request to etcd share the next request, because the result of the current request may be older than these calls. */
  progress(): Promise<number> {
    if (this.#asking === undefined) {
      this.#asking = this.#currentRevision().finally(() => {
        this.#asking = undefined;
      });
      return this.#asking;
    }
    this.#nextAsk ??= this.#asking
      .catch(() => {})
      .then(() => {
        this.#nextAsk = undefined;
        return this.progress();
      });
    return this.#nextAsk;
  }

  /** Does nothing, because the history of this backend is that of etcd. {@link Compactor} limits it. */
  compact(): void {}

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#compactor.stop();
    // Writes that were sent may be committed, so their callers receive the outcome before the client is closed.
    await Promise.allSettled(this.#writes);
    this.#watcher.close();
    this.#progress.close();
    this.#client.close();
  }

  #write(
    key: string,
    own: OwnWrite,
    expectedRevision: number,
    unchanged: Unchanged | undefined,
  ): Promise<OptimisticResult> {
    const write = this.#writeOnce(key, own, expectedRevision, unchanged);
    this.#writes.add(write);
    const forget = () => void this.#writes.delete(write);
    write.then(forget, forget);
    return write;
  }

  async #writeOnce(
    key: string,
    own: OwnWrite,
    expectedRevision: number,
    unchanged: Unchanged | undefined,
  ): Promise<OptimisticResult> {
    if (this.#isClosed) throw new StoreError('closed', 'the store was closed');
    this.#assertWorking();
    this.#own.set(key, own);
    try {
      const reloads = this.#reloads;
      const { succeeded = false, revision } = await this.#commit(key, own, expectedRevision, unchanged);
      await this.#progress.reach(revision, !succeeded);
      // The watch has skipped the event of this write (etcd 17529). Events of other servers may be missing, too, so all data is read anew.
      if (succeeded && !own.reported.includes(revision) && reloads === this.#reloads)
        await this.#reload(`the watch did not report revision ${revision}`);
      return succeeded ? { committed: true, revision } : { committed: false };
    } catch (error) {
      throw storeErrorOf(error);
    } finally {
      this.#own.delete(key);
    }
  }

  async #commit(key: string, { type, value }: OwnWrite, expected: number, unchanged: Unchanged | undefined) {
    const { keys } = this.#options;
    const etcdKey = utf8.encode(keys.toEtcd(key));
    const compare = [{ ...EQUAL_REVISION, key: etcdKey, modRevision: expected }, ...this.#conditions(unchanged)];
    const lifetime = type === 'put' ? keys.lifetimeOf?.(key) : undefined;
    for (let attempt = 0; ; attempt++) {
      const lease = lifetime === undefined ? {} : { lease: await this.#leases.leaseFor(lifetime) };
      const put = { key: etcdKey, ...(value === undefined ? {} : { value }), ...lease };
      const success = [type === 'put' ? { put } : { remove: { key: etcdKey } }];
      try {
        const known = this.#progress.revision;
        const { succeeded, header } = await this.#client.call(TXN, { compare, success });
        return { succeeded, revision: this.#checkedRevision(header, known) };
      } catch (error) {
        const isGone = error instanceof EtcdError && GRANTED_LEASE_IS_GONE.test(error.message);
        if (!isGone || attempt > 0) throw error;
        this.#leases.forget();
      }
    }
  }

  /** Returns a transaction's conditions. A range condition ignores removed keys, so each key in `present` has a condition of its own. */
  #conditions(unchanged: Unchanged | undefined): readonly Compare[] {
    if (unchanged === undefined) return [];
    const { keys } = this.#options;
    return [
      ...unchanged.prefixes.map((prefix) => ({
        target: TARGET.modRevision,
        result: RESULT.less,
        modRevision: unchanged.revision + 1,
        ...rangeOfPrefix(keys.toEtcd(prefix)),
      })),
      ...unchanged.present.map(({ key, revision }) => ({
        ...EQUAL_REVISION,
        key: utf8.encode(keys.toEtcd(key)),
        modRevision: revision,
      })),
    ];
  }

  /** Requests the newest revision from the leader, and waits until the watch has reported everything up to it. */
  async #currentRevision(): Promise<number> {
    if (this.#isClosed) throw new StoreError('closed', 'the store was closed');
    try {
      const known = this.#progress.revision;
      const { header } = await this.#client.call(RANGE, { key: this.#markerKey, countOnly: true });
      const revision = this.#checkedRevision(header, known);
      // Events that arrived before the response are processed within this turn, and mostly make a request for progress unnecessary.
      if (revision > this.#progress.revision) await nextTurn();
      await this.#progress.reach(revision, true);
      return revision;
    } catch (error) {
      throw this.#isClosed ? new StoreError('closed', 'the store was closed') : storeErrorOf(error);
    }
  }

  /**
   * Returns the revision in a response. If the response comes from another cluster or contains an older revision, all further calls fail.
   * @param known the revision that was reported before the call
   * @throws StoreError `unavailable`
   */
  #checkedRevision({ clusterId, revision = 0 }: AnswerHeader = {}, known: number): number {
    if (clusterId !== this.#clusterId) this.#broken = 'a member belongs to another cluster than the others';
    else if (revision < known)
      this.#broken = `its revision went back to ${revision}, as after a restored backup: restart the server`;
    this.#assertWorking();
    return revision;
  }

  #assertWorking(): void {
    if (this.#broken !== undefined) throw new StoreError('unavailable', `etcd: ${this.#broken}`);
  }

  /**
   * Makes etcd report the revision up to which the watch has sent all events. Some versions of etcd answer progress requests too early. For
   * them the marker key is written instead, and the watch reports this write after all earlier events.
   */
  #requestProgress(): void {
    if (this.#requestsProgress) {
      this.#watcher.requestProgress();
      return;
    }
    const success = [{ put: { key: this.#markerKey, value: new Uint8Array(0) } }];
    this.#marking ??= this.#client
      .call(TXN, { success })
      .then(() => {})
      .catch((error) => this.#options.log(`etcd: ${messageOf(error)}`))
      .finally(() => {
        this.#marking = undefined;
      });
  }

  #watchObserver() {
    return {
      events: (events: readonly WatchEvent[]) => {
        for (const event of events) this.#report(event);
        this.#last = events.at(-1);
        this.#progress.reached(this.#last?.kv?.modRevision ?? 0);
      },
      progressed: (revision: number) => {
        // A version of etcd that answers progress requests too early also sends progress notifications too early, so they are ignored.
        if (!this.#requestsProgress) return false;
        this.#observer?.progressed(revision);
        this.#progress.reached(revision);
        return true;
      },
      created: () => void this.#verifyHistory(),
      compacted: () => void this.#reload('its history was compacted before this server had read it'),
    };
  }

  #report({ type, kv = {} }: WatchEvent): void {
    const { key: etcdKey = NOTHING, value = NOTHING, modRevision: revision = 0, createRevision = 0 } = kv;
    const key = this.#options.keys.fromEtcd(fromUtf8.decode(etcdKey));
    // A key without an object is the marker key. Its event means that all earlier events were reported.
    if (key === undefined) {
      this.#observer?.progressed(revision);
      return;
    }
    const own = this.#own.get(key);
    own?.reported.push(revision);
    const time = this.#options.clock.now();
    if (type === REMOVED) {
      const last = own?.type === 'delete' ? own.value : undefined;
      this.#observer?.committed({ type: 'delete', key, value: last, revision, createRevision, time });
      return;
    }
    // The storage recognizes its own write by the value's identity. Other values are copied, because a view would keep the whole message.
    const isOwn = own?.type === 'put' && own.value !== undefined && sameBytes(own.value, value);
    const known = isOwn ? own.value : value.slice();
    this.#observer?.committed({ type: 'put', key, value: known, revision, createRevision, time });
  }

  refresh(): Promise<void> {
    return this.#reload('a write was refused for a reason that the watch has not reported');
  }

  async #verifyHistory(): Promise<void> {
    const problem = await problemOfHistory({ client: this.#client, clusterId: this.#clusterId, last: this.#last });
    if (problem !== undefined && !this.#isClosed) this.#options.log(`etcd: ${problem}`);
    this.#broken ??= problem;
  }

  /** Reads all data anew, and passes the newest state to the `replaced` method of the observer. */
  #reload(reason: string): Promise<void> {
    this.#reloading ??= this.#readAnew(reason).finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  async #readAnew(reason: string): Promise<void> {
    const { log, clock } = this.#options;
    log(`etcd: ${reason}; reading everything again`);
    this.#watcher.stop();
    while (!this.#isClosed) {
      try {
        const state = await readState(this.#reading);
        this.#reloads++;
        this.#last = undefined;
        this.#observer?.replaced(state);
        this.#progress.reached(state.compactRevision);
        this.#watcher.start(state.compactRevision);
        return;
      } catch (error) {
        log(`etcd: ${messageOf(error)}`);
        await new Promise<void>((resolve) => clock.setTimer(resolve, RELOAD_PAUSE, false, 'next try to read etcd'));
      }
    }
  }
}

const NOTHING = new Uint8Array(0);
const EQUAL_REVISION = { target: TARGET.modRevision, result: RESULT.equal } as const;
