import { once } from '../../values/memoize.js';
import { ANY_SIZE, add, exactly, multiply, ONE, scale, union } from './bounds.js';
import type { Bounds, Estimate, EstimateNode } from './cost.js';

/** The cost of reading one character is a tenth of a unit, and the cost of one character of a pattern is a quarter. */
export const TRAVERSAL = 0.1;
export const PATTERN = 0.25;

const SCALARS: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

/** Returns the size of an argument as the language's own functions estimate it: scalars have size 1. */
export const sizeOf = (node: EstimateNode | undefined): Bounds =>
  node?.size ?? (node !== undefined && SCALARS.has(node.type.kind) ? ONE : ANY_SIZE);
export const traversal = (size: Bounds): Bounds => scale(size, TRAVERSAL);

/** Estimates a search for a pattern in a string. The string counts as at least one character. */
export const matching = (text: Bounds, pattern: Bounds): Bounds =>
  multiply(traversal(add(text, ONE)), scale(pattern, PATTERN));

const argument: Estimate = (_target, [first]) => ({ cost: traversal(sizeOf(first)) });
const toBytes: Estimate = (_target, [first]) => {
  const size = sizeOf(first);
  return { cost: traversal(size), size: { min: size.min, max: size.max * 4 } };
};
const toText: Estimate = (_target, [first]) => {
  const size = sizeOf(first);
  return { cost: traversal(size), size: { min: Math.floor(size.min / 4), max: size.max } };
};
const shorter: Estimate = (_target, [left, right]) => {
  const max = Math.min(sizeOf(left).max, sizeOf(right).max);
  return { cost: traversal({ min: max > 0 ? 1 : 0, max }) };
};
const joined: Estimate = (_target, [left, right]) => {
  const size = add(sizeOf(left), sizeOf(right));
  return { cost: traversal(size), size };
};

/**
 * The estimates of the language's own overloads. An overload without one has the usual cost of a call. `Estimator` itself estimates `&&`,
 * `||` and `?:`.
 */
const byOverload = (): Readonly<Record<string, Estimate>> => ({
  string_to_bytes: toBytes,
  bytes_to_string: toText,
  starts_with_string: argument,
  ends_with_string: argument,
  in_list: (_target, [, list]) => ({ cost: sizeOf(list) }),
  matches_string: (target, [pattern]) => ({ cost: matching(sizeOf(target), sizeOf(pattern)) }),
  contains_string: (target, [part]) => ({ cost: multiply(traversal(sizeOf(target)), traversal(sizeOf(part))) }),
  add_list: (_target, [left, right]) => ({ cost: exactly(1), size: add(sizeOf(left), sizeOf(right)) }),
  add_string: joined,
  add_bytes: joined,
  ...Object.fromEntries(
    ['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) => [
      [`${name}_string`, shorter],
      [`${name}_bytes`, shorter],
    ]),
  ),
  equals: shorter,
  not_equals: shorter,
});
export const standardEstimates = once((): ReadonlyMap<string, Estimate> => new Map(Object.entries(byOverload())));

/** Returns the size of the result of a conditional expression (`?:`). */
export const chosen = (first: EstimateNode | undefined, second: EstimateNode | undefined): Bounds =>
  union(sizeOf(first), sizeOf(second));
