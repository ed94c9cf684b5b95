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
