import { CORE_V1_FIELD_NUMBERS } from './core-field-numbers.js';
import { GROUP_FIELD_NUMBERS } from './group-field-numbers.js';

/** The place of a field on the wire. */
export interface FieldNumber {
  /** One number; two for a field of a struct that JSON shows as part of its parent: the struct's, then its own. */
  readonly path: readonly [number] | readonly [number, number];
  /** A list in a message of its own, so that an empty one and none differ. */
  readonly wrapped: boolean;
}

const CORE_V1 = 'io.k8s.api.core.v1';
const tables = new Map<string, ReadonlyMap<string, ReadonlyMap<string, FieldNumber>>>();

/**
 * The field numbers of a definition (`io.k8s.api.core.v1.Secret`), by JSON name; undefined for what has none, as the
 * kinds of users. A package's table is read when first asked for.
 *
 * Tables hold a line per message, its name first, lines that go on indented: `ManagedFieldsEntry manager operation
 * time=4 fieldsType=6`. A field without a number has the one after its neighbour's; the first is 1. `name=1.1` stands in
 * the message of field 1, and `verbs[]` is a list in a message of its own.
 */
export function fieldNumbers(definition: string): ReadonlyMap<string, FieldNumber> | undefined {
  const dot = definition.lastIndexOf('.');
  const pack = definition.slice(0, Math.max(dot, 0));
  let table = tables.get(pack);
  if (table === undefined) tables.set(pack, (table = readTable(tableText(pack))));
  return table.get(definition.slice(dot + 1));
}

function tableText(pack: string): string {
  if (pack === CORE_V1) return CORE_V1_FIELD_NUMBERS;
  return Object.hasOwn(GROUP_FIELD_NUMBERS, pack) ? (GROUP_FIELD_NUMBERS[pack] ?? '') : '';
}

function readTable(text: string): ReadonlyMap<string, ReadonlyMap<string, FieldNumber>> {
  const messages = new Map<string, ReadonlyMap<string, FieldNumber>>();
  for (const line of text.trim().split(/\n(?! )/)) {
    const [name = '', ...words] = line.split(/\s+/);
    if (name !== '') messages.set(name, readFields(words));
  }
  return messages;
}

function readFields(words: readonly string[]): ReadonlyMap<string, FieldNumber> {
  const fields = new Map<string, FieldNumber>();
  let first = 0;
  let second = 0;
  for (const word of words) {
    const [, name = '', at, inner, wrapped] = /^(\w+)(?:=(\d+)(?:\.(\d+))?)?(\[\])?$/.exec(word) ?? [];
    if (at !== undefined) {
      first = Number(at);
      second = Number(inner ?? 0);
    } else if (second > 0) second++;
    else first++;
    fields.set(name, { path: second > 0 ? [first, second] : [first], wrapped: wrapped !== undefined });
  }
  return fields;
}
