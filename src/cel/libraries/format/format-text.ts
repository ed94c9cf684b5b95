import { quote } from '../../../values/quote.js';
import { toText } from '../../values/conversions.js';
import { Double, Uint } from '../../values/numbers.js';
import { TypeValue } from '../../values/optional.js';
import { toBytes } from '../../values/text.js';
import { Duration, Timestamp } from '../../values/time.js';
import { typeName } from '../../values/types.js';
import { EvaluationError, ListValue, MapValue, type Outcome, type Value } from '../../values/value.js';
import { spend, spendText } from '../../values/work.js';

/** Thrown to abort formatting. Its message becomes the error of the call. */
export class FormatError extends Error {}

export const CLAUSE = /%(?:%|(\.\d*)?(.)?)/gsu;

/** Evaluates `'%d of %s'.format([1, 'x'])`. */
export function formatText(format: string, args: ListValue): Outcome {
  spendText(format.length);
  let at = 0;
  let length = format.length;
  const piece = (clause: string, precision: string | undefined, verb: string | undefined): string => {
    if (clause === '%%') return '%';
    if (at >= args.size) throw new FormatError(`index ${at} out of range`);
    const text = formatClause(args.at(at++), precision, verb);
    length += text.length;
    spendText(length);
    spend(text.length >>> 4);
    return text;
  };
  try {
    return format.replace(CLAUSE, piece);
  } catch (error) {
    if (error instanceof FormatError) return new EvaluationError(error.message);
    throw error;
  }
}

function formatClause(value: Outcome, precision: string | undefined, verb: string | undefined): string {
  if (value instanceof EvaluationError) throw new FormatError(value.message);
  const [formatter, digits] = formatterOf(precision, verb);
  return formatter(value, digits);
}

/**
 * Returns the formatter of a clause and its precision.
 * @throws FormatError
 */
export function formatterOf(
  precision: string | undefined,
  verb: string | undefined,
): readonly [formatter: Formatter, digits: number] {
  if (verb === undefined) {
    throw precision === undefined
      ? new FormatError('unexpected end of string')
      : imprecise('could not find end of precision specifier');
  }
  if (precision === '.')
    throw imprecise('error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax');
  const digits = precision === undefined ? 6 : Number(precision.slice(1));
  if (digits > 1000) throw imprecise('too large');
  const formatter = FORMATTERS[verb];
  if (formatter === undefined) {
    // Upstream reads the format byte by byte.
    const shown = String.fromCharCode(toBytes(verb)[0] ?? 0);
    throw wrong(`unrecognized formatting clause "${shown}"`);
  }
  return [formatter, digits];
}

const wrong = (message: string): FormatError => new FormatError(`could not parse formatting clause: ${message}`);
const imprecise = (message: string): FormatError => wrong(`error while parsing precision: ${message}`);
export const unfit = (message: string, type: string): string =>
  `error during formatting: ${message}, was given ${type}`;
const unfitError = (message: string, value: Value): FormatError => new FormatError(unfit(message, typeName(value)));

const HEX_ONLY = 'only integers, byte buffers, and strings can be formatted as hex';
/** The error messages of the clauses, for values that a clause does not accept. */
export const ONLY = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  o: 'octal clause can only be used on integers',
  x: HEX_ONLY,
  X: HEX_ONLY,
} as const;

type Formatter = (value: Value, precision: number) => string;
const FORMATTERS: Readonly<Record<string, Formatter>> = {
  s: formatString,
  d: formatDecimal,
  f: (value, precision) => formatFixed(numberOf(value, ONLY.f), precision),
  e: (value, precision) => scientific(numberOf(value, ONLY.e), precision),
  b: (value) => {
    if (typeof value === 'boolean') return value ? '1' : '0';
    return digitsIn(value, 2, ONLY.b);
  },
  o: (value) => digitsIn(value, 8, ONLY.o),
  x: formatHex,
  X: (value) => formatHex(value).toUpperCase(),
};

function formatString(value: Value): string {
  if (value instanceof ListValue) return formatList(value);
  if (value instanceof MapValue) return formatMap(value);
  if (value === null) return 'null';
  const text = toText(value);
  if (typeof text !== 'string') {
    if (!(value instanceof Uint8Array)) throw unfitError(ONLY.s, value);
    const { message } = text as EvaluationError;
    throw new FormatError(`error during formatting: could not convert argument ${quote(message)} to string`);
  }
  return text;
}

function formatDecimal(value: Value): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof Uint) return String(value.value);
  throw unfitError(ONLY.d, value);
}

const SPECIAL: ReadonlyMap<Value, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function numberOf(value: Value, message: string): number {
  if (value instanceof Double) return value.value;
  const special = SPECIAL.get(value);
  if (special === undefined) throw unfitError(message, value);
  return special;
}

