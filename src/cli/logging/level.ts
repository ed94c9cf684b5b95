import { parseUnsigned } from '../../values/numbers.js';
import { quote } from '../../values/quote.js';

const MOST_VERBOSE = 2 ** 31 - 1;

/** Parses a verbosity: decimal digits without a sign, at most 2^31-1. @throws ParseError or RangeError in the reference's words. */
export function readLevel(text: string): number {
  const level = Number(parseUnsigned(text));
  if (level > MOST_VERBOSE) throw new RangeError(`strconv.ParseUint: parsing ${quote(text)}: value out of range`);
  return level;
}
