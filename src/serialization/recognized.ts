import { DecodeError } from '../json/decode-error.js';
import type { JsonObject, JsonValue } from '../json/value.js';
import { noTypeMeta, readTypeMeta } from '../meta/type-meta.js';
import { parseJson } from './json/decode.js';

const encoder = new TextEncoder();

/**
 * Parses an object in the response of a webhook. Like upstream, it ignores the content type: a text that begins like a JSON object is JSON,
 * and any other is YAML. Null counts as an empty object.
 * @throws DecodeError with upstream's message
 */
export async function decodeRecognized(text: string): Promise<JsonObject> {
  const bytes = encoder.encode(text);
  const value = /^\s*\{/.test(text) ? jsonOf(bytes) : await yamlOf(bytes);
  readTypeMeta(value);
  // `readTypeMeta` has refused all values but objects and null, so the cast is safe.
  return (value ?? {}) as JsonObject;
}

function jsonOf(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes).value;
  } catch (error) {
    if (error instanceof DecodeError) throw noTypeMeta(error.message);
    throw error;
  }
}

async function yamlOf(bytes: Uint8Array): Promise<JsonValue> {
  const { decodeYaml } = await import('./yaml/decode.js');
  return (await decodeYaml(bytes)).value;
}