function digitsIn(value: Value, radix: number, message: string): string {
  if (typeof value === 'number' || typeof value === 'bigint') return value.toString(radix);
  if (value instanceof Uint) return value.value.toString(radix);
  throw unfitError(message, value);
}

function formatHex(value: Value): string {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    const bytes = typeof value === 'string' ? toBytes(value) : value;
    spendText(bytes.length * 2);
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  return digitsIn(value, 16, HEX_ONLY);
}

function formatList(list: ListValue): string {
  const parts: string[] = [];
  for (let i = 0; i < list.size; i++) parts.push(formatMember(list.at(i)));
  return `[${joinParts(parts)}]`;
}

function formatMap(map: MapValue): string {
  const entries: [string, string][] = [];
  for (const key of map.keys()) {
    if (key instanceof Double) throw new FormatError('no formatting function for map key of type double');
    const name = typeof key === 'string' ? quote(key) : formatString(key);
    entries.push([name, formatMember(map.get(key) ?? null)]);
  }
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${joinParts(entries.map(([key, value]) => `${key}:${value}`))}}`;
}

function joinParts(parts: readonly string[]): string {
  spendText(parts.reduce((length, part) => length + part.length + 2, 0));
  return parts.join(', ');
}

/**
 * Formats an item of a list or a value of a map in CEL syntax: strings have quotes, for example, and a timestamp is a call of `timestamp`.
 */
function formatMember(value: Outcome): string {
  spend(1);
  if (value instanceof EvaluationError) throw new FormatError(value.message);
  if (typeof value === 'string') return quote(value);
  if (value instanceof Double)
    return Number.isFinite(value.value) ? fixedPlain(value.value) : `"${formatString(value)}"`;
  if (value instanceof Timestamp) return `timestamp("${value}")`;
  if (value instanceof Duration) return `duration("${value}")`;
  if (value instanceof Uint8Array) return `b${quote(formatString(value))}`;
  if (value === null || typeof value !== 'object' || value instanceof Uint) return formatString(value);
  if (value instanceof ListValue || value instanceof MapValue || value instanceof TypeValue) return formatString(value);
  throw new FormatError(`error during formatting: no formatting function for ${typeName(value)}`);
}

const fixedPlain = (value: number): string => formatFixed(value, 6, false);

/** Returns the digits of a finite number, with ties rounded to even. */
function roundedDigits(size: number, precision: number): string {
  if (size >= 1e21) return precision === 0 ? String(BigInt(size)) : `${BigInt(size)}.${'0'.repeat(precision)}`;
  if (precision >= 100) return size.toFixed(100).padEnd(size.toFixed(100).length + precision - 100, '0');
  const text = size.toFixed(precision);
  // JavaScript rounds ties up, so the exact digits are used to detect a tie.
  const rest = size.toFixed(100).slice(precision === 0 ? text.length + 1 : text.length);
  const cutText = size.toFixed(100).slice(0, precision === 0 ? -101 : precision - 100);
  return /^50*$/.test(rest) && cutText.length === text.length && isEven(cutText) ? cutText : text;
}
const isEven = (digits: string): boolean => '02468'.includes(digits.at(-1) ?? '0');

const special = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞');

/** Formats a number as `1,234.500000`, with the whole part in groups of three digits. */
function formatFixed(value: number, precision: number, grouped = true): string {
  if (!Number.isFinite(value)) return special(value);
  const [whole = '', fraction] = roundedDigits(Math.abs(value), precision).split('.');
  // Upstream prints grouped numbers with a formatter for natural languages, which prints -0 as 0.
  const sign = value < 0 || (!grouped && Object.is(value, -0)) ? '-' : '';
  const groups = grouped ? inGroups(whole) : whole;
  return sign + groups + (fraction === undefined ? '' : `.${fraction}`);
}

/** Formats `1234567` as `1,234,567`. */
function inGroups(digits: string): string {
  const first = digits.length % 3;
  let out = digits.slice(0, first);
  for (let at = first; at < digits.length; at += 3) out += `${out === '' ? '' : ','}${digits.slice(at, at + 3)}`;
  return out;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * Formats a number as `1.052033 × 10⁰³`, with narrow no-break spaces. As in upstream, the precision is the minimum width, and there are
 * always six decimal places.
 */
function scientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return special(value).padStart(width);
  const [mantissa = '', power = '0'] = value.toExponential(6).split('e');
  const exponent = Number(power);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  const raised = [...digits].map((digit) => SUPERSCRIPTS[Number(digit)] ?? '').join('');
  return `${mantissa}\u202f×\u202f10${exponent < 0 ? '⁻' : ''}${raised}`.padStart(width);
}
