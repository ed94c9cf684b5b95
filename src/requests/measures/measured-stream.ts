import { derivedStream } from '../answers/derived-stream.js';
import type { ByteStream } from '../api-request.js';

/**
 * Returns a stream that counts the bytes of another stream.
 * @param onEnd called once, when the reader has read everything (`isWhole`) or has left.
 */
export function measuredStream(
  stream: ByteStream,
  signal: AbortSignal | undefined,
  onEnd: (bytes: number, isWhole: boolean) => void,
): ByteStream {
  let bytes = 0;
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    signal?.removeEventListener('abort', end);
    onEnd(bytes, stream.ended);
  };
  signal?.addEventListener('abort', end, { once: true });
  return derivedStream(stream, {
    take() {
      const chunks = stream.take();
      for (const { length } of chunks) bytes += length;
      if (chunks.length === 0 && stream.ended) end();
      return chunks;
    },
    close() {
      end();
      stream.close();
    },
  });
}
