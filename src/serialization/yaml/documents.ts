import { DecodeError } from '../../json/decode-error.js';
import type { JsonValue } from '../../json/value.js';
import { parseJson } from '../json/decode.js';
import { encodeText } from '../json/encode.js';
import { decodeYaml } from './decode.js';

/** A text of one's own, of any length: files to load are as large as they are. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** All documents of a YAML text, or of a JSON one. @throws DecodeError */
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

/** A document that is JSON is read a hundred times as fast; flow style that only YAML knows is not. */
function jsonDocument(text: string): JsonValue | undefined {
  try {
    return parseJson(encodeText(text)).value;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

const isComment = (text: string) => text.startsWith('#') && text.split('\n').every((line) => /^\s*(?:#|$)/.test(line));
