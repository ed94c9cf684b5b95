/** Pieces of bytes as one. A single piece stays where it is; a Buffer becomes a plain Uint8Array, whose `slice` copies. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1)
    return only.constructor === Uint8Array ? only : new Uint8Array(only.buffer, only.byteOffset, only.byteLength);
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
