/**
 * Thrown for a document, or a value in it, that cannot be decoded. The message is that of the API error without the prefix that the
 * server adds.
 */
export class DecodeError extends Error {
  override readonly name: string = 'DecodeError';
}

/** Thrown for a document with a number beyond the range of a double. */
export class NumberRangeError extends DecodeError {
  override readonly name = 'NumberRangeError';

  constructor(literal: string) {
    super(`json: cannot unmarshal number ${literal} into Go value of type float64`);
  }
}
