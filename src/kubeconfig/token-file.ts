import { type Clock, isYoung, reading } from '../meta/clock.js';

/** Milliseconds until the file is read again. A new token should be in use within a minute, so this is a little less. */
const PERIOD = 50_000;

/** A token in a file that another program renews. */
export class TokenFileSource {
  readonly #read: () => Promise<string>;
  readonly #clock: Clock;
  #token: string;
  #since: number | undefined;

  /** @param token the token to use until the file can be read. */
  constructor(read: () => Promise<string>, token: string, clock: Clock) {
    this.#read = read;
    this.#token = token;
    this.#clock = clock;
  }

  /** Returns the token in the file. When the file cannot be read, the last token is returned. */
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

  /**
   * Makes the next request read the file again, unless a newer token has already been read. Must be called when the server refuses a token.
   */
  refuse(token: string): void {
    if (token === this.#token) this.#since = undefined;
  }
}
