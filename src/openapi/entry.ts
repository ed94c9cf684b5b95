import { isIndexName } from '../json/members.js';
import { compareText } from '../json/order.js';
import type { JsonValue } from '../json/value.js';
import { encodeText, stringifyJson } from '../serialization/json/encode.js';

/** A named path, schema or parameter of a document. It is made once and shared by all documents that contain it. */
export interface Entry {
  readonly name: string;
  /** The entry as compact JSON: a comma, the name, a colon and the value. */
  readonly json: Uint8Array;
  /** The value; present only if it is kept in memory for other reasons. */
  readonly value?: JsonValue;
}

const prefixOf = (name: string): string => `,${stringifyJson(name)}:`;

export function entryOf(name: string, value: JsonValue): Entry {
  return { name, json: encodeText(prefixOf(name) + stringifyJson(value)) };
}

/** Returns an entry with another name or value. */
export const changedEntry = (entry: Entry, name: string, value: JsonValue): Entry => ({
  ...entryOf(name, value),
  // The value is kept because its text may have another order: JavaScript moves members with array indexes as names to the front.
  ...(entry.value === undefined ? {} : { value }),
});

const decoder = new TextDecoder();

/**
 * Returns the value of an entry, parsed from its text. Few entries are read again, and the text takes a fraction of the memory of the
 * objects.
 */
export function readEntry({ name, json, value }: Entry): JsonValue {
  if (value !== undefined) return value;
  return JSON.parse(decoder.decode(json).slice(prefixOf(name).length)) as JsonValue; // our own text
}

const isIndex = ({ name }: Entry): boolean => isIndexName(name);

/** Sorts entries like the members of a JavaScript object with their names. */
export function inObjectOrder(entries: readonly Entry[]): readonly Entry[] {
  const indexes = entries.filter(isIndex);
  if (indexes.length === 0) return entries;
  return [...indexes.sort((a, b) => Number(a.name) - Number(b.name)), ...entries.filter((entry) => !isIndex(entry))];
}

/** Sorts entries like the members of such an object in the server's JSON: by name if some names are array indexes. */
export const inWireOrder = (entries: readonly Entry[]): readonly Entry[] =>
  entries.some(isIndex) ? [...entries].sort((a, b) => compareText(a.name, b.name)) : entries;
