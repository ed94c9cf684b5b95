import { isIndexName } from '../json/members.js';
import { compareText } from '../json/order.js';
import type { JsonValue } from '../json/value.js';
import { encodeText, stringifyJson } from '../serialization/json/encode.js';

/** A named path, schema or parameter of a document. It is created once and shared by all documents that contain it. */
export interface Entry {
  readonly name: string;
  /** The entry as compact JSON: a comma, the name, a colon and the value. The comma is dropped for the first entry of an object. */
  readonly json: Uint8Array;
  /** The value; present only if it is in memory anyway, because the entry comes from a parsed document. */
  readonly value?: JsonValue;
}

const prefixOf = (name: string): string => `,${stringifyJson(name)}:`;

export function entryOf(name: string, value: JsonValue): Entry {
  return { name, json: encodeText(prefixOf(name) + stringifyJson(value)) };
}

/** Returns a copy of the entry with its name and value replaced. */
export const changedEntry = (entry: Entry, name: string, value: JsonValue): Entry => ({
  ...entryOf(name, value),
  // The copy keeps its value in memory if `entry` does. Parsing the value from the JSON could change the order of members, because
  // JavaScript lists members whose names are array indexes first.
  ...(entry.value === undefined ? {} : { value }),
});

const decoder = new TextDecoder();

/**
 * Returns the value of an entry, parsed from its JSON. Values are not kept, because few entries are read again and the JSON takes a
 * fraction of the memory of the objects.
 */
export function readEntry({ name, json, value }: Entry): JsonValue {
  if (value !== undefined) return value;
  // `entryOf` has written this JSON, so it parses.
  return JSON.parse(decoder.decode(json).slice(prefixOf(name).length)) as JsonValue;
}

const isIndex = ({ name }: Entry): boolean => isIndexName(name);

/** Sorts entries by name as a JavaScript object would list its members: names that are array indexes come first, in numeric order. */
export function inObjectOrder(entries: readonly Entry[]): readonly Entry[] {
  const indexes = entries.filter(isIndex);
  if (indexes.length === 0) return entries;
  return [...indexes.sort((a, b) => Number(a.name) - Number(b.name)), ...entries.filter((entry) => !isIndex(entry))];
}

/** Sorts entries as the server's JSON lists the members of an object: by name if some names are array indexes, else in the given order. */
export const inWireOrder = (entries: readonly Entry[]): readonly Entry[] =>
  entries.some(isIndex) ? [...entries].sort((a, b) => compareText(a.name, b.name)) : entries;
