import type { Readable } from 'node:stream';
import { type BodyStream, CallerGoneError } from '../../requests/api-request.js';

/** Bodies that somebody reads bit by bit, with what is to be done when he leaves one before its end. */
const read = new WeakMap<Readable, { onLeft?: () => void }>();

/**
 * The body of a Node request, a chunk at a time: the client is stopped while none is wanted.
 * @param announced the Content-Length, NaN when there is none: Node and HTTP/2 see to it that no other length comes
 * @param onRead called before the body is waited for
 */
export function streamedBody(incoming: Readable, announced: number, onRead?: () => void): BodyStream {
  const reading: { onLeft?: () => void } = {};
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
    reading.onLeft?.();
  });
  const bytes = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
        read.set(incoming, reading);
        incoming.on('data', (chunk: Uint8Array) => {
          if (!open) return;
          incoming.pause();
          given.enqueue(chunk);
        });
        incoming.pause();
        incoming.on(
          'end',
          end(() => given.close()),
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

/** Calls at once what is to be done with the rest of a body; or when he who reads it bit by bit leaves it, if he does. */
export function whenLeft(incoming: Readable, then: () => void): void {
  const reading = read.get(incoming);
  if (reading) reading.onLeft = then;
  else then();
}
