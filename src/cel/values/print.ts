import { Double, plainDigits, Uint } from './numbers.js';
import { TypeValue } from './optional.js';
import { fromBytes } from './text.js';
import { Duration, Timestamp } from './time.js';
import { ListValue, MapValue, type Value } from './value.js';

const FROM_EXPONENT = 6;

/** A double in its shortest form; with an exponent, of two digits at least, from 1e+06 on and below 1e-04. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < FROM_EXPONENT) return plainDigits(mantissa, exponent);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** A value of a type that has a text form; undefined for the others. */
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

/** A value as messages show it, cut where it is long. */
export function describe(value: Value): string {
  if (value === null) return 'null';
  const text = textOf(value);
  if (text !== undefined) return text.length > 200 ? `${text.slice(0, 200)}...` : text;
  if (value instanceof ListValue) return `list of ${value.size}`;
  return value instanceof MapValue ? 'map' : 'value';
}
