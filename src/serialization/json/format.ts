import { DecodeError } from '../../json/decode-error.js';
import { noTypeMeta } from '../../meta/type-meta.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { decodeUtf8 } from '../../values/utf8.js';
import { encodeList, encodeObject, encodeWatchEvent } from '../encoding-cache.js';
import {
  aroundItems,
  type EventFormat,
  type Format,
  itemsToWrite,
  nullList,
  problemsInTurn,
  type ReadDocument,
} from '../format.js';
import { parseJson, parseLargeJson } from './decode.js';
import { encodeJsonLine, encodeLineList, encodePretty, encodePrettyList } from './encode.js';
import { numberTexts, ODD_NUMBER, strictErrors, typeMetaTypes } from './keys.js';
import { mergeRepeated } from './merge-repeated.js';

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
      const options = { duplicates, keepsInfinity: true };
      const parsed = pause ? await parseLargeJson(bytes, { ...options, pause }) : parseJson(bytes, options);
      const { value, text, outOfRange } = parsed;
      const read = {
        value,
        ...(ODD_NUMBER.test(text) ? { numberTexts: () => numberTexts(text) } : {}),
        ...(outOfRange ? { outOfRange } : {}),
      };
      if (parsed.duplicates.length === 0) return { ...read, duplicates: [] };
      for (const { field, type } of typeMetaTypes(text))
        if (type !== 'string' && type !== 'null')
          throw new DecodeError(`json: cannot unmarshal ${type} into Go struct field .${field} of type string`);
      return {
        ...read,
        duplicates: parsed.duplicates.map((path) => `duplicate field ${quote(path)}`),
        merged: (schema) => mergeRepeated(text, schema),
      };
    } catch (error) {
      throw noTypeMeta(messageOf(error));
    }
  },
  problems(bytes, duplicates, unknownFields, isCustom = false) {
    if (isCustom || unknownFields.length === 0 || duplicates.length === 0 || bytes.length > MAX_INTERLEAVED)
      return problemsInTurn(duplicates, unknownFields);
    const problems = strictErrors(bytes, unknownFields);
    return { problems, refusal: problems.join(', ') };
  },
  quoteDocument: (bytes) => decodeUtf8(bytes),

  encodeObject: (object, _described, pretty) => (pretty ? [encodePretty(object)] : encodeObject(object).chunks),
  encodeList(list, pretty) {
    const { head, items, itemsCarryKind, byName = false } = list;
    const empty = nullList(list);
    if (empty) return [pretty ? encodePretty(empty) : encodeJsonLine(empty)];
    if (!pretty) return { pieces: encodeList(head, items, { itemsCarryKind, byName }) };
    const { before, after } = aroundItems(head, byName);
    return { pieces: encodePrettyList(before, 'items', itemsToWrite(list), after) };
  },
  encodeElements: (head, name, elements, pretty) => ({
    pieces: pretty ? encodePrettyList(head, name, elements) : encodeLineList(head, name, elements),
  }),
  encodeDocument: (document, _described, pretty) => [pretty ? encodePretty(document) : encodeJsonLine(document)],
};
