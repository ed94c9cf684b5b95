import type { ApiObject } from '../../meta/object-meta.js';
import type { StoreEvent, Watch } from '../../store/storage.js';
import type { ServedForm } from '../served/served-form.js';
import { interpretStoreError } from '../store-errors.js';

/** The maximum number of events whose objects are converted in one call. */
const BATCH = 500;

/** The members of a watch that its reader uses. */
export type EventSource = Pick<Watch<ApiObject>, 'close' | 'error' | 'onReadable' | 'state' | 'take'>;

/**
 * A watch of objects that are converted asynchronously. Events keep their order and are released when the objects of their batch are
 * converted. If the conversion fails, the watch is closed with the error, an ApiError.
 */
export class ConvertedWatch implements EventSource {
  onReadable: (() => void) | undefined;
  readonly #source: Watch<ApiObject>;
  readonly #ready: NonNullable<ServedForm['ready']>;
  readonly #selects: boolean;
  #converted: readonly StoreEvent<ApiObject>[] = [];
  #converting = false;
  #error: Error | undefined;

  /** @param selects whether the reader's selectors need the previous versions of objects, too */
  constructor(source: Watch<ApiObject>, ready: NonNullable<ServedForm['ready']>, selects: boolean) {
    this.#source = source;
    this.#ready = ready;
    this.#selects = selects;
    source.onReadable = () => this.onReadable?.();
  }

  get state(): Watch<ApiObject>['state'] {
    if (this.#error) return 'closed';
    return this.#converting || this.#converted.length > 0 ? 'lagging' : this.#source.state;
  }

  get error(): Error | undefined {
    return this.#error ?? this.#source.error;
  }

  take(max: number = BATCH): readonly StoreEvent<ApiObject>[] {
    if (this.#converted.length === 0 && !this.#converting && !this.#error) this.#convert();
    const taken = this.#converted.slice(0, max);
    this.#converted = this.#converted.slice(max);
    return taken;
  }

  close(): void {
    this.#converted = [];
    this.#source.close();
  }

  #convert(): void {
    const events = this.#source.take(BATCH);
    const objects = this.#objectsOf(events);
    const ready = objects && this.#ready(objects);
    if (!ready) {
      if (objects) this.#converted = events;
      return;
    }
    this.#converting = true;
    const done = (error?: Error) => {
      this.#converting = false;
      if (error) this.#fail(error);
      else if (this.#source.state !== 'closed') this.#converted = events;
      this.onReadable?.();
    };
    ready.then(() => done(), done);
  }

  /** Returns the objects to convert. If an object cannot be read, the watch ends and the result is undefined. */
  #objectsOf(events: readonly StoreEvent<ApiObject>[]): readonly ApiObject[] | undefined {
    try {
      return events.flatMap(({ value, previous }) => (previous && this.#selects ? [value, previous] : [value]));
    } catch (error) {
      // The store throws only instances of Error, so the cast is safe.
      this.#fail(interpretStoreError(error, 'exact') as Error);
      return undefined;
    }
  }

  #fail(error: Error): void {
    this.#error = error;
    this.#source.close();
  }
}
