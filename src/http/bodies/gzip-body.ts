import { createGzip, type Gzip } from 'node:zlib';
import type { ResponseBody } from '../../requests/api-request.js';
import { lengthOf } from '../../values/join-bytes.js';
import { cutOff, type Sink } from '../end-connection.js';
import { noteProgress, type OpenAnswers } from '../open-answers.js';
import type { Outgoing } from '../stream-request.js';
import { StreamPump } from './stream-pump.js';

/** The fastest compression level, which upstream uses as well. */
const LEVEL = 1;
/** The size in bytes of the pieces that the compression outputs. */
const PIECE_BYTES = 64 * 1024;

/** The number of bytes that one compression holds: the state of zlib, and one piece of its output. */
export const COMPRESSION_BYTES = 256 * 1024 + PIECE_BYTES;

export interface GzipBodyOptions {
  /** Sends the head of the response, with a Content-Length if the length of the whole body is known. Throws if a header cannot be sent. */
  readonly begin: (length: number | undefined) => Sink | undefined;
  /** The number of compressed bytes to collect before the response starts, so that a short response is sent with its length. */
  readonly holds: number;
  /** Called if the response could not be started or its body failed. */
  readonly onFault: (error: unknown) => void;
}

/** Compressed bodies, by the frozen chunks of the uncompressed body. Frozen chunks may be sent to several clients. */
const compressedBodies = new WeakMap<readonly Uint8Array[], readonly Uint8Array[]>();

/**
 * Compresses a body off the main thread, and sends it only as fast as the client reads. If either the response or the compression ends, the
 * other is ended, too. Frozen chunks are compressed only once: the result is cached when the first client has read it to the end.
 */
export function sendGzip(body: ResponseBody, outgoing: Outgoing, open: OpenAnswers, options: GzipBodyOptions): void {
  const chunks = body.type === 'bytes' && Object.isFrozen(body.chunks) ? body.chunks : undefined;
  const known = chunks && compressedBodies.get(chunks);
  if (known) {
    const length = lengthOf(known);
    const sink = options.begin(length <= options.holds ? length : undefined);
    if (sink === undefined) return;
    open.sendBody(open.watchOver(outgoing), known, sink);
    return;
  }
  const gzip = createGzip({ level: LEVEL, chunkSize: PIECE_BYTES });
  const answer = open.watchOver(outgoing, COMPRESSION_BYTES);
  noteProgress(answer, outgoing);
  outgoing.once('close', () => gzip.destroy());
  gzip.once('close', () => {
    if (!gzip.readableEnded) cutOff(outgoing);
  });
  forward(gzip, options);
  if (chunks) {
    const pieces: Uint8Array[] = [];
    gzip.on('data', (piece: Buffer) => pieces.push(piece));
    gzip.on('end', () => compressedBodies.set(chunks, pieces));
  }
  if (body.type === 'bytes') open.sendBody(answer, body.chunks, gzip);
  else if (body.type === 'stream') new StreamPump(body.stream, gzip, { onFault: options.onFault });
}

/** Sends the compressed bytes, after enough of them have been collected to know whether the response is short. */
function forward(gzip: Gzip, { begin, holds, onFault }: GzipBodyOptions): void {
  let held: Buffer[] = [];
  let bytes = 0;
  let sink: Sink | undefined;
  const start = (length?: number) => {
    try {
      sink = begin(length);
    } catch (error) {
      onFault(error);
    }
    if (sink === undefined) {
      gzip.destroy();
      return;
    }
    sink.on('error', () => undefined);
    sink.on('drain', () => gzip.resume());
    const first = Buffer.concat(held);
    held = [];
    if (!sink.write(first)) gzip.pause();
  };
  gzip.on('error', () => undefined);
  gzip.on('data', (piece: Buffer) => {
    if (sink !== undefined) {
      if (!sink.write(piece)) gzip.pause();
      return;
    }
    held.push(piece);
    bytes += piece.length;
    if (bytes > holds) start();
  });
  gzip.on('end', () => {
    if (sink === undefined) start(bytes);
    sink?.end();
  });
}
