import type { ByteStream } from '../../requests/api-request.js';
import { frameSlab, isLent, isSlabContent, releaseSlab } from '../../serialization/slabs.js';
import { cutOff, type Sink } from '../end-connection.js';
import { ChunkQueue } from './body-pump.js';

/** Pumps that write their chunks at the end of this turn of the event loop. */
let waiting: StreamPump[] = [];

function pumpAll(): void {
  const pumps = waiting;
  waiting = [];
  for (const pump of pumps) pump.run();
}

const NOTHING = new Uint8Array(0);
/** The maximum number of bytes of events that are handed to a connection at once. */
const EVENT_BYTES = 64 * 1024;

export interface StreamPumpOptions {
  /** Called when the stream has ended or the client has disconnected. */
  readonly onDone?: (pump: StreamPump) => void;
  /** Called with the error when the stream fails. The response is then cut off. */
  readonly onFault: (error: unknown) => void;
  /** The framing of the chunks in the response; undefined if the sink frames them. */
  readonly framing?: Framing | undefined;
  /**
   * The maximum number of bytes that are handed to the connection at once. Default: 64 KiB, because many watches may have clients that do
   * not read.
   */
  readonly sliceBytes?: number;
}

/**
 * Sends a ByteStream to a client. All chunks that arrive in one turn of the event loop are sent in one write. While the client does not
 * keep up, no chunks are taken from the stream. So the stream can detect a slow client, and at most one slice is copied into the socket
 * buffer. The stream is closed when the client disconnects.
 */
export class StreamPump {
  readonly #stream: ByteStream;
  readonly #sink: Sink;
  readonly #framing: Framing | undefined;
  readonly #onDone: ((pump: StreamPump) => void) | undefined;
  readonly #onFault: (error: unknown) => void;
  readonly #sliceBytes: number;
  readonly #taken = new ChunkQueue();
  #scheduled = false;
  #blockedSince: number | undefined;
  #stopping = false;
  #cutting = false;
  #done = false;

  /** Starts to pump at once. */
  constructor(
    stream: ByteStream,
    sink: Sink,
    { onDone, onFault, framing, sliceBytes = EVENT_BYTES }: StreamPumpOptions,
  ) {
    this.#stream = stream;
    this.#sink = sink;
    this.#framing = framing;
    this.#onDone = onDone;
    this.#onFault = onFault;
    this.#sliceBytes = sliceBytes;
    sink.on('error', () => undefined);
    sink.on('drain', () => {
      this.#blockedSince = undefined;
      this.run();
    });
    sink.once('close', () => this.#finish());
    if (sink.destroyed) {
      this.#finish();
      return;
    }
    stream.onReadable = () => this.#schedule();
    this.run();
  }

  /** The time since which the client has not read the bytes sent to it, by `performance.now()`; undefined while the client keeps up. */
  get blockedSince(): number | undefined {
    return this.#done ? undefined : this.#blockedSince;
  }

  /** Aborts the response, for example because the client does not read. The client can see that the response is incomplete. */
  cut(): void {
    cutOff(this.#sink);
    this.#finish();
  }

  /** Sends the chunks that are waiting, then ends the response cleanly; used at shutdown. */
  stop(): void {
    if (this.#done || this.#stopping) return;
    if (this.#taken.empty && !this.#take()) return;
    this.#stopping = true;
    this.run();
  }

  /** Writes the waiting chunks until none is left or the client falls behind. */
  run(): void {
    this.#scheduled = false;
    // The client of a WebSocket may have ended it with a close frame.
    if (this.#sink.writableEnded) this.#finish();
    while (!this.#done && this.#blockedSince === undefined) {
      if (this.#taken.empty && !this.#refill()) return;
      const slice = this.#taken.next(this.#sliceBytes);
      // An empty chunk would end a response in the chunked coding, so empty slices are not written.
      if (slice !== undefined && slice.length > 0 && !this.#write(slice)) this.#blockedSince = performance.now();
    }
  }

  /** Takes the waiting chunks and returns whether there are any; ends the response when the stream has ended. */
  #refill(): boolean {
    if (!this.#stopping && !this.#take()) return false;
    if (!this.#taken.empty) return true;
    if (this.#stream.broken !== undefined) this.#cutWhenSent();
    else if (this.#stopping || this.#stream.ended) {
      if (this.#framing === undefined) this.#sink.end();
      else this.#sink.end(this.#framing.end);
      this.#finish();
    }
    return false;
  }

  /**
   * Takes chunks from the stream. Returns false if the stream failed. The response is then cut off, because a partial response must not
   * look complete.
   */
  #take(): boolean {
    try {
      this.#taken.fill(this.#stream.take());
      return true;
    } catch (error) {
      this.#onFault(error);
      this.cut();
      return false;
    }
  }

  /** Cuts off the response after the stream has failed, once all chunks from before the failure have been sent. */
  #cutWhenSent(): void {
    if (this.#cutting) return;
    this.#cutting = true;
    this.#sink.write(NOTHING, () => this.cut());
  }

  #write(slice: Uint8Array): boolean {
    const bytes = this.#framing === undefined ? slice : this.#framing.frame(slice);
    if (!isLent(slice)) return this.#sink.write(bytes);
    // After an error the connection may still refer to the memory of the slab, so the slab is not released for reuse.
    return this.#sink.write(bytes, (error) => {
      if (!error) releaseSlab(slice);
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#blockedSince !== undefined || this.#done) return;
    this.#scheduled = true;
    if (waiting.push(this) === 1) setImmediate(pumpAll);
  }

  #finish(): void {
    if (this.#done) return;
    this.#done = true;
    this.#taken.clear();
    this.#stream.onReadable = undefined;
    this.#stream.close();
    this.#onDone?.(this);
  }
}

const HEX = 16;
const LINE_END = '\r\n';

/** How the chunks of a stream are framed in a response. */
export interface Framing {
  /** Returns the chunk with its framing. */
  frame(chunk: Uint8Array): Uint8Array;
  /** The bytes that follow the last chunk. */
  readonly end: Uint8Array;
}

// The same chunk is usually sent to many watches in a row, so caching the last frame is enough.
let lastChunk: Uint8Array | undefined;
let lastFrame: Uint8Array = new Uint8Array(0);

/**
 * The chunked transfer coding of HTTP/1.1. A slab, which contains part of a list, is framed in place. The frame of any other chunk is built
 * once for all connections and written in one piece; Node would write the length, the chunk and a line end separately for each connection.
 */
export const chunkFraming: Framing = {
  frame(chunk) {
    if (isSlabContent(chunk)) return frameSlab(chunk, chunk.length.toString(HEX) + LINE_END, LINE_END);
    if (chunk !== lastChunk) {
      lastFrame = makeFrame(chunk);
      lastChunk = chunk;
    }
    return lastFrame;
  },
  end: Buffer.from(`0${LINE_END}${LINE_END}`, 'latin1'),
};

function makeFrame(chunk: Uint8Array): Uint8Array {
  const head = chunk.length.toString(HEX) + LINE_END;
  const frame = Buffer.allocUnsafe(head.length + chunk.length + LINE_END.length);
  frame.write(head, 0, 'latin1');
  frame.set(chunk, head.length);
  frame.write(LINE_END, head.length + chunk.length, 'latin1');
  return frame;
}
