import { compareText } from '../../json/order.js';
import { isRecord } from '../../schema/json-objects.js';
import { type Literal, type Operand, type PathNode, parseJsonPath } from './parse.js';

/** A path that does not lead where it should; whoever asked shows nothing. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/** Values that one path may find: a path of several `..` could find itself again and again. */
const MAX_FOUND = 100_000;

/** Finds what a path leads to; fields that are absent lead nowhere. */
export type JsonPath = (value: unknown) => readonly unknown[];

/**
 * Compiles a path as columns have it: `.spec.items[?(@.k=="x")].v`.
 * @returns its function, which throws a {@link PathError} for indexes out of bounds and comparisons that make no sense
 * @throws ParseError
 */
export function compileJsonPath(text: string): JsonPath {
  const nodes = parseJsonPath(text);
  return (value) => walk(nodes, [value]);
}

function walk(nodes: readonly PathNode[], values: readonly unknown[]): readonly unknown[] {
  let found = values;
  for (const node of nodes) {
    found = found.flatMap((value) => next(node, value));
    if (found.length > MAX_FOUND) throw new PathError('the path finds too much');
  }
  return found;
}

function next(node: PathNode, value: unknown): readonly unknown[] {
  switch (node.type) {
    case 'field':
      return isRecord(value) && Object.hasOwn(value, node.name) ? [value[node.name]] : [];
    case 'wildcard':
      return childrenOf(value);
    case 'recursive':
      return descendants(value);
    case 'slice':
      return sliced(node, value);
    case 'union':
      return node.paths.flatMap((path) => walk(path, [value]));
    case 'filter':
      return childrenOf(value, 'array').filter((item) => holds(node, item));
  }
}

function childrenOf(value: unknown, only?: 'array'): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (only === 'array' || !isRecord(value)) return [];
  return Object.keys(value)
    .sort(compareText)
    .map((name) => value[name]);
}

/** A value and all that is in it. */
function descendants(value: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const waiting = [value];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (typeof at !== 'object' || at === null) continue;
    found.push(at);
    if (found.length > MAX_FOUND) throw new PathError('the path finds too much');
    waiting.unshift(...childrenOf(at));
  }
  return found;
}

function sliced({ start, end, step }: Extract<PathNode, { type: 'slice' }>, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) {
    if (value === null || value === undefined) return [];
    throw new PathError('is not array or slice');
  }
  const { length } = value;
  const from = at(start ?? 0, length);
  const to = end === 'one' ? from + 1 : at(end ?? length, length);
  if (from < 0 || from >= length || to > length) {
    if (length === 0 && end !== 'one') return [];
    throw new PathError(`array index out of bounds: index ${start ?? 0}, length ${length}`);
  }
  if (from > to) throw new PathError('starting index is greater than ending index');
  const every = step ?? 1;
  if (every <= 0) throw new PathError('step must be > 0');
  return value.slice(from, to).filter((_, i) => i % every === 0);
}
const at = (index: number, length: number): number => (index < 0 ? index + length : index);

function holds({ left, operator, right }: Extract<PathNode, { type: 'filter' }>, item: unknown): boolean {
  const first = operandValues(left, item);
  if (operator === 'exists') return first.length > 0;
  if (first.length === 0) return false;
  const second = operandValues(right, item);
  if (second.length === 0) return false;
  if (first.length > 1 || second.length > 1) throw new PathError('can only compare one element at a time');
  return compare(first[0], operator, second[0]);
}

function operandValues(operand: Operand | undefined, item: unknown): readonly unknown[] {
  if (operand === undefined) return [];
  return 'path' in operand ? walk(operand.path, [item]) : [operand.literal];
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  if (typeof left !== typeof right || !isComparable(left) || !isComparable(right))
    throw new PathError('incompatible types for comparison');
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}
const isComparable = (value: unknown): value is Literal =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
