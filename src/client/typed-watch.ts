import { ApiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Status } from '../meta/status.js';

/** A change that a watch sends; watches send nothing else unless bookmarks are requested. */
export interface TypedChange<T extends ApiObject> {
  /** What happened to the object. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object after the change; for DELETED, its last state. */
  readonly object: T;
}
/** An event of a typed watch. */
export type TypedWatchEvent<T extends ApiObject> =
  | TypedChange<T>
  | { readonly type: 'BOOKMARK'; readonly object: ApiObject }
  | { readonly type: 'ERROR'; readonly object: Status };

type Source<T extends ApiObject> = AsyncIterable<TypedWatchEvent<T>> & { close(): void };

/** The changes of a collection, as an async iterable. The watch opens on first use; ERROR events are thrown as ApiError. */
export class TypedWatch<
  T extends ApiObject,
  E extends TypedWatchEvent<T> = Exclude<TypedWatchEvent<T>, { type: 'ERROR' }>,
> implements AsyncIterable<E>
{
  readonly #open: () => Promise<Source<T>>;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.close();
  #source: Promise<Source<T>> | undefined;
  #closed = false;

  /** @param signal ends the watch, as {@link close} does. */
  constructor(open: () => Promise<Source<T>>, signal?: AbortSignal) {
    this.#open = open;
    this.#signal = signal;
    if (signal?.aborted) this.#closed = true;
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /**
   * Resolves once the watch is open: every change from then on will be sent.
   * @throws ApiError if the watch is refused.
   */
  async opened(): Promise<this> {
    await this.#opening();
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<E> {
    const source = await this.#opening();
    if (this.#closed) source.close();
    try {
      for await (const event of source) {
        if (event.type === 'ERROR') throw new ApiError(event.object);
        yield event as E; // Client.watch requests bookmarks only if E includes them, so the cast is safe.
      }
    } finally {
      this.#release();
    }
  }

  /** Ends the watch and its iteration. */
  close(): void {
    this.#closed = true;
    this.#release();
    this.#source?.then(
      (source) => source.close(),
      () => {},
    );
  }

  #opening(): Promise<Source<T>> {
    this.#source ??= this.#open().catch((error: unknown) => {
      this.#release();
      throw error;
    });
    return this.#source;
  }

  /** Detaches from the signal, which may be shared by many watches and would keep an ended one in memory. */
  #release(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
