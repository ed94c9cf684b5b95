import type { Lister } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';

/** A change of an object: `next` is absent if the object was deleted, `previous` if it was created. */
export interface CacheChange {
  /** The object after the change; undefined if it was deleted. */
  readonly next: ApiObject | undefined;
  /** The object before the change; undefined if it was created. */
  readonly previous: ApiObject | undefined;
}

type Callback = (next: ApiObject | undefined, previous: ApiObject | undefined) => void;

/** The maximum number of changes that a cache holds back. A watch buffers the same number of events for a client that does not read. */
const MAX_HELD = 1_000;

/**
 * The objects of one kind as a controller reads them in the mode `stepped`, in which controllers run only when a test lets them. Normally
 * these are the current objects of the server. While a test holds changes back, the controller reads the objects as they were before the
 * changes, like a controller with a slow watch.
 */
export class ControllerCache implements Lister {
  /** The name of the controller that reads the cache. */
  readonly controller: string;
  /** The name of the user as which the controller would watch the kind if it ran outside the server. */
  readonly user: string;
  /** The API group of the kind; '' for the core group. */
  readonly group: string;
  /** The plural name of the kind. */
  readonly resource: string;
  readonly #lister: Lister;
  #callbacks: readonly Callback[] = [];
  #stopFollowing: (() => void) | undefined;
  /** Called for each change that is held back; undefined while the cache holds no changes back. */
  #onHeld: (() => void) | undefined;
  /** The changes that are held back, oldest first. `#ofObject` groups the same changes by object. */
  readonly #held: CacheChange[] = [];
  readonly #ofObject = new Map<string, CacheChange[]>();

  constructor(controller: string, user: string, group: string, resource: string, lister: Lister) {
    this.controller = controller;
    this.user = user;
    this.group = group;
    this.resource = resource;
    this.#lister = lister;
  }

  get(namespace: string, name: string): ApiObject | undefined {
    const held = this.#ofObject.get(`${namespace}/${name}`);
    return held ? held[0]?.previous : this.#lister.get(namespace, name);
  }

  list(namespace?: string, unreadable?: 'refuse' | 'skip'): readonly ApiObject[] {
    const current = this.#lister.list(namespace, unreadable);
    if (this.#held.length === 0) return current;
    const shown = [...current.filter((object) => !this.#ofObject.has(identity(object)))];
    for (const object of this.#replacements())
      if (namespace === undefined || namespace === '' || object.metadata.namespace === namespace) shown.push(object);
    return shown.sort((one, other) => (identity(one) < identity(other) ? -1 : 1));
  }

  byIndex(
    indexOf: (object: ApiObject) => readonly string[],
    key: string,
    unreadable?: 'refuse' | 'skip',
  ): Iterable<ApiObject> {
    const current = this.#lister.byIndex(indexOf, key, unreadable);
    if (this.#held.length === 0) return current;
    const shown = [...current].filter((object) => !this.#ofObject.has(identity(object)));
    return [...shown, ...this.#replacements().filter((object) => indexOf(object).includes(key))];
  }

  onChange(callback: Callback): () => void {
    this.#callbacks = [...this.#callbacks, callback];
    this.#follow();
    return () => {
      this.#callbacks = this.#callbacks.filter((each) => each !== callback);
      this.#unfollow();
    };
  }

  /** The changes that are held back, oldest first. */
  get held(): readonly CacheChange[] {
    return this.#held;
  }

  /** Starts to hold changes back. @param onHeld called for each change that is held back. */
  hold(onHeld: () => void): void {
    this.#onHeld = onHeld;
    this.#follow();
  }

  /** Delivers the oldest change that is held back. */
  release(): void {
    const change = this.#held.shift();
    if (!change) return;
    const object = identityOf(change);
    const ofObject = this.#ofObject.get(object);
    ofObject?.shift();
    if (ofObject?.length === 0) this.#ofObject.delete(object);
    this.#report(change);
  }

  /** Delivers all changes that are held back, and stops holding changes back. */
  end(): void {
    this.#onHeld = undefined;
    while (this.#held.length > 0) this.release();
    this.#unfollow();
  }

  #follow(): void {
    this.#stopFollowing ??= this.#lister.onChange((next, previous) => this.#changed({ next, previous }));
  }

  #unfollow(): void {
    if (this.#callbacks.length > 0 || this.#onHeld) return;
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
  }

  #changed(change: CacheChange): void {
    if (!this.#onHeld) {
      this.#report(change);
      return;
    }
    this.#held.push(change);
    const object = identityOf(change);
    const ofObject = this.#ofObject.get(object);
    if (ofObject) ofObject.push(change);
    else this.#ofObject.set(object, [change]);
    if (this.#held.length > MAX_HELD) this.#listAnew();
    this.#onHeld();
  }

  /**
   * Imitates a controller whose slow watch was ended. It lists the objects again, so the controller receives each object once, however
   * often the object has changed.
   */
  #listAnew(): void {
    const changes = Array.from(this.#ofObject.values(), (held) => ({
      previous: held[0]?.previous,
      next: held.at(-1)?.next,
    }));
    this.#held.length = 0;
    this.#ofObject.clear();
    for (const change of changes) if (change.next ?? change.previous) this.#report(change);
  }

  #report({ next, previous }: CacheChange): void {
    for (const callback of this.#callbacks) callback(next, previous);
  }

  /** Returns the old versions of the objects whose changes are held back. */
  #replacements(): readonly ApiObject[] {
    return Array.from(this.#ofObject.values(), ([first]) => first?.previous).filter((object) => object !== undefined);
  }
}

const identity = ({ metadata }: ApiObject) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

function identityOf({ next, previous }: CacheChange): string {
  const object = next ?? previous;
  return object ? identity(object) : '';
}
