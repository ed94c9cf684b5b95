import type { ByteStream } from '../api-request.js';

/** A stream made of another one, with some parts of its own: whatever else it is asked, the other one answers. */
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
