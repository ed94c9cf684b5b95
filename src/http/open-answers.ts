import type { ByteStream } from '../requests/api-request.js';
import { LinkedList } from '../values/linked-list.js';
import { BODY_SLICE_BYTES, BodyPump } from './bodies/body-pump.js';
import { StreamPump, type StreamPumpOptions } from './bodies/stream-pump.js';
import { type ConnectionLimits, connectionLimits } from './connection-limits.js';
import { cutOff, type Sink } from './end-connection.js';
import type { Outgoing } from './stream-request.js';

/** Milliseconds without progress after which a client counts as stalled when there is no room for another large response. */
const STALLED = 2_000;
/** The minimum size in bytes of a body or chunk that is counted. Smaller chunks are kept by the cache of encoded objects anyway. */
export const COUNTED_BYTES = 16 * 1024;
/** How many times the responses are checked within the shorter one of `answerTimeout` and `watchStallTimeout`. */
const CHECKS_PER_TIMEOUT = 4;

/** A response that holds memory until its client has read it. */
interface WaitingAnswer {
  /** The time at which the client last read something, by `performance.now()`. */
  readonly progressed: number;
  /** Cuts the response off and stops counting it. */
  cut(): void;
}

/** The responses in progress. This class cuts off clients that do not read, and limits the memory that responses hold. */
export class OpenAnswers {
  readonly limits: Required<ConnectionLimits>;
  readonly streams = new Set<StreamPump>();
  /** Whether the server is shutting down, in which case connections end after their responses. */
  closing = false;
  readonly #waiting = new Set<WaitingAnswer>();
  /** Responses in progress, each with the number of the last check before it began. That number is cheaper to read than the clock. */
  readonly #inProgress = new LinkedList<{ readonly outgoing: Outgoing | Sink; readonly look: number }>();
  /** The number of responses that hold each large chunk. Most chunks are shared, and a shared chunk is counted once. */
  readonly #holders = new Map<Uint8Array, number>();
  #pendingBytes = 0;
  #checkNumber = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits?: ConnectionLimits) {
    this.limits = connectionLimits(limits);
  }

  /** The number of bytes that responses hold until their clients have read them. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Cuts a response off if it does not end within `answerTimeout`. Must be called when the response begins. */
  watchOver(outgoing: Outgoing | Sink): void {
    const entry = this.#inProgress.add({ outgoing, look: this.#checkNumber });
    outgoing.once('close', () => this.#inProgress.remove(entry));
    this.#startLooking();
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
    this.#startLooking();
    // The request arrived on a connection that was opened before the shutdown. Like the streams that were open when the shutdown began,
    // this stream sends the waiting events and ends.
    if (this.closing) pump.stop();
  }

  /** Returns whether a response of this size may wait for its client. If there is no room, clients that do not read are cut off first. */
  hasRoomFor(bytes: number): boolean {
    if (bytes < COUNTED_BYTES || this.#fits(bytes)) return true;
    const now = performance.now();
    for (const answer of this.#waiting) if (now - answer.progressed >= STALLED) answer.cut();
    return this.#fits(bytes);
  }

  /** Sends a body slice by slice. */
  sendBody(chunks: readonly Uint8Array[], sink: Sink): void {
    if (sink.destroyed) return;
    // Slices of several chunks are copies.
    const copied = chunks.length > 1 ? BODY_SLICE_BYTES : 0;
    const pump = new BodyPump(chunks, sink, () => this.#end(pump, () => this.#release(chunks, copied)));
    this.#waiting.add(pump);
    for (const chunk of chunks) this.#hold(chunk);
    this.#pendingBytes += copied;
  }

  /** Counts bytes that a response holds besides a body of `sendBody`, until the response ends. */
  occupy(bytes: number, outgoing: Outgoing | Sink): void {
    if (outgoing.destroyed) return;
    const answer = {
      progressed: performance.now(),
      cut: () => {
        cutOff(outgoing);
        end();
      },
    };
    const end = () => this.#end(answer, () => (this.#pendingBytes -= bytes));
    this.#waiting.add(answer);
    this.#pendingBytes += bytes;
    outgoing.on('drain', () => (answer.progressed = performance.now()));
    outgoing.once('close', end);
  }

  /** Returns whether there is room for a response of this size. A response may exceed the limit if no other response is waiting. */
  #fits(bytes: number): boolean {
    return this.#pendingBytes === 0 || this.#pendingBytes + bytes <= this.limits.maxPendingBytes;
  }

  #hold(chunk: Uint8Array): void {
    if (chunk.length < COUNTED_BYTES) return;
    const holders = this.#holders.get(chunk) ?? 0;
    this.#holders.set(chunk, holders + 1);
    if (holders === 0) this.#pendingBytes += chunk.length;
  }

  #release(chunks: readonly Uint8Array[], copied: number): void {
    this.#pendingBytes -= copied;
    for (const chunk of chunks) {
      const holders = this.#holders.get(chunk);
      if (holders === undefined) continue;
      if (holders > 1) this.#holders.set(chunk, holders - 1);
      else {
        this.#holders.delete(chunk);
        this.#pendingBytes -= chunk.length;
      }
    }
  }

  /** Stops counting an answer; does nothing if it has been called for this answer before. */
  #end(answer: WaitingAnswer, release: () => void): void {
    if (this.#waiting.delete(answer)) release();
  }

  #startLooking(): void {
    if (this.#timer !== undefined) return;
    const { answerTimeout, watchStallTimeout } = this.limits;
    this.#timer = setInterval(() => this.#checkAll(), Math.min(answerTimeout, watchStallTimeout) / CHECKS_PER_TIMEOUT);
    this.#timer.unref();
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
