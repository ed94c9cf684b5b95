import type { Query } from '../meta/query.js';
import { parseFieldSelector, requiredFieldValue } from '../selectors/field-selector.js';
import type { RequestFacts } from './matching.js';

/**
 * The indexed field of each resource that has one. As in upstream's approximation, a watch that selects one value of the field is not
 * counted, because it receives few of the changes.
 */
const INDEXED: ReadonlyMap<string, string> = new Map([['pods', 'spec.nodeName']]);

/**
 * Counts the watches by the objects that they watch. A watch with a selector on a field that is not indexed counts fully, because each
 * write evaluates the selector.
 */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /**
   * Counts a watch.
   * @returns a function that removes the watch from the count. Calls after the first do nothing.
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

  /**
   * Returns the number of watches that a write of this object concerns: those of the whole resource, of its namespace, and of the object
   * itself.
   */
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
    // The selector is invalid, so the watch will be refused soon. Until then it counts like a watch without a selector.
    return false;
  }
}
