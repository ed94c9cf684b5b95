import { isJsonObject, type JsonObject, type JsonValue } from './value.js';

/**
 * A number of a patch that is not written as its value prints (`20.0`, `2e1`): a patched document is read like a text, where
 * such a number is no integer. It is a list of its text, so that whatever handles JSON moves and replaces it as a whole.
 */
export class NumberText extends Array<string> {
  readonly text: string;

  constructor(text: string) {
    super();
    this.push(text);
    this.text = text;
    Object.freeze(this);
  }

  /** Lists made of it are plain ones. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** The value with every number as a number; itself where none was marked. */
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
  return changed ? (Object.fromEntries(out) as JsonObject) : value; // members of a JSON object
}
