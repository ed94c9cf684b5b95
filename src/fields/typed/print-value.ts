import { membersOf } from '../../json/order.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import { quote } from '../../values/quote.js';

// The recorded texts of type errors print the bad value in the upstream's own notation (spec 6.11).

/** Plain: `x`, `[a b]`, `map[k:v]`, `<nil>`. */
export function printPlain(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(printPlain).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  return `map[${membersOf(value)
    .map(([name, member]) => `${name}:${printPlain(member)}`)
    .join(' ')}]`;
}

/** With types: `"x"`, `[]interface {}{"a"}`, `map[string]interface {}{"k":"v"}`. */
export function printTyped(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `${printType(value)}{${value.map(printTyped).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  return `${printType(value)}{${membersOf(value)
    .map(([name, member]) => `${quote(name)}:${printTyped(member)}`)
    .join(', ')}}`;
}

/** The type alone: `string`, `bool`, `[]interface {}`. */
export function printType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
