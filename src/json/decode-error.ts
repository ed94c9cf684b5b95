/**
 * Thrown for a document, or a value in it, that cannot be decoded. The message is the inner text of the API's message, without its prefix.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
