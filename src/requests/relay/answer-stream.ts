import { messageOf } from '../../values/message-of.js';
import type { ByteStream } from '../api-request.js';

/**
 * The body of another server's answer, no faster than it is taken: one chunk waits at most. When it breaks off, so does the stream.
 * @param onEnd called once, when nothing of it will be taken any more.
 */
export function answerStream(body: ReadableStream<Uint8Array>, onEnd: () => void): ByteStream {
  return new AnswerStream(body.getReader(), onEnd);
}

class AnswerStream implements ByteStream {
  onReadable: (() => void) | undefined;
  broken: string | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #onEnd: () => void;
  #waiting: readonly Uint8Array[] = [];
  #state: 'idle' | 'reading' | 'ended' = 'idle';

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, onEnd: () => void) {
    this.#reader = reader;
    this.#onEnd = onEnd;
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
        if (done) this.#finish();
        else {
          this.#state = 'idle';
          this.#waiting = [value];
        }
        this.onReadable?.();
      },
      (error: unknown) => {
        if (this.#state === 'ended') return;
        this.broken = messageOf(error);
        this.#finish();
        this.onReadable?.();
      },
    );
  }

  #finish(): void {
    this.#state = 'ended';
    this.#onEnd();
  }
}
