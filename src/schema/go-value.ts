import { quote } from '../values/quote.js';
import { isRecord } from './json-objects.js';

/** Nothing deeper is printed. */
const MAX_DEPTH = 500;

/** A JSON value as messages print untyped ones: `map[string]interface {}{"a":"x", "b":1}`. */
export function printGoValue(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return '...';
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map((item) => printGoValue(item, depth + 1)).join(', ')}}`;
  if (isRecord(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((name) => `${quote(name)}:${printGoValue(value[name], depth + 1)}`);
    return `map[string]interface {}{${entries.join(', ')}}`;
  }
  return String(value);
}
