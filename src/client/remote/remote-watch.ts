import { isJsonObject } from '../../json/value.js';
import { ApiError } from '../../meta/api-error.js';
import { type Clock, reading, sleep } from '../../meta/clock.js';
import type { Random } from '../../meta/random.js';
import type { WatchEvent } from '../../registry/reads/resource-watch.js';
import { deepFreeze } from '../../store/freeze.js';
import type { WatchPosition } from './watch-position.js';

export interface RemoteWatchOptions {
  readonly position: WatchPosition;
  /**
   * Opens a connection that sends events.
   * @throws ApiError, RequestFailed
   */
  readonly open: (parameters: URLSearchParams, signal: AbortSignal) => Promise<Response>;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined;
  /** Whether bookmarks are passed on to the caller; the watch itself always requests them. */
  readonly bookmarks: boolean;
  /** Milliseconds after which the watch ends. Default: it continues until it is closed. */
  readonly timeout?: number | undefined;
}

/** Milliseconds before the first reconnection. The wait doubles while connections fail, up to `LONGEST_WAIT`. */
const FIRST_WAIT = 800;
const LONGEST_WAIT = 30_000;
/** The maximum number of characters of an event, so that a faulty server cannot fill the memory. client-go has the same limit. */
const MAX_EVENT = 16 * 1024 * 1024;

/** A watch of another server that reconnects whenever its connection is lost. */
export class RemoteWatch implements AsyncIterable<WatchEvent> {
  readonly #options: RemoteWatchOptions;
  readonly #abort = new AbortController();
  readonly #onAbort = () => this.close();
  readonly #since: number;
  #first: Response | undefined;
  /** The number of connections in a row without an event. */
  #failures = 0;

  private constructor(options: RemoteWatchOptions) {
    this.#options = options;
    this.#since = reading(options.clock);
    if (options.signal?.aborted) this.#abort.abort(options.signal.reason);
    options.signal?.addEventListener('abort', this.#onAbort);
  }

  /**
   * Opens a watch and resolves when the server has accepted it.
   * @throws ApiError if the server refuses the watch, RequestFailed if there is no response.
   */
  static async open(options: RemoteWatchOptions): Promise<RemoteWatch> {
    const watch = new RemoteWatch(options);
    try {
      watch.#first = await watch.#connect();
      return watch;
    } catch (error) {
      watch.close();
      throw error;
    }
  }

  /** Ends the watch. */
  close(): void {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#abort.abort();
    this.#first?.body?.cancel().catch(() => {});
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent> {
    try {
      let response = this.#first;
      this.#first = undefined;
      for (;;) {
        if (response) yield* this.#follow(response);
        if (this.#isOver()) return;
        await this.#pause();
        if (this.#isOver()) return;
        response = await this.#reconnect();
      }
    } finally {
      this.close();
    }
  }

  async *#follow(response: Response): AsyncGenerator<WatchEvent> {
    try {
      for await (const event of eventsOf(response)) {
        // A temporary error does not end the watch: it continues on another connection.
        if (event.type === 'ERROR' && isPassing(event.object.code)) return;
        if (event.type === 'ERROR') {
          yield event;
          this.#abort.abort();
          return;
        }
        this.#failures = 0;
        for (const watchEvent of this.#options.position.follow(event))
          if (watchEvent.type !== 'BOOKMARK' || this.#options.bookmarks) yield deepFreeze(watchEvent);
      }
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
    }
  }

  /**
   * Reconnects and returns the response. The result is undefined after a temporary error, when another attempt is worthwhile.
   * @throws ApiError for a permanent error.
   */
  async #reconnect(): Promise<Response | undefined> {
    try {
      return await this.#connect();
    } catch (error) {
      if (this.#abort.signal.aborted) return undefined;
      if (error instanceof ApiError && !isPassing(error.code)) throw error;
      return undefined;
    }
  }

  #connect(): Promise<Response> {
    const { position, open } = this.#options;
    const parameters = position.parameters();
    const left = this.#remainingTimeout();
    if (left !== undefined) parameters.set('timeoutSeconds', String(Math.max(1, Math.ceil(left / 1000))));
    return open(parameters, this.#abort.signal);
  }

  #remainingTimeout(): number | undefined {
    const { timeout, clock } = this.#options;
    return timeout === undefined ? undefined : timeout - (reading(clock) - this.#since);
  }

  #isOver(): boolean {
    // The clocks of server and client differ slightly, so a watch with little time left counts as ended.
    return this.#abort.signal.aborted || (this.#remainingTimeout() ?? 1000) < 500;
  }

  #pause(): Promise<void> {
    const { clock, random } = this.#options;
    const jitter = 1 + (random.fill(new Uint8Array(1))[0] ?? 0) / 256;
    const wait = Math.min(FIRST_WAIT * 2 ** this.#failures++ * jitter, LONGEST_WAIT);
    return sleep(clock, wait, this.#abort.signal, 'next connection of a watch');
  }
}

/** Thrown when the connection was lost or sent something other than watch events. */
class LostConnection extends Error {}

const isPassing = (code: number | undefined) => code !== undefined && (code === 429 || code >= 500);

async function* eventsOf(response: Response): AsyncGenerator<WatchEvent> {
  for await (const line of linesOf(response)) {
    const event = readEvent(line);
    if (!event) throw new LostConnection();
    yield event;
  }
}

/** @throws Error for a line that arrives in several chunks and has more than `MAX_EVENT` characters. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // The chunks of an incomplete line are joined only when the line is complete, because joining them one by one would copy a long line many
  // times.
  let pieces: string[] = [];
  let length = 0;
  try {
    for (;;) {
      const part = await reader.read().catch((error: unknown) => {
        throw new LostConnection('lost', { cause: error });
      });
      if (part.done) return;
      const [first = '', ...rest] = decoder.decode(part.value, { stream: true }).split('\n');
      pieces.push(first);
      length += first.length;
      if (length > MAX_EVENT) throw new Error(`the server sent a watch event of more than ${MAX_EVENT} characters`);
      for (const next of rest) {
        const line = pieces.join('');
        pieces = [next];
        length = next.length;
        if (line !== '') yield line;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const TYPES: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

function readEvent(line: string): WatchEvent | undefined {
  try {
    const event: unknown = JSON.parse(line);
    if (!isJsonObject(event) || !TYPES.has(event['type']) || !isJsonObject(event['object'])) return undefined;
    if (event['type'] !== 'ERROR' && !isJsonObject(event['object']['metadata'])) return undefined;
    // The conditions above have checked the members that callers use, so the cast is safe.
    return event as unknown as WatchEvent;
  } catch {
    return undefined;
  }
}
