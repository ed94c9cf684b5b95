import { DecodeError } from '../../json/decode-error.js';
import type { JsonValue } from '../../json/value.js';
import { parseJson } from '../json/decode.js';
import { encodeText } from '../json/encode.js';
import { decodeYaml } from './decode.js';

/** No limit applies to files that the embedder loads, because the embedder is trusted. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * Parses all documents of a YAML or JSON text.
 * @throws DecodeError
 */
export async function decodeYamlDocuments(text: string): Promise<JsonValue[]> {
  const documents: JsonValue[] = [];
  for (const part of text.split(/^---(?:[ \t].*)?$/m)) {
    const text = part.trim();
    if (text === '' || isComment(text)) continue;
    const json = text.startsWith('{') ? jsonDocument(text) : undefined;
    if (json !== undefined) documents.push(json);
    else documents.push((await decodeYaml(encodeText(part), { maxBytes: NO_LIMIT, maxTokens: NO_LIMIT })).value);
  }
  return documents;
}

/**
 * Parses a document that begins with `{` as JSON, which is a hundred times faster than parsing it as YAML. Returns undefined if the
 * document is not JSON; it can then be YAML in flow style.
 */
function jsonDocument(text: string): JsonValue | undefined {
  try {
    return parseJson(encodeText(text)).value;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

const isComment = (text: string) => text.startsWith('#') && text.split('\n').every((line) => /^\s*(?:#|$)/.test(line));
