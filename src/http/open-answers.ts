import type { ByteStream } from '../requests/api-request.js';
import { LinkedList } from '../values/linked-list.js';
import { BODY_SLICE_BYTES, BodyPump } from './bodies/body-pump.js';
import { StreamPump, type StreamPumpOptions } from './bodies/stream-pump.js';
import { type ConnectionLimits, connectionLimits } from './connection-limits.js';
import { cutOff, type Sink } from './end-connection.js';
import type { Outgoing } from './stream-request.js';

/** Milliseconds without progress after which a client counts as stalled when the waiting responses exceed `maxPendingBytes`. */
const STALLED = 2_000;
/** The same when they exceed twice that limit, which only small responses and those to writes can do. */
const STALLED_WHEN_URGENT = 100;
/** The minimum number of milliseconds between two searches for stalled clients, because each search visits all waiting responses. */
const SEARCH_INTERVAL = 50;
/** The number of bytes that a waiting response counts besides its body: its HTTP/2 stream with its headers and listeners. */
const ANSWER_BYTES = 16 * 1024;
/**
 * The minimum size in bytes of a body or chunk that is counted once however many responses share it. Smaller ones are not refused, because
 * the refusal would hold as much memory.
 */
export const COUNTED_BYTES = 16 * 1024;
/** How many times the responses are checked within the shorter one of `answerTimeout` and `watchStallTimeout`. */
const CHECKS_PER_TIMEOUT = 4;

/** A response in progress, which holds memory until its client has read it. */
export interface OpenAnswer {
  readonly outgoing: Outgoing | Sink;
  /** The number of the last check before the response began. */
  readonly look: number;
  /** The time at which the client last read something, by `performance.now()`. */
  progressed: number;
  /** The number of bytes that it holds besides `chunks`. */
  bytes: number;
  chunks: readonly Uint8Array[];
  hasEnded: boolean;
}

const NO_CHUNKS: readonly Uint8Array[] = [];

