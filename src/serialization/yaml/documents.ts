import type { JsonValue } from '../../json/value.js';
import { encodeText } from '../json/encode.js';
import { decodeYaml } from './decode.js';
import { stringifyYaml } from './encode.js';

/** A text of one's own, of any length: files to load are as large as they are. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** All documents of a YAML text, or of a JSON one. @throws DecodeError */
export async function decodeYamlDocuments(text: string): Promise<JsonValue[]> {
  const documents: JsonValue[] = [];
  for (const part of text.split(/^---(?:[ \t].*)?$/m)) {
    if (part.trim() === '') continue;
    documents.push((await decodeYaml(encodeText(part), { maxBytes: NO_LIMIT, maxTokens: NO_LIMIT })).value);
  }
  return documents;
}

/** A value as one YAML document, its newline included. */
export const encodeYamlText = (value: JsonValue): string => stringifyYaml(value);
