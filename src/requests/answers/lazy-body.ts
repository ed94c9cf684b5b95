import type { ByteStream, ResponseBody } from '../api-request.js';

/** Answers up to this many bytes are made at once and sent in one piece, with their length. */
const EAGER_BYTES = 512 * 1024;

/**
 * Makes the body of an answer that is encoded in pieces. A large body is encoded as it is read: its beginning is sent before its end
 * exists, and a client that does not read costs one piece of memory instead of a copy of everything.
 */
export function lazyBody(pieces: Iterable<Uint8Array>): ResponseBody {
  const iterator = pieces[Symbol.iterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length <= EAGER_BYTES) {
    const { done, value } = iterator.next();
    if (done) return { type: 'bytes', chunks, length };
    chunks.push(value);
    length += value.length;
  }
  return { type: 'stream', stream: new Pieces(chunks, iterator), finite: true };
}

/** A stream that can always be read until it ends. */
class Pieces implements ByteStream {
  onReadable: (() => void) | undefined;
  #first: readonly Uint8Array[];
  #rest: Iterator<Uint8Array> | undefined;

  constructor(first: readonly Uint8Array[], rest: Iterator<Uint8Array>) {
    this.#first = first;
    this.#rest = rest;
  }

  get ended(): boolean {
    return this.#rest === undefined;
  }

  take(): readonly Uint8Array[] {
    const first = this.#first;
    this.#first = [];
    if (first.length > 0) return first;
    const next = this.#rest?.next();
    if (next !== undefined && next.done !== true) return [next.value];
    this.#rest = undefined;
    return [];
  }

  close(): void {
    this.#first = [];
    this.#rest = undefined;
  }
}
