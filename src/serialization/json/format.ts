import { isJsonObject, type JsonValue } from '../../json/value.js';
import { setMember } from '../../schema/json-objects.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { decodeUtf8 } from '../../values/utf8.js';
import { encodeList, encodeObject, encodeWatchEvent } from '../encoding-cache.js';
import {
  aroundItems,
  type EventFormat,
  type Format,
  problemsInTurn,
  type ReadDocument,
  writtenItems,
} from '../format.js';
import { noTypeMeta } from '../type-meta.js';
import { parseJson, parseLargeJson } from './decode.js';
import { encodeJsonLine, encodeLineList, encodePretty, encodePrettyList } from './encode.js';
import { numberTexts, strictErrors, walkJson } from './keys.js';

/**
 * The maximum size in bytes of a body whose errors are reported in document order. For a larger body, duplicate keys are reported before
 * unknown fields, because finding the document order takes comparing the path of every member.
 */
const MAX_INTERLEAVED = 64 * 1024;

const lines: EventFormat = {
  contentType: (mediaType) => mediaType,
  lengthBytes: 0,
  encode: ({ type, object, shared }) => (shared ? encodeWatchEvent(type, object) : encodeJsonLine({ type, object })),
};

/** The JSON format: compact with a newline at the end, or indented. */
export const jsonFormat: Format = {
  mediaType: () => 'application/json',
  indents: true,
  transforms: new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'APIGroupDiscoveryList']),
  stream: lines,

  async read(bytes, { duplicates, pause }): Promise<ReadDocument> {
    try {
      const parsed = pause ? await parseLargeJson(bytes, { duplicates, pause }) : parseJson(bytes, { duplicates });
      const { value, text } = parsed;
      const literals = () => numberTexts(text);
      if (parsed.duplicates.length === 0) return { value, duplicates: [], numberTexts: literals };
      const duplicateProblems = parsed.duplicates.map((path) => `duplicate field ${quote(path)}`);
      return { value, duplicates: duplicateProblems, numberTexts: literals, merged: () => mergeRepeated(text) };
    } catch (error) {
      throw noTypeMeta(messageOf(error));
    }
  },
  problems(bytes, duplicates, unknownFields) {
    if (unknownFields.length === 0 || duplicates.length === 0 || bytes.length > MAX_INTERLEAVED)
      return problemsInTurn(duplicates, unknownFields);
    const problems = strictErrors(bytes, unknownFields);
    return { problems, refusal: problems.join(', ') };
  },
  quoteDocument: (bytes) => decodeUtf8(bytes),

  encodeObject: (object, _described, pretty) => (pretty ? [encodePretty(object)] : encodeObject(object).chunks),
  encodeList(list, pretty) {
    const { head, items, itemsCarryKind, byName = false } = list;
    if (!pretty) return { pieces: encodeList(head, items, { itemsCarryKind, byName }) };
    const { before, after } = aroundItems(head, byName);
    return { pieces: encodePrettyList(before, 'items', writtenItems(list), after) };
  },
  encodeElements: (head, name, elements, pretty) => ({
    pieces: pretty ? encodePrettyList(head, name, elements) : encodeLineList(head, name, elements),
  }),
  encodeDocument: (document, _described, pretty) => [pretty ? encodePretty(document) : encodeJsonLine(document)],
};

/**
 * Repeated members are renamed before JSON.parse, which would otherwise keep only the last one: the new name is the name, this character
 * and a number. A name that already contains this character is renamed, too, so that the added number always follows the last occurrence of
 * the character.
 */
const MARK = '\u0000';

/**
 * Parses a document with repeated members as Go decodes it into a struct (spec 3.9): each member is decoded into the result of the earlier
 * members with its name. So objects merge, lists merge element by element, null replaces a list but leaves all other values, and any other
 * value replaces the earlier one.
 * @param text a valid JSON document
 */
function mergeRepeated(text: string): JsonValue {
  let marked = '';
  let from = 0;
  let count = 0;
  walkJson(text, {
    key(_path, name, repeated, end) {
      if (!repeated && !name.includes(MARK)) return undefined;
      marked += `${text.slice(from, end - 1)}\\u0000${count++}"`;
      from = end;
      return undefined;
    },
  });
  // JSON.parse returns only JSON values, so the cast is safe.
  return joined(JSON.parse(marked + text.slice(from)) as JsonValue);
}

/** The depth up to which members are merged. The decoder refuses deeper values anyway. */
const MAX_DEPTH = 1001;

function joined(value: JsonValue, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => joined(item, depth + 1));
  if (!isJsonObject(value)) return value;
  const out: { [name: string]: JsonValue } = {};
  for (const [marked, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const at = marked.lastIndexOf(MARK);
    const name = at < 0 ? marked : marked.slice(0, at);
    const next = joined(member, depth + 1);
    setMember(out, name, at >= 0 && Object.hasOwn(out, name) ? merged(out[name] ?? null, next) : next);
  }
  return out;
}

function merged(before: JsonValue, after: JsonValue): JsonValue {
  if (after === null) return Array.isArray(before) ? null : before;
  if (Array.isArray(before) && Array.isArray(after))
    return after.map((item: JsonValue, i) => (i < before.length ? merged(before[i] ?? null, item) : item));
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  // The object was created for this document, so it may be changed. Copying it for each repeated member would take quadratic time.
  for (const [name, member] of Object.entries(after))
    if (member !== undefined)
      setMember(before, name, Object.hasOwn(before, name) ? merged(before[name] ?? null, member) : member);
  return before;
}
