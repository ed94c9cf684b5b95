import type { ByteStream } from '../requests/api-request.js';
import { Roster } from '../values/roster.js';
import { BODY_SLICE_BYTES, BodyPump } from './bodies/body-pump.js';
import { cutOff } from './bodies/cut-off.js';
import type { Sink } from './bodies/sink.js';
import { StreamPump, type StreamPumpOptions } from './bodies/stream-pump.js';
import { type ConnectionLimits, connectionLimits } from './connection-limits.js';
import type { NodeOutgoing } from './node-request.js';

/** While large answers lack room, a client that took nothing for so many milliseconds has stopped reading. */
const STALLED = 2_000;
/** Smaller chunks are what the cache of encodings holds anyway. */
const COUNTED_BYTES = 16 * 1024;
/** Looks at what is open so many times within the shorter timeout. */
const LOOKS = 4;

/** The answers that are on their way to clients: ends those whose clients do not read them, and bounds what they hold. */
export class OpenAnswers {
  readonly limits: Required<ConnectionLimits>;
  readonly streams = new Set<StreamPump>();
  /** The server shuts down: connections end after their answers. */
  closing = false;
  readonly #bodies = new Set<BodyPump>();
  /** Those that have not left yet, and when they began: in looks, which cost less than the time. */
  readonly #begun = new Roster<{ readonly outgoing: NodeOutgoing; readonly look: number }>();
  /** How many answers hold a large chunk: most are shared. */
  readonly #holders = new Map<Uint8Array, number>();
  #pendingBytes = 0;
  #look = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits?: ConnectionLimits) {
    this.limits = connectionLimits(limits);
  }

  /** Bytes of large answers that wait for their clients. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Sees to it that an answer leaves in time. Called when it begins. */
  watchOver(outgoing: NodeOutgoing): void {
    const begun = this.#begun.add({ outgoing, look: this.#look });
    outgoing.once('close', () => this.#begun.remove(begun));
    this.#startLooking();
  }

  /** Sends what comes for as long as it comes: a shutdown ends it, and so does a client that does not read. */
  sendEvents(stream: ByteStream, sink: Sink, options: Omit<StreamPumpOptions, 'onDone'>): void {
    const pump = new StreamPump(stream, sink, { ...options, onDone: (done) => void this.streams.delete(done) });
    if (sink.writableEnded || sink.destroyed) return;
    this.streams.add(pump);
    this.#startLooking();
    // The request came before the end, on a connection that was there: it gets what waits, like those that were open.
    if (this.closing) pump.stop();
  }

  /** Whether an answer of so many bytes may wait for its client; makes room at the cost of those who do not read. */
  hasRoomFor(bytes: number): boolean {
    if (bytes <= BODY_SLICE_BYTES || this.#fits(bytes)) return true;
    const now = performance.now();
    for (const body of this.#bodies) if (now - body.progressed >= STALLED) this.#cut(body);
    return this.#fits(bytes);
  }

  /** Sends a large body slice by slice. */
  sendBody(chunks: readonly Uint8Array[], sink: Sink): void {
    if (sink.destroyed) return;
    this.#bodies.add(new BodyPump(chunks, sink, (done) => this.#release(done)));
    for (const chunk of chunks) this.#hold(chunk);
  }

  /** One alone may be larger than all may be together. */
  #fits(bytes: number): boolean {
    return this.#pendingBytes === 0 || this.#pendingBytes + bytes <= this.limits.maxPendingBytes;
  }

  #hold(chunk: Uint8Array): void {
    if (chunk.length < COUNTED_BYTES) return;
    const holders = this.#holders.get(chunk) ?? 0;
    this.#holders.set(chunk, holders + 1);
    if (holders === 0) this.#pendingBytes += chunk.length;
  }

  #release(body: BodyPump): void {
    if (!this.#bodies.delete(body)) return;
    for (const chunk of body.chunks) {
      const holders = this.#holders.get(chunk);
      if (holders === undefined) continue;
      if (holders > 1) this.#holders.set(chunk, holders - 1);
      else {
        this.#holders.delete(chunk);
        this.#pendingBytes -= chunk.length;
      }
    }
  }

  #cut(body: BodyPump): void {
    body.cut();
    this.#release(body);
  }

  #startLooking(): void {
    if (this.#timer !== undefined) return;
    const { answerTimeout, watchStallTimeout } = this.limits;
    this.#timer = setInterval(() => this.#lookAround(), Math.min(answerTimeout, watchStallTimeout) / LOOKS);
    this.#timer.unref();
  }

  #lookAround(): void {
    this.#look++;
    const { answerTimeout, watchStallTimeout } = this.limits;
    const interval = Math.min(answerTimeout, watchStallTimeout) / LOOKS;
    // A copy: who is cut off leaves the list.
    for (const { outgoing, look } of [...this.#begun]) {
      if ((this.#look - look) * interval > answerTimeout) cutOff(outgoing);
    }
    const now = performance.now();
    for (const pump of this.streams) {
      const since = pump.blockedSince;
      if (since !== undefined && now - since >= watchStallTimeout) pump.cut();
    }
    if (this.#begun.size === 0 && this.streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}
