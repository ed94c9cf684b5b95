import { messageOf } from '../../values/message-of.js';
import type { ByteStream } from '../api-request.js';

/**
 * Streams the response body of another server only as fast as it is read, with at most one chunk buffered. The stream fails if the body
 * fails or has another length than announced, because a client could take surplus bytes for the next response.
 * @param onEnd called once, when nothing more of the body will be read.
 * @param length the Content-Length, if the response has one
 */
export function answerStream(body: ReadableStream<Uint8Array>, onEnd: () => void, length?: number): ByteStream {
  return new AnswerStream(body.getReader(), onEnd, length);
}

class AnswerStream implements ByteStream {
  onReadable: (() => void) | undefined;
  broken: string | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #onEnd: () => void;
  #waiting: readonly Uint8Array[] = [];
  #state: 'idle' | 'reading' | 'ended' = 'idle';
  readonly #length: number | undefined;
  #count = 0;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, onEnd: () => void, length: number | undefined) {
    this.#reader = reader;
    this.#onEnd = onEnd;
    this.#length = length;
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
        if (this.#length !== undefined && (done ? this.#count < this.#length : this.#count > this.#length)) {
          this.#reader.cancel().catch(() => {});
          this.#break(`http: ContentLength=${this.#length} with Body length ${this.#count}`);
        } else if (done) this.#finish();
        else {
          this.#state = 'idle';
          this.#waiting = [value];
        }
        this.onReadable?.();
      },
      (error: unknown) => {
        if (this.#state === 'ended') return;
        this.#break(messageOf(error));
        this.onReadable?.();
      },
    );
  }

  #break(why: string): void {
    this.broken = why;
    this.#finish();
  }

  #finish(): void {
    this.#state = 'ended';
    this.#onEnd();
  }
}
