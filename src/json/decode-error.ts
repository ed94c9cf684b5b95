/**
 * Thrown for a document, or a value in it, that cannot be decoded. The message is the inner part of the API's message, without the prefix
 * that the server adds.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
