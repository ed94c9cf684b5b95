/**
 * Thrown when a string cannot be parsed, with the exact message of the API. The caller of the parser chooses the response: mostly a 400
 * BadRequest with this message, sometimes with a prefix, sometimes a FieldError.
 */
export class ParseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ParseError';
  }
}
