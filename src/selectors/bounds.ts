import { ParseError } from '../values/parse-error.js';

/** Terms of a selector in a query. A watch keeps its selector for as long as it is open, so that its size must be bounded. */
export const MAX_SELECTOR_TERMS = 1000;
/** Values of all terms of a label selector in a query: enough to select as many objects by name. */
export const MAX_SELECTOR_VALUES = 10_000;

export const tooManyTerms = () => new ParseError(`a selector has at most ${MAX_SELECTOR_TERMS} terms`);
export const tooManyValues = () => new ParseError(`a selector has at most ${MAX_SELECTOR_VALUES} values`);
