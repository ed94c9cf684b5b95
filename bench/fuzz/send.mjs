/**
 * Sends bytes in pieces of random size: all that remain, or at most `most` bytes. A client that leaves ends or destroys the connection at a
 * random moment.
 */
export async function sendInPieces(socket, bytes, { leaves, most, random }) {
  for (let at = 0; at < bytes.length && !socket.destroyed; ) {
    const end = random.often(0.5) ? bytes.length : at + 1 + random.below(most);
    socket.write(bytes.subarray(at, end));
    at = end;
    if (random.often(0.3)) await new Promise(setImmediate);
    if (leaves && random.often(0.3)) {
      socket.destroy();
      return;
    }
  }
  if (leaves) socket[random.often(0.5) ? 'destroy' : 'end']();
}
