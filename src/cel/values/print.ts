import { formatDouble } from '../../values/numbers.js';
import { Double, Uint } from './numbers.js';
import { TypeValue } from './optional.js';
import { fromBytes } from './text.js';
import { Duration, Timestamp } from './time.js';
import { ListValue, MapValue, type Value } from './value.js';

/** Returns the string form of a value; undefined if the type of the value has none. */
export function textOf(value: Value): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return textOfObject(value);
  }
}

function textOfObject(value: Value): string | undefined {
  if (value instanceof Double) return formatDouble(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp || value instanceof Duration) return value.toString();
  if (value instanceof TypeValue) return value.name;
  return value instanceof Uint8Array ? fromBytes(value) : undefined;
}

/** Longer texts are cut in messages, so that many errors about one large value stay small. */
const LONGEST_QUOTE = 10_000;

/** Returns a value as messages show it, cut when it is long. */
export function describe(value: Value): string {
  if (value === null) return 'null';
  const text = textOf(value);
  if (text !== undefined) return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text;
  if (value instanceof ListValue) return `list of ${value.size}`;
  return value instanceof MapValue ? 'map' : 'value';
}
