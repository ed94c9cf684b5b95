/**
 * A text that does not parse. The message is exactly that of the wire; the caller of a parser decides what it becomes:
 * most are a 400 BadRequest with this message, some get words before it, some are one FieldError.
 */
export class ParseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ParseError';
  }
}

/** The parser's error message for `text`, or undefined where it parses. */
export function parseProblem(parse: (text: string) => unknown, text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof ParseError) return error.message;
    throw error;
  }
}
