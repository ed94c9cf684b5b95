import { compareText } from '../json/order.js';
import { isJsonObject } from '../json/value.js';
import { type Literal, type PathNode, parseJsonPath } from '../values/parse-json-path.js';

/** The error for a path that does not fit the value. The cell of the column is then empty. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/**
 * The maximum number of values that one evaluation visits. It is limited because several `..` in a path can visit the same values again and
 * again.
 */
const MAX_VISITS = 100_000;

/** The number of values that may still be visited, shared by several paths. */
export interface LooksLeft {
  visits: number;
}

/** Returns the values that a path selects; absent fields select nothing. */
export type JsonPath = (value: unknown, left?: LooksLeft) => readonly unknown[];

/**
 * Compiles a JSONPath of a printer column: `.spec.items[?(@.k=="x")].v`.
 * @returns a function that throws a {@link PathError} for an index out of bounds, an invalid comparison, or too many values
 * @throws ParseError
 */
export function compileJsonPath(text: string): JsonPath {
  const nodes = parseJsonPath(text);
  return (value, left = { visits: MAX_VISITS }) => {
    const walk = new Walk(Math.min(left.visits, MAX_VISITS));
    try {
      return walk.follow(nodes, [value]);
    } finally {
      left.visits -= walk.visits;
    }
  };
}

/** One evaluation of a path. */
class Walk {
  visits = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  follow(nodes: readonly PathNode[], values: readonly unknown[]): readonly unknown[] {
    let found = values;
    for (const node of nodes) {
      const next: unknown[] = [];
      // A union follows its first path from all values before its second one.
      if (node.type === 'union') {
        for (const path of node.paths) next.push(...this.follow(path, found));
        found = next;
        continue;
      }
      for (const value of found) {
        const step = this.#step(node, value);
        for (const each of step) next.push(this.#countVisit(each));
        // As in upstream, an empty slice of one list ends the step, and the values after this list are skipped.
        if (node.type === 'slice' && step.length === 0 && Array.isArray(value)) break;
      }
      found = next;
    }
    return found;
  }

  #countVisit<T>(value: T): T {
    if (++this.visits > this.#most) throw new PathError('the path finds too much');
    return value;
  }

  #step(node: Exclude<PathNode, { type: 'union' }>, value: unknown): readonly unknown[] {
    switch (node.type) {
      case 'field':
        return isJsonObject(value) && Object.hasOwn(value, node.name) ? [value[node.name]] : [];
      case 'wildcard':
        return childrenOf(value);
      case 'recursive':
        return this.#descendants(value);
      case 'literal':
        return [node.value];
      case 'identifier':
        throw new PathError('unrecognized identifier');
      case 'slice':
        return sliceItems(node, value);
      case 'filter':
        if (!Array.isArray(value)) throw new PathError('is not array or slice and cannot be filtered');
        return value.filter((item) => this.#matchesFilter(node, this.#countVisit(item)));
    }
  }

  /** Returns a value and all objects and arrays in it. Each of them comes before its own members. */
  #descendants(value: unknown): readonly unknown[] {
    const found: unknown[] = [];
    const waiting = [value];
    while (waiting.length > 0) {
      const at = waiting.pop();
      if (typeof at !== 'object' || at === null) continue;
      found.push(this.#countVisit(at));
      waiting.push(...childrenOf(at).toReversed());
    }
    return found;
  }

  #matchesFilter({ left, operator, right }: Extract<PathNode, { type: 'filter' }>, item: unknown): boolean {
    const first = this.follow(left, [item]);
    if (operator === 'exists') return first.length > 0;
    if (first.length === 0) return false;
    const second = this.follow(right, [item]);
    if (second.length === 0) return false;
    if (first.length > 1 || second.length > 1) throw new PathError('can only compare one element at a time');
    return compare(first[0], operator, second[0]);
  }
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  // As in upstream, the children of a string are its bytes. They are returned as strings, because no column of numbers prints them.
  if (typeof value === 'string') return Array.from(new TextEncoder().encode(value.slice(0, MAX_VISITS + 1)), String);
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .sort(compareText)
    .map((name) => value[name]);
}

function sliceItems(
  { start, end, step = 1 }: Extract<PathNode, { type: 'slice' }>,
  value: unknown,
): readonly unknown[] {
  if (!Array.isArray(value)) {
    if (value === null || value === undefined) return [];
    throw new PathError('is not array or slice');
  }
  const { length } = value;
  const from = placeOf(start ?? 0, length);
  const to = end === 'one' ? from + 1 : placeOf(end ?? length, length);
  if (from === to) return [];
  if (from < 0 || from >= length || to < 0 || to > length)
    throw new PathError(`array index out of bounds: index ${start ?? 0}, length ${length}`);
  if (from > to) throw new PathError('starting index is greater than ending index');
  if (step <= 0) throw new PathError('step must be > 0');
  return value.slice(from, to).filter((_, i) => i % step === 0);
}
const placeOf = (index: number, length: number): number => (index < 0 ? index + length : index);

function compare(left: unknown, operator: string, right: unknown): boolean {
  if (!isComparable(left) || !isComparable(right) || kindOf(left) !== kindOf(right))
    throw new PathError('incompatible types for comparison');
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left === 'boolean') throw new PathError('invalid type for comparison');
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      throw new PathError(`unrecognized filter operator ${operator}`);
  }
}
/** Returns the type of a literal. Only values of the same type are comparable, and integers and other numbers are different types. */
const kindOf = (value: Literal): string => (Number.isInteger(value) ? 'integer' : typeof value);
const isComparable = (value: unknown): value is Literal =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
