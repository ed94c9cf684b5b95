import type { JsonObject } from '../json/value.js';
import { decoderOf } from './decoders.js';
import { Decoding, type NumberTexts } from './decoding.js';
import type { ObjectSchema } from './schema.js';

export type { NumberTexts } from './decoding.js';

export interface DecodeOptions {
  /**
   * The source texts of numbers that JavaScript would print differently (`1e2`, `600.0`, more than 15 digits), in nested maps keyed by the
   * path: names of members and indexes. Default: none.
   */
  readonly numberTexts?: NumberTexts;
  /** Whether numbers that JavaScript would print differently are `NumberText` values, as in patched documents. Default false. */
  readonly marksNumbers?: boolean;
  /** Whether raw JSON parts are copied, because the value belongs to a caller in the same process. Default false. */
  readonly copyRaw?: boolean;
  /**
   * Whether unknown fields and nulls are left out of objects of users' kinds. Steps between reading a body and storing the object pass
   * false, because dropped fields would be lost. Default true.
   */
  readonly prunes?: boolean;
}

export interface Decoded<T = JsonObject> {
  /**
   * The object with its fields in wire order, values in canonical form, and empty values shown or left out as the schema defines. The
   * object itself is new and may be changed; parts of it may be frozen and shared.
   */
  readonly value: T;
  /** Paths of fields the schema does not know, `spec.items[0].x`, in the order of the body; at most 100, each once. */
  readonly unknownFields: readonly string[];
}

/**
 * Reads a body of a built-in kind by its schema, in one pass (spec 2.2, 3.10). null is the zero object. Names of fields are case-sensitive;
 * null is the same as absent, and in lists and maps the zero value. Frozen parts that are already in their final form are reused, so
 * decoding a patched object costs only as much as the patch changed.
 * @throws DecodeError with the wire's text for wrong types, numbers out of range, bad base64, times and quantities.
 */
export function decodeTyped(schema: ObjectSchema, value: unknown, options: DecodeOptions = {}): Decoded {
  const at = new Decoding(schema, options);
  const decoded = decoderOf(schema)(value ?? {}, at);
  at.finish();
  const object = decoded as JsonObject; // anything else has failed
  return {
    value: Object.isFrozen(object) ? { ...object } : object,
    unknownFields: [...new Set(at.unknownFields)],
  };
}
