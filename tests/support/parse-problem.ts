import { ParseError } from '../../src/values/parse-error.js';

/** Returns the error message of a parser for `text`; undefined if it is valid. */
export function parseProblem(parse: (text: string) => unknown, text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof ParseError) return error.message;
    throw error;
  }
}
