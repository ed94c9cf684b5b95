import { isJsonObject, type JsonValue } from '../meta/json.js';
import type { ListSchema } from '../schema/schema.js';
import { getOwn } from './own-property.js';
import { keyElement, type PathElement, valueElement } from './path-element.js';
import { keyDefault } from './shape.js';

/** An item that cannot be told from others; the message is that of the recorded answers (gap file 4.10.2). */
export class UnidentifiableItem extends Error {}

/**
 * How an item of a set or map list is named in paths: by its value, or by its keys, defaults filled in.
 * @throws UnidentifiableItem when a key is missing and has no default, or the item is of a wrong type.
 */
export function itemElement(schema: ListSchema, item: JsonValue): PathElement {
  if (schema.listType !== 'map') return setItemElement(item);
  if (item === null) throw new UnidentifiableItem('associative list with keys may not have a null element');
  if (!isJsonObject(item)) throw new UnidentifiableItem('associative list with keys may not have non-map elements');
  const keys: Record<string, JsonValue> = {};
  for (const key of schema.mapKeys ?? []) {
    const own = getOwn(item, key);
    const value = own === undefined ? keyDefault(schema, key) : own;
    if (value === undefined) {
      throw new UnidentifiableItem(
        `associative list with keys has an element that omits key field "${key}" (and doesn't have default value)`,
      );
    }
    keys[key] = value;
  }
  return keyElement(keys);
}

function setItemElement(item: JsonValue): PathElement {
  if (item === null)
    throw new UnidentifiableItem("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new UnidentifiableItem('not supported: associative list with lists as elements');
  if (isJsonObject(item))
    throw new UnidentifiableItem("associative list without keys has an element that's a map type");
  return valueElement(item);
}

/** The items by their elements, in order of first appearance; more than one item under an element are duplicates. */
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
