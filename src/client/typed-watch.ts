import { ApiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Status } from '../meta/status.js';

/** An event of a typed watch. */
export type TypedWatchEvent<T extends ApiObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: ApiObject }
  | { readonly type: 'ERROR'; readonly object: Status };

type Source<T extends ApiObject> = AsyncIterable<TypedWatchEvent<T>> & { close(): void };

/** The changes of a collection, as an async iterable. Opens when first asked; ERROR events are thrown as ApiError. */
export class TypedWatch<T extends ApiObject> implements AsyncIterable<Exclude<TypedWatchEvent<T>, { type: 'ERROR' }>> {
  readonly #open: () => Promise<Source<T>>;
  #source: Promise<Source<T>> | undefined;
  #closed = false;

  /** @param signal ends it, as {@link close} does. */
  constructor(open: () => Promise<Source<T>>, signal?: AbortSignal) {
    this.#open = open;
    if (signal?.aborted) this.#closed = true;
    else signal?.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Resolves once the watch is open: every change from then on will be sent. @throws ApiError when it is refused. */
  async opened(): Promise<this> {
    this.#source ??= this.#open();
    await this.#source;
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Exclude<TypedWatchEvent<T>, { type: 'ERROR' }>> {
    this.#source ??= this.#open();
    const source = await this.#source;
    if (this.#closed) source.close();
    for await (const event of source) {
      if (event.type === 'ERROR') throw new ApiError(event.object);
      yield event;
    }
  }

  /** Ends it; iteration stops. */
  close(): void {
    this.#closed = true;
    this.#source?.then(
      (source) => source.close(),
      () => {},
    );
  }
}
