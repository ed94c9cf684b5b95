import { quote } from '../../values/quote.js';

/** The error for a string that is not a list of indexes. */
export class BadIndexes extends Error {}

/**
 * Returns how many indexes a string such as `1,3-5` contains; 0 for an empty string.
 * @param completions the exclusive upper bound of indexes
 * @throws BadIndexes when the indexes are not ascending, one is too large, or the string contains anything but numbers.
 */
export const countIndexes = (text: string, completions: number): number =>
  intervalsOf(text, completions).reduce((total, [first, end]) => total + end - first + 1, 0);

type Interval = readonly [first: number, end: number];

/** Parses a string such as `1,3-5` into intervals that include both ends. @throws BadIndexes as {@link countIndexes} does */
export function intervalsOf(text: string, completions: number): readonly Interval[] {
  if (text === '') return [];
  let last: number | undefined;
  return text.split(',').map((each) => {
    const interval = readInterval(each, completions);
    if (last !== undefined && last >= interval[0]) throw notIncreasing(last, interval[0]);
    last = interval[1];
    return interval;
  });
}

function readInterval(interval: string, completions: number): Interval {
  const limits = interval.split('-');
  const [first = '', end] = limits;
  if (limits.length > 2)
    throw new BadIndexes(
      `the fragment ${quote(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  const from = readIndex(first, completions);
  if (end === undefined) return [from, from];
  const to = readIndex(end, completions);
  if (from >= to) throw notIncreasing(from, to);
  return [from, to];
}

function readIndex(text: string, completions: number): number {
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new BadIndexes(`cannot convert string to integer for index: ${quote(text)}`);
  if (Number(text) >= completions) throw new BadIndexes(`too large index: ${quote(text)}`);
  return Number(text);
}

const notIncreasing = (previous: number, current: number) =>
  new BadIndexes(`non-increasing order, previous: ${previous}, current: ${current}`);
