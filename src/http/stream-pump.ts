import type { Writable } from 'node:stream';
import type { ByteStream } from '../requests/api-request.js';
import type { Framing } from './chunk-frames.js';

/** The part of a response that bytes go into: a ServerResponse or a stream of HTTP/2. */
export type Sink = Pick<Writable, 'write' | 'end' | 'cork' | 'uncork' | 'on' | 'once' | 'destroyed' | 'writableEnded'>;

/** Pumps that wait for the end of this turn of the event loop. */
let waiting: StreamPump[] = [];

function pumpAll(): void {
  const pumps = waiting;
  waiting = [];
  for (const pump of pumps) pump.run();
}

// Small events that wait together are sent as one chunk: framing each costs more than copying it.
const BATCH_BYTES = 64 * 1024;

/** Where the batch that begins at `from` ends: as many chunks as fit, one at least. */
function endOfBatch(chunks: readonly Uint8Array[], from: number): number {
  let to = from;
  let size = 0;
  do size += chunks[to++]?.length ?? 0;
  while (to < chunks.length && size + (chunks[to]?.length ?? 0) <= BATCH_BYTES);
  return to;
}

/**
 * Carries a ByteStream to a client. All chunks of one turn leave in one write; while the client does not keep up nothing
 * is taken, so that the stream itself sees the delay; the stream is closed when the client is gone.
 */
export class StreamPump {
  readonly #stream: ByteStream;
  readonly #sink: Sink;
  readonly #framing: Framing | undefined;
  readonly #onDone: (pump: StreamPump) => void;
  #scheduled = false;
  #blocked = false;
  #done = false;

  /**
   * Starts at once.
   * @param onDone called when the stream has ended or the client is gone
   * @param framing put around the chunks; none when the sink does it
   */
  constructor(stream: ByteStream, sink: Sink, onDone: (pump: StreamPump) => void, framing?: Framing) {
    this.#stream = stream;
    this.#sink = sink;
    this.#framing = framing;
    this.#onDone = onDone;
    sink.on('error', () => undefined);
    sink.on('drain', () => {
      this.#blocked = false;
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

  /** Sends what waits, then ends the response cleanly: the server is shutting down. */
  stop(): void {
    if (this.#done) return;
    this.#write(this.#stream.take());
    this.#endSink();
    this.#finish();
  }

  /** Writes what waits until nothing is left or the client is behind. */
  run(): void {
    this.#scheduled = false;
    while (!this.#done && !this.#blocked) {
      const chunks = this.#stream.take();
      if (chunks.length > 0) {
        this.#blocked = !this.#write(chunks);
      } else if (this.#stream.ended) {
        this.#endSink();
        this.#finish();
      } else return;
    }
  }

  #write(chunks: readonly Uint8Array[]): boolean {
    const [first] = chunks;
    if (first === undefined) return true;
    if (chunks.length === 1) return this.#writeChunk(first);
    let open = true;
    this.#sink.cork();
    for (let from = 0; from < chunks.length; ) {
      const to = endOfBatch(chunks, from);
      open = this.#writeChunk(to - from === 1 ? (chunks[from] ?? first) : Buffer.concat(chunks.slice(from, to)));
      from = to;
    }
    this.#sink.uncork();
    return open;
  }

  #writeChunk(chunk: Uint8Array): boolean {
    return this.#sink.write(this.#framing === undefined ? chunk : this.#framing.frame(chunk));
  }

  #endSink(): void {
    if (this.#framing === undefined) this.#sink.end();
    else this.#sink.end(this.#framing.end);
  }

  #schedule(): void {
    if (this.#scheduled || this.#blocked || this.#done) return;
    this.#scheduled = true;
    if (waiting.push(this) === 1) setImmediate(pumpAll);
  }

  #finish(): void {
    if (this.#done) return;
    this.#done = true;
    this.#stream.onReadable = undefined;
    this.#stream.close();
    this.#onDone(this);
  }
}
