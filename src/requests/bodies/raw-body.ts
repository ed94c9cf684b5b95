import type { JsonValue } from '../../json/value.js';
import type { Format } from '../../serialization/format.js';

/** A body as it came off the wire, or from a caller in this process. */
export type RawBody =
  | { readonly format: Format; readonly bytes: Uint8Array; readonly value?: undefined }
  /** An object of the caller's own, never text; there are no bytes. */
  | { readonly format?: undefined; readonly bytes: Uint8Array; readonly value: JsonValue };
