import { ParseError } from '../values/parse-error.js';

/** Maximum number of requirements in a selector of a request. */
export const MAX_TERMS = 1000;
/** Maximum number of values in all requirements of a selector of a request. */
export const MAX_VALUES = 10_000;

/**
 * Returns the error for a selector with too many requirements or values. The limits exist because a watch keeps its selector in memory
 * (spec 4.8).
 */
export const tooMany = (most: number, what: string): ParseError =>
  new ParseError(`invalid selector: it has more than ${most} ${what}`);
