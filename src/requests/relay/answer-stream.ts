import { messageOf } from '../../values/message-of.js';
import type { ByteStream } from '../api-request.js';

/**
 * Streams the response body of another server only as fast as it is read, with at most one chunk buffered. The stream fails if the body
 * fails or has another length than announced, because a client could take surplus bytes for the next response.
 * @param onEnd called once, when nothing more of the body will be read.
 * @param cutBy makes the stream fail, if given
 * @param length the Content-Length, if the response has one
 */
export function answerStream(
  body: ReadableStream<Uint8Array>,
  onEnd: () => void,
  cutBy: AbortSignal | undefined,
  length?: number,
): ByteStream {
  return new AnswerStream(body.getReader(), onEnd, cutBy, length);
}

class AnswerStream implements ByteStream {
  onReadable: (() => void) | undefined;
  broken: string | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #onEnd: () => void;
  readonly #cutBy: AbortSignal | undefined;
  readonly #onAbort = () => this.#cut(messageOf(this.#cutBy?.reason));
  #waiting: readonly Uint8Array[] = [];
  #state: 'idle' | 'reading' | 'ended' = 'idle';
  readonly #length: number | undefined;
  #count = 0;

  constructor(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    onEnd: () => void,
    cutBy: AbortSignal | undefined,
    length: number | undefined,
  ) {
    this.#reader = reader;
    this.#onEnd = onEnd;
    this.#cutBy = cutBy;
    this.#length = length;
    cutBy?.addEventListener('abort', this.#onAbort);
    this.#read();
  }

  get ended(): boolean {
    return this.#state === 'ended';
  }

  take(): readonly Uint8Array[] {
    const taken = this.#waiting;
    this.#waiting = [];
    if (this.#state === 'idle') this.#read();
    return taken;
  }

  close(): void {
    if (this.#state === 'ended') return;
    this.#waiting = [];
    this.#finish();
    this.#reader.cancel().catch(() => {});
  }

  #read(): void {
    this.#state = 'reading';
    this.#reader.read().then(
      ({ done, value }) => {
        if (this.#state === 'ended') return;
        this.#count += value?.length ?? 0;
        if (this.#length !== undefined && (done ? this.#count < this.#length : this.#count > this.#length))
          return this.#cut(`http: ContentLength=${this.#length} with Body length ${this.#count}`);
        if (done) this.#finish();
        else {
          this.#state = 'idle';
          this.#waiting = [value];
        }
        this.onReadable?.();
      },
      (error: unknown) => this.#cut(messageOf(error)),
    );
  }

  /** Ends the stream before the body has ended. */
  #cut(why: string): void {
    if (this.#state === 'ended') return;
    this.broken = why;
    this.#finish();
    this.#reader.cancel().catch(() => {});
    this.onReadable?.();
  }

  #finish(): void {
    this.#state = 'ended';
    this.#cutBy?.removeEventListener('abort', this.#onAbort);
    this.#onEnd();
  }
}
