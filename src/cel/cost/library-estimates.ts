import { ANY_SIZE, add, exactly, multiply, ONE, scale, UNBOUNDED, union, upTo, ZERO } from './bounds.js';
import type { Bounds, Estimate, EstimateNode, Estimates } from './cost.js';
import { matching, PATTERN, TRAVERSAL, traversal } from './standard-estimates.js';

/**
 * Returns the size of an argument for the estimates of library functions. Unlike the language's own functions, library functions count
 * scalars as values of unknown size.
 */
const worst = (node: EstimateNode | undefined): Bounds => node?.size ?? ANY_SIZE;

const kept: Estimate = (target) => {
  const size = worst(target);
  return { cost: traversal(size), size };
};
const read =
  (times = 1): Estimate =>
  (_target, [text]) => ({ cost: scale(worst(text), times * TRAVERSAL) });

/**
 * Returns how many occurrences the function `replace` replaces and how many characters of the string remain. It is called twice: for the
 * longest possible result, and for the shortest one.
 */
function replacements(text: number, part: number, always: boolean, unchanged: boolean): [count: number, kept: number] {
  if (always) return [Math.min(text + 1, UNBOUNDED), text];
  if (unchanged) return [0, text];
  return [Math.ceil(text / part), 0];
}

const replace: Estimate = (target, [part, by]) => {
  const [text, old, fresh] = [worst(target), worst(part), worst(by)];
  const [most, mostKept] = replacements(text.max, old.min, old.min === 0, fresh.max <= old.min);
  const [fewest, fewestKept] = replacements(text.min, old.max, old.max === 0, old.max <= fresh.min);
  const size = add(multiply({ min: fewest, max: most }, fresh), { min: fewestKept, max: mostKept });
  return { cost: scale(text, 2 * TRAVERSAL), size };
};

const split: Estimate = (target, [, limit]) => {
  const text = worst(target);
  const literal = limit?.literal;
  // Upstream reads a literal limit as an unsigned number, so a negative one is very large.
  const isWhole = typeof literal === 'number' || typeof literal === 'bigint';
  const most = isWhole ? Number(BigInt.asUintN(64, BigInt(literal))) : text.max;
  return { cost: scale(text, 2 * TRAVERSAL), size: upTo(most) };
};

const join: Estimate = (target, [separator]) => {
  const list = worst(target);
  // As in upstream, only the separators count if the elements have no declared type.
  let size = target?.type.kind === 'list' ? multiply(list, target.elementSize ?? ANY_SIZE) : ZERO;
  if (separator !== undefined) {
    const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
    size = add(size, multiply(worst(separator), gaps));
  }
  return { cost: traversal(size), size };
};

export const stringEstimates = (): Estimates => ({
  lowerAscii: kept,
  upperAscii: kept,
  substring: kept,
  trim: kept,
  replace,
  split,
  join,
  indexOf: (target) => ({ cost: traversal(worst(target)) }),
  lastIndexOf: (target) => ({ cost: traversal(worst(target)) }),
});

export const formattingEstimates = (): Estimates => ({
  format: (target) => ({ cost: traversal(worst(target)) }),
  'strings.quote': (_target, [text]) => {
    const size = worst(text);
    // In upstream, the doubled size of an unbounded string overflows to zero.
    const max = size.max === UNBOUNDED ? 0 : size.max * 2 + 2;
    return { cost: traversal(size), size: { min: size.min + 2, max } };
  },
});

/**
 * Estimates a comparison of each element; strings and bytes are also traversed. A value that is not known to be a list is estimated as a
 * string.
 */
const compareAll: Estimate = (target) => {
  if (target?.type.kind !== 'list') return { cost: traversal(worst(target)) };
  const element = target.type.element.kind;
  const text = element === 'string' || element === 'bytes';
  return { cost: multiply(worst(target), text ? add(ONE, traversal(target.elementSize ?? ANY_SIZE)) : ONE) };
};

export const listEstimates = (): Estimates =>
  Object.fromEntries(['isSorted', 'sum', 'min', 'max', 'indexOf', 'lastIndexOf'].map((name) => [name, compareAll]));

/** Estimates a search in which every character of the string can be a separate match. */
const find: Estimate = (target, [pattern]) => {
  const text = worst(target);
  return { cost: matching(text, worst(pattern)), size: upTo(text.max) };
};
export const regexEstimates = (): Estimates => ({ find, findAll: find });

export const urlEstimates = (): Estimates => ({ url: read() });

export const ipEstimates = (): Estimates => ({ ip: read(), isIP: read(), 'ip.isCanonical': read(2) });

/** The size of an IP address in bytes, all of which a comparison reads. */
const ADDRESS: Bounds = { min: 4, max: 16 };
const BOTH_ADDRESSES = traversal(add(ADDRESS, ADDRESS));
/** Adds the cost of parsing an argument that is a string, or may be one. */
function parseCost(node: EstimateNode | undefined, cost: Bounds): { cost: Bounds } {
  const read = add(cost, traversal(worst(node)));
  if (node?.type.kind === 'string') return { cost: read };
  return { cost: node?.type.kind === 'dyn' ? union(cost, read) : cost };
}

export const cidrEstimates = (): Estimates => ({
  cidr: read(),
  isCIDR: read(),
  containsIP: (_target, [other]) => parseCost(other, BOTH_ADDRESSES),
  // Upstream compares the addresses, masks the wider range and compares the prefix lengths, so the costs of all three are added.
  containsCIDR: (_target, [other]) => parseCost(other, add(add(BOTH_ADDRESSES, traversal(ADDRESS)), ONE)),
});

export const quantityEstimates = (): Estimates => ({ quantity: read(), isQuantity: read() });

/** The length of the longest pattern of a named format. */
const LONGEST_FORMAT = 128;
export const formatEstimates = (): Estimates => ({
  validate: (_target, [text]) => ({ cost: scale(traversal(worst(text)), LONGEST_FORMAT * PATTERN) }),
});

/** The cost of an authorization check. It is so high that an expression can make at most two checks within `CALL_LIMIT`. */
const CHECK = 350_000;
/** Estimates the parsing of a selector, which matches its keys and its values against patterns. */
const selector: Estimate = (_target, [text]) => ({ cost: scale(worst(text), 2 * TRAVERSAL * LONGEST_FORMAT) });
export const authorizerEstimates = (): Estimates => ({
  check: () => ({ cost: exactly(CHECK) }),
});
export const selectorEstimates = (): Estimates => ({
  fieldSelector: selector,
  labelSelector: selector,
});

const compareSets =
  (times: number): Estimate =>
  (_target, [left, right]) => ({ cost: add(scale(multiply(worst(left), worst(right)), times), ONE) });
export const setEstimates = (): Estimates => ({
  'sets.contains': compareSets(1),
  'sets.intersects': compareSets(1),
  'sets.equivalent': compareSets(2),
});
