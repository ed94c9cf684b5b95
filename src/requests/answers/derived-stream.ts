import type { ByteStream } from '../api-request.js';

/** Returns a stream with the members in `own` that behaves like `stream` in all other respects. */
export function derivedStream(
  stream: ByteStream,
  own: Pick<ByteStream, 'take'> & Partial<Pick<ByteStream, 'close'>>,
): ByteStream {
  return {
    close: () => stream.close(),
    hold: () => stream.hold?.() ?? (() => {}),
    ...own,
    get onReadable() {
      return stream.onReadable;
    },
    set onReadable(callback) {
      stream.onReadable = callback;
    },
    get ended() {
      return stream.ended;
    },
    get broken() {
      return stream.broken;
    },
  };
}
