import type { EventStream, WatchEvent } from '../../registry/reads/resource-watch.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import type { EventFormat } from '../../serialization/format.js';
import { streamFormat } from '../../serialization/media-type.js';
import type { ByteStream, EventChunks } from '../api-request.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import { statusKind, watchTransform } from './transform.js';

/**
 * Returns a watch as a stream of encoded events, with the Content-Type of the stream.
 * @throws ApiError 400 for invalid options of a Table, 406 for a media type without streams.
 */
export function watchStream(
  exchange: Exchange,
  result: Extract<Result, { type: 'watch' }>,
): { readonly contentType: string; readonly stream: ByteStream; readonly events: EventChunks } {
  const { transform, mediaType } = exchange.form;
  // Events are single objects, so a watch for which PartialObjectMetadataList was negotiated ends without events, as in upstream.
  if (transform?.kind === 'PartialObjectMetadataList') result.watch.close();
  try {
    const { resource } = result;
    const documents = transform ? watchTransform(exchange, resource, transform) : plain(resource);
    // As in upstream, wrong options of a Table take precedence over a media type in which no watch can be sent.
    const format = streamFormat(mediaType, exchange.environment.mediaTypes);
    const stream = new EncodedEvents(result.watch, eventEncoder(exchange, resource, documents, format));
    exchange.request.signal?.addEventListener('abort', () => stream.close(), { once: true });
    exchange.deadline.stop();
    return { contentType: format.contentType(mediaType.name), stream, events: format };
  } catch (error) {
    result.watch.close();
    throw error;
  }
}

type EncodeEvent = (event: WatchEvent) => Uint8Array;

/** Returns the function that encodes the events of a watch. */
function eventEncoder(
  { form: { transform }, environment: { meter } }: Exchange,
  { gvk }: ServedResource,
  { toDocument, described }: ReturnType<typeof watchTransform>,
  format: EventFormat,
): EncodeEvent {
  const encode = (event: WatchEvent) => {
    const { type, object } = event;
    if (event.type === 'ERROR') return format.encode({ type, object, described: statusKind, shared: false });
    const shared = transform === undefined && type !== 'BOOKMARK';
    return format.encode({ type, object: toDocument(event), described, shared });
  };
  if (!meter) return encode;
  return (event) => {
    const bytes = encode(event);
    meter.sentEvent(gvk, bytes.length);
    return bytes;
  };
}

const plain = ({ definition }: ServedResource) => ({
  toDocument: ({ object }: WatchEvent): object => object,
  described: definition,
});

const EVENTS_AT_ONCE = 100;
/**
 * The number of encoded bytes after which one `take` stops. A limit on the number of events alone is not enough, because objects can be of
 * any size.
 */
const BYTES_AT_ONCE = 256 * 1024;

/** Encodes events only when they are taken, so that a client that does not read costs the memory of a single take. */
class EncodedEvents implements ByteStream {
  onReadable: (() => void) | undefined;
  readonly #watch: EventStream;
  readonly #encode: EncodeEvent;
  #events: readonly WatchEvent[] = [];
  #next = 0;

  constructor(watch: EventStream, encode: EncodeEvent) {
    this.#watch = watch;
    this.#encode = encode;
    watch.onReadable = () => this.onReadable?.();
  }

  get ended(): boolean {
    return this.#watch.ended;
  }
  get broken(): string | undefined {
    return this.#watch.broken;
  }

  /** Returns encoded events until they have BYTES_AT_ONCE bytes or more, or no more events wait. */
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
      // If the watch returned fewer events than requested, it has no further events.
    } while (bytes < BYTES_AT_ONCE && this.#events.length >= EVENTS_AT_ONCE);
    if (this.#next >= this.#events.length) this.#events = [];
    return chunks;
  }

  hold(): () => void {
    return this.#watch.hold();
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
