import { type Clock, isYoung, reading } from '../meta/clock.js';

/** Milliseconds until a file is read again: a little less than the minute within which a new token is expected to count. */
const PERIOD = 50_000;

/** The token in a file that somebody renews. */
export class TokenFileSource {
  readonly #read: () => Promise<string>;
  readonly #clock: Clock;
  #token: string;
  #since: number | undefined;

  /** @param token what counts until the file can be read. */
  constructor(read: () => Promise<string>, token: string, clock: Clock) {
    this.#read = read;
    this.#token = token;
    this.#clock = clock;
  }

  /** The file's content, or what was read of it last. */
  async token(): Promise<string> {
    if (this.#since !== undefined && isYoung(this.#clock, this.#since, PERIOD)) return this.#token;
    this.#since = reading(this.#clock);
    const text = await this.#read().then(
      (content) => content.trim(),
      () => '',
    );
    if (text !== '') this.#token = text;
    return this.#token;
  }

  /** The server did not take a token: the file may have another. */
  refuse(token: string): void {
    if (token === this.#token) this.#since = undefined;
  }
}
