import type { ByteChannel } from '../meta/fetch.js';
import type { NativeSocket, NativeSource } from './native-http.js';

/*
 * Node's own conversions to web streams are not used, because they throw from an event handler when a stream is cancelled while it holds
 * bytes that were already received, and that would end the process.
 */

/** Converts a response or connection to a stream. Data is received no faster than the stream is read. */
export function streamOf(source: NativeSource): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (finish: () => void) => () => {
        if (!open) return;
        open = false;
        finish();
      };
      source.on('data', (chunk) => {
        if (!open) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) source.pause();
      });
      source.on(
        'end',
        end(() => controller.close()),
      );
      source.on(
        'close',
        end(() => controller.error(new Error('unexpected EOF'))),
      );
      source.on('error', (error) => end(() => controller.error(error))());
    },
    pull: () => source.resume(),
    cancel() {
      open = false;
      source.destroy();
    },
  });
}

/** Converts a connection to web streams. @param head bytes that have already been read from the connection */
export function channelOf(socket: NativeSocket, head: Uint8Array): ByteChannel {
  if (head.length > 0) socket.unshift(head);
  const writable = new WritableStream<Uint8Array>({
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => new Promise((resolve) => socket.end(resolve)),
    abort: () => socket.destroy(),
  });
  return { readable: streamOf(socket), writable };
}
