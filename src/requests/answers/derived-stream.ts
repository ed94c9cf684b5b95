import type { ByteStream } from '../api-request.js';

/** Makes a stream from another one by replacing some of its members; all other members are the other stream's. */
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
