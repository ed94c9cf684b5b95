import { type Clock, reading } from '../../meta/clock.js';
import { messageOf } from '../../values/message-of.js';
import type { EtcdClient } from './client.js';
import type { OpenStream } from './connection.js';
import { encodeFrame } from './frames.js';
import { WATCH_PATH, type WatchEvent, type WatchResponse, watchRequest, watchResponse } from './messages.js';
import { EtcdError, UNAVAILABLE } from './problems.js';
import { decode } from './wire.js';

/** What a watcher reports. */
export interface WatcherObserver {
  /** Called with all events of one or more revisions, in order. */
  events(events: readonly WatchEvent[]): void;
  /** Called when every event up to a revision was reported. */
  progressed(revision: number): void;
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
/** Streams of members that are cut off from the others end, because they would be silent. */
const METADATA = { hasleader: 'true' };

/** A watch of a range of keys that goes on, from where it was, after its stream was lost. */
export class Watcher {
  readonly #options: WatcherOptions;
  /** The revision up to which everything was reported. */
  #reported = 0;
  /** The events of the newest revision, which may be continued by the next message. */
  #held: WatchEvent[] = [];
  #stream: OpenStream | undefined;
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

  /** Begins with the events after a revision. */
  start(revision: number): void {
    this.#reported = revision;
    void this.#open();
  }

  /** Asks for the revision up to which everything was reported; the answer is a call of `progressed`. */
  requestProgress(): void {
    if (!this.#isReady || this.#stream === undefined) this.#wantsProgress = true;
    else this.#stream.send(encodeFrame(watchRequest, { progress: {} }));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#stream?.close();
  }

  async #open(): Promise<void> {
    const { client, clock, key, rangeEnd } = this.#options;
    const began = reading(clock);
    this.#held = [];
    this.#isReady = false;
    let hasEnded = false;
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
      if (this.#isClosed) return stream.close();
      this.#stream = stream;
      const create = { key, rangeEnd, startRevision: this.#reported + 1, progressNotify: true, fragment: true };
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
        // The end of this stream is not a reason to open another one.
        this.#isReady = false;
        ended(undefined);
        this.#options.observer.compacted();
      } else ended(new EtcdError(UNAVAILABLE, response.cancelReason || 'the watch was cancelled'));
      stream?.close();
      return;
    }
    this.#problem = undefined;
    if (response.created) this.#created();
    else if (response.events !== undefined || this.#held.length > 0) this.#report(response);
    else if (!response.fragment) this.#progressed(response.header?.revision ?? 0);
  }

  #created(): void {
    this.#isReady = true;
    if (!this.#wantsProgress) return;
    this.#wantsProgress = false;
    this.requestProgress();
  }

  /** Reports the events of a message. Those of its last revision wait when the message is a fragment, which another one continues. */
  #report({ events = [], fragment = false }: WatchResponse): void {
    const all = [...this.#held, ...events];
    const last = all.at(-1)?.kv?.modRevision ?? 0;
    const whole = fragment ? all.findIndex((event) => event.kv?.modRevision === last) : all.length;
    this.#held = all.slice(whole);
    const reported = all.slice(0, whole);
    if (reported.length === 0) return;
    this.#reported = reported.at(-1)?.kv?.modRevision ?? this.#reported;
    this.#options.observer.events(reported);
  }

  #progressed(revision: number): void {
    if (revision <= this.#reported) return;
    this.#reported = revision;
    this.#options.observer.progressed(revision);
  }

  /** Opens another stream. The client pauses by itself between connections, so only a refused watch has to wait. */
  #lost(error: unknown, began: number): void {
    this.#stream = undefined;
    this.#isReady = false;
    if (this.#isClosed || error === undefined) return;
    const { clock, log } = this.#options;
    const text = messageOf(error);
    if (this.#problem !== text) log(`etcd: the watch was lost: ${text}`);
    this.#problem = text;
    const wait = Math.max(0, RETRY - Math.max(0, reading(clock) - began));
    this.#cancelRetry = clock.setTimer(() => void this.#open(), wait);
  }
}
