import type { JsonValue } from '../json/value.js';

const MAX_DEPTH = 1000;

/** Returns a value as upstream's messages print it: `map[a:1 b:[x y]]`, with sorted keys, unquoted strings, and null as `<nil>`. */
export function plainText(value: JsonValue, depth = 0): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'object') return String(value);
  if (depth > MAX_DEPTH) return '...';
  if (Array.isArray(value)) return `[${value.map((item) => plainText(item, depth + 1)).join(' ')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, member]) => `${name}:${plainText(member ?? null, depth + 1)}`).join(' ')}]`;
}

/** Returns a value as Go prints it with `%s`. A boolean or number does not fit `%s`, and Go prints it with its type: `%!s(bool=true)`. */
export function textOfString(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '%!s(<nil>)';
  if (typeof value !== 'object') return `%!s(${typeText(value)}=${plainText(value)})`;
  return plainText(value);
}

/** Returns the Go type of a value as messages print it; `%!s(<nil>)` for null, which has no type. */
export function typeText(value: JsonValue): string {
  if (value === null) return '%!s(<nil>)';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** Prints a number as Go does. Integers have no exponent; fractions below 0.0001 have an exponent with at least two digits. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}
