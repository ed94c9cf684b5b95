import { ParseError } from '../values/parse-error.js';

/** Requirements of a selector that comes with a request. */
export const MAX_TERMS = 1000;
/** Values of all its requirements together. */
export const MAX_VALUES = 10_000;

/** Selectors of requests are bounded, since a watch keeps its own for as long as it is open (spec 4.8). */
export const tooMany = (most: number, what: string): ParseError =>
  new ParseError(`invalid selector: it has more than ${most} ${what}`);
