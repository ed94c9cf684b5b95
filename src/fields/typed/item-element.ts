import { getOwn } from '../../json/members.js';
import { compareText } from '../../json/order.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import type { ListSchema } from '../../schema/schema.js';
import { elementName, elementValue, type PathElement, valueElement } from '../paths/path-element.js';
import { keyDefault } from './shape.js';

/** Thrown for an item that cannot be identified, with the message that upstream returns (spec 6.11). */
export class UnidentifiableItem extends Error {}

/**
 * Returns the path element of an item of a set or map list: its value, or its keys with defaults filled in.
 * @throws UnidentifiableItem when a key is missing and has no default, or the item is of a wrong type.
 */
export function itemElement(schema: ListSchema, item: JsonValue): PathElement {
  if (schema.listType !== 'map') return setItemElement(item);
  if (item === null) throw new UnidentifiableItem('associative list with keys may not have a null element');
  if (!isJsonObject(item)) throw new UnidentifiableItem('associative list with keys may not have non-map elements');
  let keys = '';
  for (const { key, prefix, fallback } of keysOf(schema)) {
    const own = getOwn(item, key);
    const value = own === undefined ? fallback : own;
    if (value === undefined) {
      throw new UnidentifiableItem(
        `associative list with keys has an element that omits key field "${key}" (and doesn't have default value)`,
      );
    }
    keys += prefix + elementValue(value);
  }
  return `k:{${keys}}`;
}

interface Key {
  readonly key: string;
  /** The string with which the path element continues up to the value of the key: `"name":`, or `,"port":` after another key. */
  readonly prefix: string;
  readonly fallback: JsonValue | undefined;
}
const keysBySchema = new WeakMap<ListSchema, readonly Key[]>();

/** Returns the keys of a map list, sorted by name as in path elements. */
function keysOf(schema: ListSchema): readonly Key[] {
  let keys = keysBySchema.get(schema);
  if (keys === undefined) {
    const names = [...(schema.mapKeys ?? [])].sort(compareText);
    keys = names.map((key, i) => ({
      key,
      prefix: `${i === 0 ? '' : ','}${elementName(key)}:`,
      fallback: keyDefault(schema, key),
    }));
    keysBySchema.set(schema, keys);
  }
  return keys;
}

function setItemElement(item: JsonValue): PathElement {
  if (item === null)
    throw new UnidentifiableItem("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new UnidentifiableItem('not supported: associative list with lists as elements');
  if (isJsonObject(item))
    throw new UnidentifiableItem("associative list without keys has an element that's a map type");
  return valueElement(item);
}

/** Returns whether two lists have items with the same keys or values at the same positions. */
export function areAligned(schema: ListSchema, a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!haveSameKeys(schema, a[i], b[i])) return false;
  return true;
}
function haveSameKeys(schema: ListSchema, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (schema.listType !== 'map' || !isJsonObject(a) || !isJsonObject(b)) return false;
  for (const key of schema.mapKeys ?? []) if (getOwn(a, key) !== getOwn(b, key)) return false;
  return true;
}

/** Groups the items by their elements, in order of first appearance. Several items with one element are duplicates. */
export function itemsByElement(schema: ListSchema, items: readonly JsonValue[]): Map<PathElement, JsonValue[]> {
  const found = new Map<PathElement, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(schema, item);
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}
