import { formatDouble } from '../values/numbers.js';
import { quote } from '../values/quote.js';
import { compareText } from './order.js';
import { isJsonObject } from './value.js';

// Upstream's messages print invalid values in the notation of Go's package fmt.

/** Values nested deeper than this are printed as `...`. */
const MAX_DEPTH = 500;

/** Returns a value as `%v` prints it: `x`, `[a b]`, `map[k:v]`, `<nil>`. */
export function printGoPlain(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return '...';
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((item) => printGoPlain(item, depth + 1)).join(' ')}]`;
  if (!isJsonObject(value)) return printScalar(value);
  return `map[${namesOf(value)
    .map((name) => `${name}:${printGoPlain(value[name], depth + 1)}`)
    .join(' ')}]`;
}

/**
 * Returns a value as `%#v` prints it: `"x"`, `[]interface {}{"a"}`, `map[string]interface {}{"a":"x", "b":1}`, `interface {}(nil)`.
 * @param key the type of the keys of maps: `interface {}` for values of a YAML parser
 */
export function printGoValue(value: unknown, key: 'string' | 'interface {}' = 'string', depth = 0): string {
  if (depth > MAX_DEPTH) return '...';
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  const printPart = (part: unknown) => printGoValue(part, key, depth + 1);
  if (Array.isArray(value)) return `[]interface {}{${value.map(printPart).join(', ')}}`;
  if (!isJsonObject(value)) return printScalar(value);
  const entries = namesOf(value).map((name) => `${quote(name)}:${printPart(value[name])}`);
  return `map[${key}]interface {}{${entries.join(', ')}}`;
}

const printScalar = (value: unknown): string => (typeof value === 'number' ? printGoNumber(value) : String(value));

/** The smallest number above all signed 64-bit integers. */
const ABOVE_INT64 = 2 ** 63;

/** Returns a number as `%v` prints it: a 64-bit integer with all its digits, and others as doubles (`0.5`, `1e-05`). */
export function printGoNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < ABOVE_INT64 ? String(value) : formatDouble(value);
}

/** Returns the type of a value as `%T` prints it: `string`, `bool`, `[]interface {}`. */
export function printGoType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

const namesOf = (object: object): string[] => Object.keys(object).sort(compareText);
