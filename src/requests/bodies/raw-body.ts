import type { JsonValue } from '../../json/value.js';
import type { MediaFormat } from '../../serialization/media-type.js';

/** A body as it came off the wire. */
export interface RawBody {
  readonly mediaType: MediaFormat | 'object';
  readonly bytes: Uint8Array;
  readonly value: JsonValue | undefined;
}
