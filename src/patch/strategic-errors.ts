import type { JsonObject, JsonValue } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import { quote } from '../values/quote.js';
import { plainText, textOfString, typeText } from './plain-text.js';

/** The errors of strategic merge patches, with messages and codes of spec 5.4. */
export const strategicError = {
  badPrimitiveList: () => apiError.badRequest('invalid patch format of primitive list'),
  badRetainKeys: () => apiError.badRequest('invalid patch format of retainKeys'),
  badElementOrder: () => apiError.badRequest('invalid patch format of setElementOrder list'),
  listOfLists: () => apiError.unprocessable(),
  unknownDirective: (directive: JsonValue, map: JsonObject) =>
    apiError.unknown(`unknown patch type: ${textOfString(directive)} in map: ${plainText(map)}`),
  mergeInList: () => apiError.unknown('merging lists cannot yet be specified in the patch'),
  noMergeKey: (map: JsonValue, key: string) =>
    apiError.unknown(`map: ${plainText(map)} does not contain declared merge key: ${key}`),
  mergeKeyUndeclared: (kind: string) => apiError.unknown(`cannot merge lists without merge key for ${kind}`),
  orderMismatch: (patch: JsonValue, order: JsonValue) =>
    apiError.unknown(
      `The order in patch list:\n${plainText(patch)}\n doesn't match $setElementOrder list:\n${plainText(order)}\n`,
    ),
  mixedElements: (lists: readonly JsonValue[]) =>
    apiError.unknown(`list element types are not identical: ${plainText(lists)}`),
  noElements: () => apiError.unknown('no elements in any of the given slices'),
  wrongType: (expected: 'list' | 'map', actual: JsonValue) =>
    apiError.unknown(
      `expected a ${expected === 'list' ? '[]interface {}' : 'map[string]interface {}'}, but received a ${typeText(actual)}`,
    ),
  noSuchField: (struct: string, name: string) =>
    apiError.unknown(`unable to find api field in struct ${struct} for the json field ${quote(name)}`),
  notStruct: (kind: string) =>
    apiError.unknown(`merging an object in json but data type is not struct, instead is: ${kind}`),
  notList: () => apiError.unknown('expected slice or array type, but got: struct'),
  fieldOfLists: () => apiError.unknown('unexpected slice of slice'),
} as const;
