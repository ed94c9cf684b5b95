import { isJsonObject, type JsonObject, type JsonValue } from './value.js';

/**
 * A number of a patch whose literal differs from the way JavaScript prints it (`20.0`, `2e1`). Upstream decodes the patched document as
 * JSON text, in which such a literal is not an integer. The class is an array that holds the literal, so that code that handles JSON moves
 * and replaces it as a whole.
 */
export class NumberText extends Array<string> {
  readonly text: string;

  constructor(text: string) {
    super();
    this.push(text);
    this.text = text;
    Object.freeze(this);
  }

  /** Makes array methods such as `map` return plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** Returns the value with every NumberText replaced by its number; the value itself when it contains no NumberText. */
export function plainNumbers(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) {
    const items = value.map(plainNumbers);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  let changed = false;
  const out: [string, JsonValue | undefined][] = Object.entries(value).map(([name, member]) => {
    const plain = member === undefined ? undefined : plainNumbers(member);
    if (plain !== member) changed = true;
    return [name, plain];
  });
  // All entries are members of a JSON object, so the cast is safe.
  return changed ? (Object.fromEntries(out) as JsonObject) : value;
}

/** Returns the type of a JSON value as decoding errors print it; undefined counts as null. */
export function jsonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return value instanceof NumberText ? 'number' : 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
