import { DecodeError } from '../json/decode-error.js';
import type { JsonObject, JsonValue } from '../json/value.js';
import { parseJson } from './json/decode.js';
import { noTypeMeta, readTypeMeta } from './type-meta.js';

const encoder = new TextEncoder();

/**
 * Reads the object that another server answers as the reference does, which looks at the text and not at the content type: a text that
 * begins like a JSON object is one, anything else is YAML. A null is an object without members.
 * @throws DecodeError in the reference's words
 */
export async function decodeRecognized(text: string): Promise<JsonObject> {
  const bytes = encoder.encode(text);
  const value = /^\s*\{/.test(text) ? jsonOf(bytes) : await yamlOf(bytes);
  readTypeMeta(value);
  return (value ?? {}) as JsonObject; // anything else has no type
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
