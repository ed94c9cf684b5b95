import { isJsonObject, type JsonValue } from '../json/value.js';
import { setMember } from './json-objects.js';
import { presentProperties } from './properties.js';
import type { Schema } from './schema.js';

// Only defaults that contain themselves reach this depth, because pruning has already limited the depth of the object.
const MAX_DEPTH = 2000;
/** The maximum number of characters of defaults that one object may get. It is several times the size that can be stored or sent. */
const MAX_FILLED = 8 * 1024 * 1024;
const withDefaults = new WeakMap<Schema, boolean>();
const wholeDefaults = new WeakMap<Schema, WholeDefault>();

/** Thrown when the defaults of a kind would make an object larger than any that can be stored. */
export class DefaultsTooLarge extends Error {
  override readonly name = 'DefaultsTooLarge';

  constructor() {
    super(`the defaults of its kind add more than ${MAX_FILLED} bytes to the object`);
  }
}

/**
 * A default whose own absent fields are filled in, and the length of its JSON. The value is frozen and shared by all objects that get it.
 */
interface WholeDefault {
  readonly value: JsonValue;
  readonly length: number;
}

/**
 * The state of defaulting at a value: its depth, the number of characters that defaults may still add to the object, and whether created
 * values are shared and therefore frozen.
 */
interface Place {
  readonly depth: number;
  readonly room: { left: number };
  readonly shared: boolean;
}

/**
 * Fills in the defaults of a schema for fields that are absent, or null without being nullable, also inside defaults (spec 21.3). Returns
 * the same value when nothing was missing. Filled-in values are frozen and shared.
 * @throws DefaultsTooLarge before the defaults exceed the size of any object; TypeError for a default that contains itself.
 */
export function applyDefaults(schema: Schema, value: JsonValue): JsonValue {
  return fillIn(schema, value, { depth: 0, room: { left: MAX_FILLED }, shared: false });
}

function fillIn(schema: Schema, value: JsonValue, place: Place): JsonValue {
  if (place.depth > MAX_DEPTH) throw new TypeError('a default contains itself');
  if (!hasDefaults(schema, new Set())) return value;
  const below = { ...place, depth: place.depth + 1 };
  if (schema.type === 'list' && Array.isArray(value)) {
    const items = value.map((item: JsonValue) => memberWithDefaults(schema.items, item, below, 0));
    return items.some((item, i) => item !== value[i]) ? freezeIfShared(items, place) : value;
  }
  if ((schema.type !== 'object' && schema.type !== 'map') || !isJsonObject(value)) return value;
  const filled: [string, JsonValue][] = [];
  const fill = (name: string, inner: Schema) => {
    // Members of a JSON object are JSON, so the cast is safe.
    const member = (Object.hasOwn(value, name) ? value[name] : undefined) as JsonValue | undefined;
    const next = memberWithDefaults(inner, member, below, name.length + 4);
    if (next !== undefined && next !== member) filled.push([name, next]);
  };
  if (schema.type === 'map') for (const name of Object.keys(value)) fill(name, schema.values);
  else for (const [name, property] of defaultedOrPresent(schema, value)) fill(name, property.schema);
  if (filled.length === 0) return value;
  const out = {};
  for (const name of Object.keys(value)) setMember(out, name, value[name]);
  for (const [name, member] of filled) setMember(out, name, member);
  return freezeIfShared(out, place);
}

const defaultedOrPresent = /* @__PURE__ */ presentProperties(({ schema }) => schema.default !== undefined);

// Freezing does not change the type of a value, so the cast is safe.
const freezeIfShared = <T extends JsonValue>(value: T, { shared }: Place): T =>
  (shared ? Object.freeze(value) : value) as T;

/** Returns a member with its defaults filled in. @param nameLength the length of the member's name in JSON */
function memberWithDefaults<T extends JsonValue | undefined>(
  schema: Schema,
  value: T,
  place: Place,
  nameLength: number,
): T | JsonValue {
  const missing = value === undefined || (value === null && schema.nullable !== true);
  if (missing && schema.default !== undefined) {
    const whole = wholeDefault(schema, schema.default, place.depth);
    place.room.left -= nameLength + whole.length;
    if (place.room.left < 0) throw new DefaultsTooLarge();
    return whole.value;
  }
  return value === undefined || value === null ? value : fillIn(schema, value, place);
}

/**
 * Returns the default of a schema with the defaults of its own fields filled in. It is computed only once, together with its length, so
 * that further objects are charged just the length.
 */
function wholeDefault(schema: Schema, own: JsonValue, depth: number): WholeDefault {
  let whole = wholeDefaults.get(schema);
  if (whole === undefined) {
    const room = { left: MAX_FILLED - JSON.stringify(own).length };
    const value = fillIn(schema, own, { depth, room, shared: true });
    wholeDefaults.set(schema, (whole = { value, length: MAX_FILLED - room.left }));
  }
  return whole;
}

/** Returns whether there are defaults at or below a schema. */
function hasDefaults(schema: Schema, seen: Set<Schema>): boolean {
  const known = withDefaults.get(schema);
  if (known !== undefined) return known;
  if (seen.has(schema)) return false;
  const isOutermost = seen.size === 0;
  seen.add(schema);
  const has = (inner: Schema) => inner.default !== undefined || hasDefaults(inner, seen);
  const found =
    schema.type === 'object'
      ? [...schema.properties.values()].some((property) => has(property.schema))
      : schema.type === 'map'
        ? has(schema.values)
        : schema.type === 'list' && has(schema.items);
  // Within a cycle a negative result is not final: it may depend on a schema that is still being visited. A negative result of the
  // outermost schema holds for all visited schemas.
  if (found) withDefaults.set(schema, true);
  else if (isOutermost) for (const each of seen) withDefaults.set(each, false);
  return found;
}
