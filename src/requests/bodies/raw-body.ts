import type { JsonValue } from '../../json/value.js';
import type { Format } from '../../serialization/format.js';

/** A body as received over the network, or from a caller in this process. */
export type RawBody =
  | { readonly format: Format; readonly bytes: Uint8Array; readonly value?: undefined }
  /** An object from an in-process caller, which was never text; `bytes` is empty. */
  | { readonly format?: undefined; readonly bytes: Uint8Array; readonly value: JsonValue };
