/** A document, or a value in it, that cannot be read. The message is the wire's inner text, without a frame. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
