import type { Query } from '../meta/query.js';
import { parseFieldSelector, requiredFieldValue } from '../selectors/field-selector.js';
import type { RequestFacts } from './matching.js';

/** Fields that watches of a resource are indexed by: a change concerns only watches that select its value. */
const INDEXED: ReadonlyMap<string, string> = new Map([['pods', 'spec.nodeName']]);

/**
 * The number of watches that a write concerns. Selectors on other than the indexed fields do not lower it, because they are evaluated for
 * each watch.
 */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /**
   * Counts a watch.
   * @returns removes the watch from the count, once.
   */
  add(info: RequestFacts, query: Query): () => void {
    const indexed = INDEXED.get(info.resource);
    if (indexed !== undefined && namesValue(query.first('fieldSelector') ?? '', indexed)) return () => {};
    const key = keyOf(info, info.namespace, info.name);
    this.#counts.set(key, this.#countOf(key) + 1);
    let counted = true;
    return () => {
      if (!counted) return;
      counted = false;
      const left = this.#countOf(key) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }

  /** Returns the number of watches of all objects, of the object's namespace, and of the object itself. */
  concernedBy(info: RequestFacts): number {
    if (this.#counts.size === 0) return 0;
    const { namespace, name } = info;
    return (
      this.#countOf(keyOf(info, '', '')) +
      (namespace === '' ? 0 : this.#countOf(keyOf(info, namespace, ''))) +
      (name === '' ? 0 : this.#countOf(keyOf(info, namespace, name)))
    );
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

const keyOf = ({ group, resource }: RequestFacts, namespace: string, name: string) =>
  `${group}/${resource}/${namespace}/${name}`;

function namesValue(selector: string, field: string): boolean {
  if (!selector.includes(field)) return false;
  try {
    return (requiredFieldValue(parseFieldSelector(selector), field) ?? '') !== '';
  } catch {
    return false; // the watch is refused because of its selector
  }
}
