import type { Readable } from 'node:stream';
import { type BodyStream, CallerGoneError } from '../../requests/api-request.js';

/** Bodies that are read as streams, with the callback for a reader that leaves before the end. */
const read = new WeakMap<Readable, { onReaderGone?: () => void }>();

/**
 * Streams the body of a Node request one chunk at a time; the client is held back until the next chunk is wanted.
 * @param announced the Content-Length, or NaN without one: Node and HTTP/2 enforce it
 * @param onRead called before the body is waited for
 */
export function streamedBody(incoming: Readable, announced: number, onRead?: () => void): BodyStream {
  const reading: { onReaderGone?: () => void } = {};
  let open = true;
  let begun = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const end = (finish: () => void) => () => {
    if (!open) return;
    open = false;
    read.delete(incoming);
    finish();
  };
  const gone = end(() => controller?.error(new CallerGoneError()));
  const leave = end(() => {
    controller?.error(new Error('the body of the request is not read any more'));
    reading.onReaderGone?.();
  });
  const bytes = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
        read.set(incoming, reading);
        incoming.on('data', (chunk: Uint8Array) => {
          if (!open) return;
          incoming.pause();
          started.enqueue(chunk);
        });
        incoming.pause();
        incoming.on(
          'end',
          end(() => started.close()),
        );
        incoming.on('close', gone);
        incoming.on('error', gone);
        if (incoming.destroyed) gone();
      },
      pull() {
        if (!begun) onRead?.();
        begun = true;
        incoming.resume();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return { bytes, leave, ...(Number.isNaN(announced) ? {} : { length: announced }) };
}

/**
 * Calls back once the rest of a body may be discarded: at once, or if the body is read as a stream, when its reader leaves before the end.
 */
export function whenReaderGone(incoming: Readable, callback: () => void): void {
  const reading = read.get(incoming);
  if (reading) reading.onReaderGone = callback;
  else callback();
}
