import type { Readable } from 'node:stream';
import { apiError } from '../../meta/api-error.js';
import { type BodyStream, CallerGoneError, type RequestBody } from '../../requests/api-request.js';
import { pulledStream } from '../../requests/bodies/pulled-stream.js';
import { GatheredBytes, joinBytes } from '../../values/join-bytes.js';
import { isStream, type Outgoing } from '../stream-request.js';

/**
 * The maximum number of chunks of a body that is read in full. Each chunk costs as much as several thousand bytes, so a limit on bytes
 * alone would not limit the cost. Networks split 3 MiB into about 2,500 chunks.
 */
const MAX_CHUNKS = 100_000;

/**
 * The stream that a body is read from: an HTTP/1.x request, an HTTP/2 stream, or the request object that Node's compatibility layer creates
 * for an HTTP/2 stream.
 */
export type BodySource = Readable & {
  readonly headers?: { readonly 'content-type'?: string | undefined };
  /** Whether the request was aborted. Over HTTP/2, Node also ends the body of a request that the client reset before its end. */
  readonly aborted?: boolean;
};

/**
 * Creates the body of a Node request. `read` keeps at most `maxBytes` in memory. It returns `tooLarge` when more bytes arrive, or at once
 * if the announced length is higher; the rest of the body is discarded. `stream` buffers one chunk. `read` and `stream` reject with
 * CallerGoneError when the client disconnects, and `read` rejects with an ApiError (400) when the body arrives in too many chunks.
 * @param announced the Content-Length, or NaN without one.
 * @param onRead called before the server waits for the body.
 */
export function requestBody(request: BodySource, announced: number, onRead?: () => void): RequestBody {
  let started = false;
  const start = () => {
    if (started) throw new TypeError('the body of a request can be read only once');
    started = true;
  };
  const arrived = (maxBytes: number): Uint8Array | undefined => {
    if (request.readableLength !== announced || announced > maxBytes || started) return undefined;
    if (request.aborted || request.readableEnded || request.destroyed) return undefined;
    started = true;
    onRead?.();
    return joinBytes([request.read()]);
  };
  return {
    type: 'bytes',
    arrived,
    async read(maxBytes) {
      const whole = arrived(maxBytes);
      if (whole) return whole;
      start();
      if (announced > maxBytes) return 'tooLarge';
      if (request.aborted) throw new CallerGoneError();
      if (request.readableEnded) return readBefore(request, maxBytes);
      onRead?.();
      return collect(request, maxBytes);
    },
    stream() {
      start();
      if (request.aborted || !request.readableEnded) return streamedBody(request, announced, onRead);
      let taken = false;
      const whole = async () => {
        if (taken) return undefined;
        taken = true;
        const bytes = await readBefore(request, Number.POSITIVE_INFINITY);
        return bytes === 'tooLarge' ? undefined : bytes;
      };
      return { bytes: pulledStream(whole), leave() {} };
    },
  };
}

/**
 * Returns a body that the embedding program (for example the body parser of a web framework) has already read, from the property `body`. A
 * parsed document is serialized to JSON again, so duplicate members are lost and numbers appear as JavaScript prints them.
 * @throws ApiError 500 if that property does not hold a usable value.
 */
async function readBefore(request: BodySource, maxBytes: number): Promise<Uint8Array | 'tooLarge'> {
  const { body } = request as { readonly body?: unknown };
  const isJson = /[/+]json\s*(;|$)/i.test(request.headers?.['content-type'] ?? '');
  let bytes: Uint8Array;
  // Over HTTP/2, Node ends an empty body even if nothing has read it, so an ended body of which nothing was read is empty.
  if (body === undefined && !request.readableDidRead) bytes = new Uint8Array();
  else if (body instanceof Uint8Array) bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  else if (typeof body === 'string') bytes = new TextEncoder().encode(body);
  else if (isJson && typeof body === 'object' && body !== null) bytes = new TextEncoder().encode(JSON.stringify(body));
  else
    throw apiError.internal(
      'the body of the request was read before it came to the API server: mount the server before what parses bodies',
    );
  return bytes.length > maxBytes ? 'tooLarge' : bytes;
}

function collect(request: BodySource, maxBytes: number): Promise<Uint8Array | 'tooLarge'> {
  return new Promise((resolve, reject) => {
    let gathered: GatheredBytes | undefined = new GatheredBytes();
    let length = 0;
    let chunks = 0;
    // After the result is settled, the listeners stay registered but do nothing. Removing them would cost more, and they are
    // garbage-collected with the request.
    let settled = false;
    const settle = () => {
      settled = true;
      gathered = undefined;
    };
    const onDisconnect = () => {
      if (settled) return;
      settle();
      reject(new CallerGoneError());
    };
    if (request.destroyed) {
      onDisconnect();
      return;
    }
    request.on('data', (chunk: Buffer) => {
      if (settled) return;
      length += chunk.length;
      gathered?.add(chunk);
      if (length > maxBytes) {
        settle();
        resolve('tooLarge');
      } else if (++chunks > MAX_CHUNKS) {
        settle();
        reject(apiError.badRequest(`the body of the request comes in more than ${MAX_CHUNKS} chunks`));
      }
    });
    request.on('end', () => {
      if (request.aborted) onDisconnect();
      if (settled) return;
      const bytes = gathered?.take() ?? new Uint8Array();
      settle();
      resolve(bytes);
    });
    request.on('close', onDisconnect);
    // `close` reports a failure too, but an error event without a listener would end the process.
    request.on('error', onDisconnect);
  });
}

/** Bodies that are read as streams. `onReaderGone` is called when the reader cancels before the end. */
const read = new WeakMap<Readable, { onReaderGone?: () => void }>();

/**
 * Streams the body of a Node request one chunk at a time. The client is held back until the reader requests the next chunk.
 * @param announced the Content-Length, which Node and HTTP/2 enforce, or NaN without one
 * @param onRead called before the server waits for the body
 */
function streamedBody(incoming: BodySource, announced: number, onRead?: () => void): BodyStream {
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
          end(() => (incoming.aborted ? started.error(new CallerGoneError()) : started.close())),
        );
        incoming.on('close', gone);
        incoming.on('error', gone);
        if (incoming.destroyed || incoming.aborted) gone();
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
 * Calls `callback` once the rest of a body may be discarded: at once, or if the body is read as a stream, when the reader cancels before
 * the end.
 */
export function whenReaderGone(incoming: Readable, callback: () => void): void {
  const reading = read.get(incoming);
  if (reading) reading.onReaderGone = callback;
  else callback();
}

/** The responses whose clients wait for `100 Continue`. */
const waiting = new WeakSet<object>();

/** Records that a client sends its body only after `100 Continue`. */
export function noteExpectation(outgoing: Outgoing): void {
  waiting.add(outgoing);
}

/** Returns whether the client still waits for `100 Continue`. */
export function waitsForContinue(outgoing: Outgoing): boolean {
  return waiting.has(outgoing);
}

/** Sends `100 Continue` once the server reads the body, so that a client whose request is refused never sends its body. */
export function sendContinue(outgoing: Outgoing): void {
  if (!waiting.delete(outgoing) || outgoing.headersSent) return;
  if (!isStream(outgoing)) outgoing.writeContinue();
  else if (!outgoing.closed) outgoing.additionalHeaders({ ':status': 100 });
}
