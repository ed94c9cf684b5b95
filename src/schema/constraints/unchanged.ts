import { equalJson } from '../../json/equal.js';
import { printGoValue } from '../../json/print-go.js';
import { isJsonObject } from '../../json/value.js';
import type { Schema } from '../schema.js';
import { keysOf } from '../structural-invariants.js';

/**
 * Returns whether an update left a value unchanged, so that its errors are tolerated (spec 21.4). Elements of lists with map keys may have
 * changed their positions. An object with a member that is not in its schema always counts as changed.
 */
export function isUnchanged(schema: Schema, value: unknown, old: unknown): boolean {
  if (value === undefined || old === undefined) return false;
  if (Array.isArray(value)) return Array.isArray(old) && value.length === old.length && sameItems(schema, value, old);
  if (!isJsonObject(value)) return equalJson(value, old);
  if (!isJsonObject(old)) return false;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(old).length &&
    names.every((name) => {
      const inner = schemaOf(schema, name);
      return inner !== undefined && Object.hasOwn(old, name) && isUnchanged(inner, value[name], old[name]);
    })
  );
}

function schemaOf(schema: Schema, name: string): Schema | undefined {
  if (schema.type === 'object') return schema.properties.get(name)?.schema;
  return schema.type === 'map' ? schema.values : undefined;
}

function sameItems(schema: Schema, items: readonly unknown[], old: readonly unknown[]): boolean {
  if (schema.type !== 'list' || schema.listType !== 'map') return equalJson(items, old);
  const { items: inner, mapKeys = [] } = schema;
  const before = itemsByKeys(old, mapKeys);
  return items.every((item) => isUnchanged(inner, item, before.get(keyText(item, mapKeys))));
}

const keyText = (item: unknown, keys: readonly string[]): string => printGoValue(keysOf(item, keys));

/**
 * Returns the elements that a list had before an update, by the values of their map keys. If several elements have the same values, the
 * first one is returned.
 */
export function itemsByKeys(old: unknown, keys: readonly string[]): ReadonlyMap<string, unknown> {
  const items = new Map<string, unknown>();
  if (!Array.isArray(old)) return items;
  for (const item of old) {
    const text = keyText(item, keys);
    if (!items.has(text)) items.set(text, item);
  }
  return items;
}

/** Returns the element of the list before the update that has the same keys as `item`. */
export const itemBefore = (
  before: ReadonlyMap<string, unknown> | undefined,
  item: unknown,
  keys: readonly string[],
): unknown => before?.get(keyText(item, keys));
