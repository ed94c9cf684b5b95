import { ParseError } from '../../src/values/parse-error.js';

/** A parser's error message for `text`, or undefined where it parses. */
export function parseProblem(parse: (text: string) => unknown, text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof ParseError) return error.message;
    throw error;
  }
}
