import { membersOf } from '../../json/order.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import { quote } from '../../values/quote.js';

/** Formats a value as paths in messages show it: strings in quotes, `[a,b]`, objects as `name=value`. */
export function formatValue(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (!isJsonObject(value)) return String(value);
  return membersOf(value)
    .map(([name, member]) => `${name}=${formatValue(member)}`)
    .join('');
}
