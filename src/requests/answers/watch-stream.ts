import type { ResourceWatch, WatchEvent } from '../../registry/resource-watch.js';
import { encodeWatchEvent } from '../../serialization/encoding-cache.js';
import { encodeJsonLine } from '../../serialization/json/encode.js';
import type { ByteStream } from '../api-request.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import { negotiated } from './negotiate-route.js';
import { protobufFrames } from './protobuf-answer.js';
import { watchTransform } from './transform.js';

/** A watch as the bytes of its events, one line or frame each. @throws ApiError 406 */
export function watchStream(exchange: Exchange, { watch, resource }: Extract<Result, { type: 'watch' }>): ByteStream {
  const { transform, format } = negotiated(exchange);
  // Events are single objects: in the form of a list there is nothing to send (spec 20.8).
  if (transform?.kind === 'PartialObjectMetadataList') watch.close();
  let encode = transform ? transformedLine(watchTransform(exchange, resource, transform)) : plainLine;
  if (format === 'protobuf') {
    try {
      encode = protobufFrames(exchange, resource, transform);
    } catch (error) {
      watch.close();
      throw error;
    }
  }
  const lines = new EncodedEvents(watch, encode);
  const stream: ByteStream = {
    take: () => lines.take(),
    onReadable: undefined,
    get ended() {
      return watch.ended;
    },
    close: () => lines.close(),
  };
  watch.onReadable = () => stream.onReadable?.();
  exchange.request.signal?.addEventListener('abort', () => lines.close(), { once: true });
  exchange.deadline.stop();
  return stream;
}

const EVENTS_AT_ONCE = 100;
/** Events are not encoded beyond this before somebody took them; objects can be of any size. */
const BYTES_AT_ONCE = 256 * 1024;

/** Encodes what is taken, when it is taken: a reader that does not read holds no bytes but those of one take. */
class EncodedEvents {
  readonly #watch: ResourceWatch;
  readonly #encode: (event: WatchEvent) => Uint8Array;
  #events: readonly WatchEvent[] = [];
  #next = 0;

  constructor(watch: ResourceWatch, encode: (event: WatchEvent) => Uint8Array) {
    this.#watch = watch;
    this.#encode = encode;
  }

  /** Chunks up to a bound that the last one may pass. */
  take(): readonly Uint8Array[] {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    do {
      if (this.#next >= this.#events.length) this.#refill();
      for (; this.#next < this.#events.length && bytes < BYTES_AT_ONCE; this.#next++) {
        const event = this.#events[this.#next];
        if (event === undefined) continue;
        const chunk = this.#encode(event);
        bytes += chunk.length;
        chunks.push(chunk);
      }
      // A batch that is not full is all there was.
    } while (bytes < BYTES_AT_ONCE && this.#events.length >= EVENTS_AT_ONCE);
    if (this.#next >= this.#events.length) this.#events = [];
    return chunks;
  }

  close(): void {
    this.#events = [];
    this.#watch.close();
  }

  #refill(): void {
    this.#events = this.#watch.take(EVENTS_AT_ONCE);
    this.#next = 0;
  }
}

const plainLine = ({ type, object }: WatchEvent): Uint8Array =>
  type === 'BOOKMARK' || type === 'ERROR' ? encodeJsonLine({ type, object }) : encodeWatchEvent(type, object);

function transformedLine(
  transform: (event: Exclude<WatchEvent, { type: 'ERROR' }>) => object,
): (event: WatchEvent) => Uint8Array {
  return (event) =>
    encodeJsonLine({ type: event.type, object: event.type === 'ERROR' ? event.object : transform(event) });
}
