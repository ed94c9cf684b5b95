import { type Clock, reading } from '../../meta/clock.js';
import { messageOf } from '../../values/message-of.js';
import type { EtcdClient } from './client.js';
import type { OpenStream } from './connection.js';
import { encodeFrame } from './frames.js';
import { sameBytes } from './key-range.js';
import { WATCH_PATH, type WatchEvent, type WatchResponse, watchRequest, watchResponse } from './messages.js';
import { EtcdError, INTERNAL, UNAVAILABLE } from './problems.js';
import { decode } from './wire.js';

/** The observer of a watcher. */
export interface WatcherObserver {
  /** Called with all events of one or more revisions, in order. Each event is passed once. */
  events(events: readonly WatchEvent[]): void;
  /**
   * Called when etcd reports that it has sent every event up to a revision.
   * @returns whether the report can be trusted; if not, the watch resumes after its last event when the stream is lost
   */
  progressed(revision: number): boolean;
  /** Called when a stream has opened. It may be connected to another member, or to a member that has lost a part of its history. */
  created(): void;
  /** Called when etcd has dropped events that were not reported. The watcher stops until it is started again. */
  compacted(): void;
}

export interface WatcherOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly observer: WatcherObserver;
  readonly log: (message: string) => void;
}

/** Milliseconds between two attempts to open a watch that etcd refuses. */
const RETRY = 1_000;
/** Makes an etcd member end the stream when it loses the leader of the cluster, because such a member would send no more events. */
const METADATA = { hasleader: 'true' };
const NOTHING = new Uint8Array(0);

/** A watch of a range of keys. After its stream was lost, it resumes at the last reported revision. */
export class Watcher {
  readonly #options: WatcherOptions;
  /** The revision up to which everything was reported. */
  #reported = 0;
  /** The events of the newest revision. They are held back because the next message may contain further events of that revision. */
  #held: WatchEvent[] = [];
  #stream: OpenStream | undefined;
  /** Makes the watcher ignore further messages of the current stream. */
  #leaveStream = () => {};
  #isReady = false;
  #wantsProgress = false;
  #cancelRetry: (() => void) | undefined;
  #problem: string | undefined;
  #isClosed = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Why there is no stream at the moment; undefined when there is one. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Starts the watch with the events after a revision. */
  start(revision: number): void {
    this.stop();
    this.#reported = revision;
    void this.#open();
  }

  /** Stops the watch: nothing is reported until it is started again. */
  stop(): void {
    this.#cancelRetry?.();
    this.#leaveStream();
    this.#stream?.close();
    this.#stream = undefined;
    this.#isReady = false;
  }

  /** Requests the revision up to which etcd has sent all events. The observer receives it with `progressed`. */
  requestProgress(): void {
    if (!this.#isReady || this.#stream === undefined) this.#wantsProgress = true;
    else this.#stream.send(encodeFrame(watchRequest, { progress: {} }));
  }

  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  async #open(): Promise<void> {
    const { client, clock, key, rangeEnd } = this.#options;
    const began = reading(clock);
    this.#held = [];
    this.#isReady = false;
    let hasEnded = false;
    this.#leaveStream = () => {
      hasEnded = true;
    };
    const ended = (error: unknown): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.#lost(error, began);
    };
    try {
      const message = (bytes: Uint8Array): void => {
        if (!hasEnded) this.#receive(bytes, ended);
      };
      const stream = await client.stream(WATCH_PATH, { message, ended }, METADATA);
      if (this.#isClosed || hasEnded) return stream.close();
      this.#stream = stream;
      // The watch starts at the last reported revision instead of after it. A watch that starts directly after the compacted revision may
      // lack the event of a deletion (etcd 18089, 19179). The event that is sent again is recognized by its revision.
      const startRevision = Math.max(1, this.#reported);
      const create = { key, rangeEnd, startRevision, progressNotify: true, fragment: true };
      stream.send(encodeFrame(watchRequest, { create }));
    } catch (error) {
      ended(error);
    }
  }

  #receive(bytes: Uint8Array, ended: (error: unknown) => void): void {
    const response = decode(watchResponse, bytes);
    if (response.canceled) {
      const stream = this.#stream;
      this.#stream = undefined;
      if ((response.compactRevision ?? 0) > 0) {
        // `ended` without an error does not reopen the watch, because the observer decides how to continue after a compaction.
        this.#isReady = false;
        ended(undefined);
        this.#options.observer.compacted();
      } else ended(new EtcdError(UNAVAILABLE, response.cancelReason || 'the watch was cancelled'));
      stream?.close();
      return;
    }
    this.#problem = undefined;
    if (response.created) this.#created();
    else if (response.events !== undefined || this.#held.length > 0) this.#report(response, ended);
    else if (!response.fragment) this.#progressed(response.header?.revision ?? 0);
  }

  #created(): void {
    this.#isReady = true;
    this.#options.observer.created();
    if (!this.#wantsProgress) return;
    this.#wantsProgress = false;
    this.requestProgress();
  }

  /**
   * Reports the events of a message. If the message is a fragment, the events of its last revision are held back, because another message
   * continues them.
   */
  #report({ events = [], fragment = false }: WatchResponse, ended: (error: unknown) => void): void {
    const all = [...this.#held, ...events];
    const last = all.at(-1)?.kv?.modRevision ?? 0;
    const whole = fragment ? all.findIndex((event) => event.kv?.modRevision === last) : all.length;
    this.#held = all.slice(whole);
    const reported = this.#fresh(all.slice(0, whole));
    if (reported === undefined) {
      const stream = this.#stream;
      ended(new EtcdError(INTERNAL, 'events came in a wrong order'));
      stream?.close();
      return;
    }
    if (reported.length === 0) return;
    this.#reported = reported.at(-1)?.kv?.modRevision ?? this.#reported;
    this.#options.observer.events(reported);
  }

  /**
   * Returns the events that were not reported before. An etcd member that was disconnected from its cluster or lags behind it may send old
   * events again (etcd 15271, 20221), and one revision may contain a key twice (etcd 17247).
   * @returns undefined for events in a wrong order
   */
  #fresh(events: readonly WatchEvent[]): readonly WatchEvent[] | undefined {
    const fresh: WatchEvent[] = [];
    /** The index of the first event in `fresh` that has the same revision as the last event in `fresh`. */
    let first = 0;
    for (const event of events) {
      const revision = event.kv?.modRevision ?? 0;
      if (revision <= this.#reported) continue;
      const before = fresh.at(-1)?.kv?.modRevision ?? 0;
      if (revision < before) return undefined;
      if (revision > before) first = fresh.length;
      else if (fresh.slice(first).some(({ kv }) => sameBytes(kv?.key ?? NOTHING, event.kv?.key ?? NOTHING))) continue;
      fresh.push(event);
    }
    return fresh;
  }

  #progressed(revision: number): void {
    if (revision > this.#reported && this.#options.observer.progressed(revision)) this.#reported = revision;
  }

  /** Opens another stream. The client itself pauses between connections, so only the retry of a refused watch is delayed here. */
  #lost(error: unknown, began: number): void {
    this.#stream = undefined;
    this.#isReady = false;
    if (this.#isClosed || error === undefined) return;
    const { clock, log } = this.#options;
    const text = messageOf(error);
    if (this.#problem !== text) log(`etcd: the watch was lost: ${text}`);
    this.#problem = text;
    const wait = Math.max(0, RETRY - Math.max(0, reading(clock) - began));
    this.#cancelRetry = clock.setTimer(() => void this.#open(), wait, false, 'next watch of etcd');
  }
}
