/**
 * Thrown for a document, or a value in it, that cannot be decoded. The message is that of the API error without the prefix that the
 * server adds.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
