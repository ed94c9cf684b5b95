import type { WatchEvent } from '../registry/resource-watch.js';
import { encodeWatchEvent } from '../serialization/encoding-cache.js';
import { encodeJsonLine } from '../serialization/json-encode.js';
import type { ByteStream } from './api-request.js';
import type { Exchange } from './exchange.js';
import { negotiated } from './negotiate-route.js';
import { protobufFrames } from './protobuf-answer.js';
import type { Result } from './result.js';
import { watchTransform } from './transform.js';

/** A watch as the bytes of its events, one line or frame each (document 2, section 4.7). @throws ApiError 406 */
export function watchStream(exchange: Exchange, { watch, resource }: Extract<Result, { type: 'watch' }>): ByteStream {
  const { transform, format } = negotiated(exchange);
  // Events are single objects: in the form of a list there is nothing to tell (as recorded).
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
  const stream: ByteStream = {
    take: () => watch.take().map(encode),
    onReadable: undefined,
    get ended() {
      return watch.ended;
    },
    close: () => watch.close(),
  };
  watch.onReadable = () => stream.onReadable?.();
  exchange.request.signal?.addEventListener('abort', () => watch.close(), { once: true });
  exchange.deadline.stop();
  return stream;
}

const plainLine = ({ type, object }: WatchEvent): Uint8Array =>
  type === 'BOOKMARK' || type === 'ERROR' ? encodeJsonLine({ type, object }) : encodeWatchEvent(type, object);

function transformedLine(
  transform: (event: Exclude<WatchEvent, { type: 'ERROR' }>) => object,
): (event: WatchEvent) => Uint8Array {
  return (event) =>
    encodeJsonLine({ type: event.type, object: event.type === 'ERROR' ? event.object : transform(event) });
}
