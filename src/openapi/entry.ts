import { isIndexName } from '../json/members.js';
import { compareText } from '../json/order.js';
import type { JsonValue } from '../json/value.js';
import { encodeText, stringifyJson } from '../serialization/json/encode.js';

/** A path, schema or parameter of a document under its name: made once, and shared by all documents that have it. */
export interface Entry {
  readonly name: string;
  /** A comma, the name, a colon and the value, as compact JSON. */
  readonly json: Uint8Array;
  /** What it holds, where that stays in memory for another reason. */
  readonly value?: JsonValue;
}

const prefixOf = (name: string): string => `,${stringifyJson(name)}:`;

export function entryOf(name: string, value: JsonValue): Entry {
  return { name, json: encodeText(prefixOf(name) + stringifyJson(value)) };
}

/** An entry with another name or value. */
export const changedEntry = (entry: Entry, name: string, value: JsonValue): Entry => ({
  ...entryOf(name, value),
  // Members of an object with array indexes for names are in another order in its text.
  ...(entry.value === undefined ? {} : { value }),
});

const decoder = new TextDecoder();

/** What an entry holds, read from its text: few are looked into after they were made, and a text is a fraction of its objects. */
export function readEntry({ name, json, value }: Entry): JsonValue {
  if (value !== undefined) return value;
  return JSON.parse(decoder.decode(json).slice(prefixOf(name).length)) as JsonValue; // our own text
}

const isIndex = ({ name }: Entry): boolean => isIndexName(name);

/** Entries in the order of an object that has their names. */
export function inObjectOrder(entries: readonly Entry[]): readonly Entry[] {
  const indexes = entries.filter(isIndex);
  if (indexes.length === 0) return entries;
  return [...indexes.sort((a, b) => Number(a.name) - Number(b.name)), ...entries.filter((entry) => !isIndex(entry))];
}

/** Entries as the wire orders the members of such an object in JSON: all by name where some are array indexes. */
export const inWireOrder = (entries: readonly Entry[]): readonly Entry[] =>
  entries.some(isIndex) ? [...entries].sort((a, b) => compareText(a.name, b.name)) : entries;
