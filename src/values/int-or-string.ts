import { ParseError } from './parse-error.js';
import { quote } from './quote.js';

/** A number or its name: ports, and amounts that may be a percentage. */
export type IntOrString = number | string;

/** Whether a value is a string or a whole number of 32 bits. */
export function isIntOrString(value: unknown): value is IntOrString {
  return typeof value === 'string' || (typeof value === 'number' && (value | 0) === value);
}

/**
 * What a number or a percentage of `total` amounts to.
 * @throws ParseError for a string that is not a percentage.
 */
export function scaledIntOrPercent(value: IntOrString, total: number, rounding: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const part = (percentage(value) * total) / 100;
  return rounding === 'up' ? Math.ceil(part) : Math.floor(part);
}

function percentage(text: string): number {
  if (!text.endsWith('%'))
    throw new ParseError('invalid value for IntOrString: invalid type: string is not a percentage');
  const digits = text.slice(0, -1);
  if (!/^[+-]?\d{1,15}$/.test(digits)) {
    throw new ParseError(
      `invalid value for IntOrString: invalid value ${quote(text)}: strconv.Atoi: parsing ${quote(digits)}: invalid syntax`,
    );
  }
  return Number(digits);
}
