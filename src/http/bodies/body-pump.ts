import { ChunkQueue } from './chunk-queue.js';
import { cutOff } from './cut-off.js';
import type { Sink } from './sink.js';

/** The number of bytes handed to a connection at once; an answer up to this size is written in one piece. */
export const BODY_SLICE_BYTES = 256 * 1024;

/** Sends a large answer to a client slice by slice as the client reads, so that unread parts are not copied into its socket buffer. */
export class BodyPump {
  readonly chunks: readonly Uint8Array[];
  readonly #sink: Sink;
  readonly #queue = new ChunkQueue();
  #progressed = performance.now();

  /**
   * Starts at once.
   * @param onDone called when everything is written or the client has disconnected.
   */
  constructor(chunks: readonly Uint8Array[], sink: Sink, onDone: (pump: BodyPump) => void) {
    this.chunks = chunks;
    this.#sink = sink;
    this.#queue.fill(chunks);
    sink.on('drain', () => {
      this.#progressed = performance.now();
      this.#run();
    });
    sink.on('error', () => undefined);
    sink.once('close', () => onDone(this));
    this.#run();
  }

  /** When the client last read something, by `performance.now()`. */
  get progressed(): number {
    return this.#progressed;
  }

  cut(): void {
    cutOff(this.#sink);
  }

  #run(): void {
    for (;;) {
      const slice = this.#queue.next(BODY_SLICE_BYTES);
      if (slice === undefined) return;
      if (this.#queue.empty) this.#sink.end(slice);
      else if (!this.#sink.write(slice)) return;
    }
  }
}