/** The responses in progress. This class cuts off clients that do not read, and limits the memory that responses hold. */
export class OpenAnswers {
  readonly limits: Required<ConnectionLimits>;
  readonly streams = new Set<StreamPump>();
  /** Whether the server is shutting down, in which case connections end after their responses. */
  closing = false;
  readonly #inProgress = new LinkedList<OpenAnswer>();
  /** The number of responses that hold each large chunk. Most chunks are shared, and a shared chunk is counted once. */
  readonly #holders = new Map<Uint8Array, number>();
  #pendingBytes = 0;
  #checkNumber = 0;
  /** The time of the last search for stalled clients, by `performance.now()`. */
  #searched = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits?: ConnectionLimits) {
    this.limits = connectionLimits(limits);
  }

  /** The number of bytes that responses hold until their clients have read them. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /**
   * Counts a response that holds this many bytes until it ends, and cuts it off if it does not end within `answerTimeout`. Must be called
   * when the response begins.
   */
  watchOver(outgoing: Outgoing | Sink, bytes = 0): OpenAnswer {
    const answer: OpenAnswer = {
      outgoing,
      look: this.#checkNumber,
      progressed: performance.now(),
      bytes: ANSWER_BYTES + bytes,
      chunks: NO_CHUNKS,
      hasEnded: false,
    };
    this.#pendingBytes += answer.bytes;
    const entry = this.#inProgress.add(answer);
    outgoing.once('close', () => {
      this.#inProgress.remove(entry);
      this.#release(answer);
    });
    this.#timer ??= this.#checkRegularly();
    return answer;
  }

  /**
   * Sends a stream that does not end by itself, such as a watch. The stream is ended at shutdown, or when the client does not read. After
   * that the client has `answerTimeout` to read the end.
   */
  sendEvents(stream: ByteStream, sink: Sink, options: Omit<StreamPumpOptions, 'onDone'>): void {
    const onDone = (done: StreamPump) => {
      this.streams.delete(done);
      if (!sink.destroyed) this.watchOver(sink);
    };
    const pump = new StreamPump(stream, sink, { ...options, onDone });
    if (sink.writableEnded || sink.destroyed) return;
    this.streams.add(pump);
    this.#timer ??= this.#checkRegularly();
    // The request arrived on a connection that was opened before the shutdown. Like the streams that were open when the shutdown began,
    // this stream sends the waiting events and ends.
    if (this.closing) pump.stop();
  }

  /** Returns whether a response of this size may wait for its client. If there is no room, clients that do not read are cut off first. */
  hasRoomFor(bytes: number): boolean {
    // A response may exceed the limit if no other response is waiting.
    const others = Math.max(0, this.limits.maxPendingBytes - ANSWER_BYTES - bytes);
    if (this.#pendingBytes > others) this.#cutStalled();
    return bytes < COUNTED_BYTES || this.#pendingBytes <= others;
  }

  /** Sends a body slice by slice. */
  sendBody(answer: OpenAnswer, chunks: readonly Uint8Array[], sink: Sink): void {
    if (answer.hasEnded || sink.destroyed) return;
    // Slices of several chunks are copies.
    const copied = chunks.length > 1 ? BODY_SLICE_BYTES : 0;
    answer.bytes += copied;
    this.#pendingBytes += copied;
    answer.chunks = chunks;
    for (const chunk of chunks) this.#hold(chunk);
    noteProgress(answer, sink);
    new BodyPump(chunks, sink);
  }

  #cutStalled(): void {
    const now = performance.now();
    if (now - this.#searched < SEARCH_INTERVAL) return;
    this.#searched = now;
    const isUrgent = this.#pendingBytes > 2 * this.limits.maxPendingBytes;
    const patience = isUrgent ? STALLED_WHEN_URGENT : STALLED;
    // The list is copied, because a response that is cut off is removed from it.
    for (const answer of [...this.#inProgress]) {
      if (answer.hasEnded || now - answer.progressed < patience) continue;
      cutOff(answer.outgoing);
      // The event `close` follows later, and the memory is needed at once.
      this.#release(answer);
    }
  }

  #hold(chunk: Uint8Array): void {
    if (chunk.length < COUNTED_BYTES) return;
    const holders = this.#holders.get(chunk) ?? 0;
    this.#holders.set(chunk, holders + 1);
    if (holders === 0) this.#pendingBytes += chunk.length;
  }

  /** Stops counting the memory of a response; does nothing if it has been called for this response before. */
  #release(answer: OpenAnswer): void {
    if (answer.hasEnded) return;
    answer.hasEnded = true;
    this.#pendingBytes -= answer.bytes;
    for (const chunk of answer.chunks) {
      const holders = this.#holders.get(chunk);
      if (holders === undefined) continue;
      if (holders > 1) this.#holders.set(chunk, holders - 1);
      else {
        this.#holders.delete(chunk);
        this.#pendingBytes -= chunk.length;
      }
    }
    answer.chunks = NO_CHUNKS;
  }

  #checkRegularly(): NodeJS.Timeout {
    const { answerTimeout, watchStallTimeout } = this.limits;
    const interval = Math.min(answerTimeout, watchStallTimeout) / CHECKS_PER_TIMEOUT;
    return setInterval(() => this.#checkAll(), interval).unref();
  }

  #checkAll(): void {
    this.#checkNumber++;
    const { answerTimeout, watchStallTimeout } = this.limits;
    const interval = Math.min(answerTimeout, watchStallTimeout) / CHECKS_PER_TIMEOUT;
    // The list is copied, because a response that is cut off is removed from it.
    for (const { outgoing, look } of [...this.#inProgress]) {
      if ((this.#checkNumber - look) * interval > answerTimeout) cutOff(outgoing);
    }
    const now = performance.now();
    for (const pump of this.streams) {
      const since = pump.blockedSince;
      if (since !== undefined && now - since >= watchStallTimeout) pump.cut();
    }
    if (this.#inProgress.size === 0 && this.streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}

/** Records when the client of a response has read something. `sink` is the response, or the compression in front of it. */
export function noteProgress(answer: OpenAnswer, sink: Pick<Sink, 'on'>): void {
  sink.on('drain', () => {
    answer.progressed = performance.now();
  });
}
