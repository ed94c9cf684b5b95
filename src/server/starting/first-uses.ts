import type { ApiObject } from '../../meta/object-meta.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import type { Storage } from '../../store/storage.js';
import { noteOwn, type OwnObjects } from '../saved-state.js';

/** Work that waits until a kind is first requested. */
interface Waiting {
  /** The storage prefixes of the kinds. */
  readonly keyPrefixes: readonly string[];
  readonly make: () => Promise<unknown>;
  underWay: Promise<void> | undefined;
}

/** Work that a server does when a kind is first requested, because most servers never need it. */
export class FirstUses {
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #storage: Storage<ApiObject>;
  readonly #own: OwnObjects;

  /** @param own receives the objects that are made of the kinds. */
  constructor(storage: Storage<ApiObject>, own: OwnObjects) {
    this.#storage = storage;
    this.#own = own;
  }

  /**
   * Adds work for the first request of some kinds.
   * @param make must not request these kinds through an environment that waits for it.
   */
  add(keyPrefixes: readonly string[], make: () => Promise<unknown>): void {
    const waiting: Waiting = { keyPrefixes, make, underWay: undefined };
    for (const prefix of keyPrefixes) {
      const others = this.#waiting.get(prefix);
      if (others) others.add(waiting);
      else this.#waiting.set(prefix, new Set([waiting]));
    }
  }

  /** Does all work that waits for a kind and resolves when it is done; undefined if no work is left. */
  ask({ keyPrefix }: Pick<ServedResource, 'keyPrefix'>): Promise<unknown> | undefined {
    const waiting = this.#waiting.get(keyPrefix);
    return waiting && this.#beginAll([...waiting]);
  }

  /** The work is done in sequence, so that generated ids do not depend on which module loads faster. */
  async #beginAll(all: readonly Waiting[]): Promise<void> {
    for (const each of all) await (each.underWay ??= this.#begin(each));
  }

  async #begin(waiting: Waiting): Promise<void> {
    const { revision } = this.#storage;
    try {
      await waiting.make();
    } catch (error) {
      // The next request tries again.
      waiting.underWay = undefined;
      throw error;
    }
    for (const prefix of waiting.keyPrefixes) {
      // All other writers of these kinds are waiting, so objects written since are the server's own.
      noteOwn(this.#own, this.#storage, prefix, revision);
      const all = this.#waiting.get(prefix);
      all?.delete(waiting);
      if (all?.size === 0) this.#waiting.delete(prefix);
    }
  }
}
