import { createGzip, type Gzip } from 'node:zlib';
import type { ResponseBody } from '../../requests/api-request.js';
import { lengthOf } from '../../values/join-bytes.js';
import type { NodeOutgoing } from '../node-request.js';
import type { OpenAnswers } from '../open-answers.js';
import { cutOff } from './cut-off.js';
import type { Sink } from './sink.js';
import { StreamPump } from './stream-pump.js';

/** As upstream's: the fastest. */
const LEVEL = 1;
/** Bytes handed on at once. */
const PIECE_BYTES = 64 * 1024;

export interface GzipBodyOptions {
  /** Starts the answer; `length` where everything is known already. Throws when a header cannot be sent. */
  readonly begin: (length: number | undefined) => Sink | undefined;
  /** Up to so many bytes are waited for, so that a short answer leaves with its length. */
  readonly holds: number;
  /** The answer could not be started, or its body not be made. */
  readonly onFault: (error: unknown) => void;
}

/** What came out, by the chunks of bodies that are final: those are sent to others, too. */
const kept = new WeakMap<readonly Uint8Array[], readonly Uint8Array[]>();

/**
 * Sends a body compressed: off this thread and piece by piece, no faster than the client reads. Whoever ends the answer ends
 * the compression, and the other way round. Of frozen chunks it is done once, for the first who reads to the end.
 */
export function sendGzip(
  body: ResponseBody,
  outgoing: NodeOutgoing,
  open: OpenAnswers,
  options: GzipBodyOptions,
): void {
  const chunks = body.type === 'bytes' && Object.isFrozen(body.chunks) ? body.chunks : undefined;
  const known = chunks && kept.get(chunks);
  if (known) {
    const length = lengthOf(known);
    const sink = options.begin(length <= options.holds ? length : undefined);
    if (sink === undefined) return;
    open.watchOver(outgoing);
    open.sendBody(known, sink);
    return;
  }
  const gzip = createGzip({ level: LEVEL, chunkSize: PIECE_BYTES });
  open.watchOver(outgoing);
  outgoing.once('close', () => gzip.destroy());
  gzip.once('close', () => {
    if (!gzip.readableEnded) cutOff(outgoing);
  });
  forward(gzip, options);
  if (chunks) {
    const pieces: Uint8Array[] = [];
    gzip.on('data', (piece: Buffer) => pieces.push(piece));
    gzip.on('end', () => kept.set(chunks, pieces));
  }
  if (body.type === 'bytes') open.sendBody(body.chunks, gzip);
  else if (body.type === 'stream') new StreamPump(body.stream, gzip, { onFault: options.onFault });
}

/** Sends what comes out, once it is known whether that is little. */
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
