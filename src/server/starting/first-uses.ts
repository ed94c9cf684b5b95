import type { ApiObject } from '../../meta/object-meta.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import type { Storage } from '../../store/storage.js';
import { noteOwn, type OwnObjects } from '../saved-state.js';

/** What waits until somebody first asks for a kind. */
interface Waiting {
  /** Where the objects of the kinds are kept. */
  readonly keyPrefixes: readonly string[];
  readonly make: () => Promise<unknown>;
  underWay: Promise<void> | undefined;
}

/** What a server does when somebody first asks for some kinds: most servers never need it. */
export class FirstUses {
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #storage: Storage<ApiObject>;
  readonly #own: OwnObjects;

  /** @param own gets what is made of the kinds. */
  constructor(storage: Storage<ApiObject>, own: OwnObjects) {
    this.#storage = storage;
    this.#own = own;
  }

  /** @param make asks for none of these kinds by requests that wait for it. */
  add(keyPrefixes: readonly string[], make: () => Promise<unknown>): void {
    const waiting: Waiting = { keyPrefixes, make, underWay: undefined };
    for (const prefix of keyPrefixes) {
      const others = this.#waiting.get(prefix);
      if (others) others.add(waiting);
      else this.#waiting.set(prefix, new Set([waiting]));
    }
  }

  /** Resolves when everything that waited for a kind is done; undefined where nothing does. */
  ask({ keyPrefix }: Pick<ServedResource, 'keyPrefix'>): Promise<unknown> | undefined {
    const waiting = this.#waiting.get(keyPrefix);
    return waiting && this.#beginAll([...waiting]);
  }

  /** One after the other: which of them takes which of the ids that chance gives is not left to what loads faster. */
  async #beginAll(all: readonly Waiting[]): Promise<void> {
    for (const each of all) await (each.underWay ??= this.#begin(each));
  }

  async #begin(waiting: Waiting): Promise<void> {
    const { revision } = this.#storage;
    try {
      await waiting.make();
    } catch (error) {
      // Tried again by the next request.
      waiting.underWay = undefined;
      throw error;
    }
    for (const prefix of waiting.keyPrefixes) {
      // Whoever else writes such an object waits.
      noteOwn(this.#own, this.#storage, prefix, revision);
      const all = this.#waiting.get(prefix);
      all?.delete(waiting);
      if (all?.size === 0) this.#waiting.delete(prefix);
    }
  }
}
