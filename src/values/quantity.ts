import { cachedByText } from './memoize.js';
import { ParseError } from './parse-error.js';

/** The kind of suffix with which a quantity is written: `1Mi`, `1M`, `1e6`. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/** An exact decimal number, `unscaled` times ten to the power of `exponent`, and the format in which it was written. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /**
   * Whether upstream stores the quantity as a decimal with nine places, and not as a number of 64 bits with an exponent. Expressions do not
   * convert such a quantity to an int. Default: false.
   */
  readonly isDecimal?: boolean;
  /** The text of the quantity, if upstream takes it for canonical and therefore never rewrites it: `5Gi`, and also `1.250` and `+5`. */
  readonly text?: string;
}

const SPLIT = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?|[-+])\d*)?$/;
/** Upstream's message for a string that is not a quantity. */
export const WRONG_FORMAT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const DECIMAL_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const BINARY_SUFFIXES: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Quantities have no decimal places beyond a billionth. */
const SMALLEST_EXPONENT = -9;
/** The largest quantity in binary format. */
const BINARY_MAX = (1n << 63n) - 1n;
/** Longer strings and larger exponents are refused, because arithmetic on them would take too long. */
const MAX_LENGTH = 1_000;
const MAX_EXPONENT = 1_000;

/**
 * Parses a quantity: `100m`, `1.5Gi`, `2e3`. Decimal places beyond a billionth are rounded away from zero; binary quantities are capped at
 * 2^63-1.
 * @throws ParseError
 */
export const parseQuantity = cachedByText(readQuantity);

/**
 * Returns a quantity in the form in which it is stored: `1024Mi` becomes `1Gi`, and `1.250` stays.
 * @throws ParseError
 */
export const canonicalQuantity = cachedByText((text) => formatQuantity(parseQuantity(text)));

function readQuantity(text: string): Quantity {
  const match = text === '' ? null : SPLIT.exec(text);
  if (match === null) throw new ParseError(WRONG_FORMAT);
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const { exponent, multiplier, format } = readSuffix(suffix);
  // As in upstream, a suffix without a number is zero, unless the suffix is very large or very small.
  const isMissing = whole + fraction === '' && (multiplier >= 1024n ** 5n || exponent < SMALLEST_EXPONENT);
  if (isMissing || text.length > MAX_LENGTH) throw new ParseError('unable to parse numeric part of quantity');

  const size = roundUp(BigInt(whole + fraction) * multiplier, exponent - fraction.length, SMALLEST_EXPONENT);
  let { unscaled } = size;
  let { exponent: scale } = size;
  const isCapped = format === 'BinarySI' && compareQuantities(size, { unscaled: BINARY_MAX, exponent: 0 }) > 0;
  if (isCapped) {
    unscaled = BINARY_MAX;
    scale = 0;
  }
  const digits = whole.replace(/^0+/, '') || '0';
  const isDecimal = !fitsInt64(digits.length, fraction.length, exponent, suffix);
  if (isDecimal && unscaled !== 0n && !isCapped) {
    unscaled *= 10n ** BigInt(scale - SMALLEST_EXPONENT);
    scale = SMALLEST_EXPONENT;
  }
  const isFraction = unscaled > 0n && compareQuantities(size, { unscaled: 1n, exponent: 0 }) < 0;
  return Object.freeze({
    unscaled: sign === '-' ? -unscaled : unscaled,
    exponent: scale,
    format: format === 'BinarySI' && isFraction ? 'DecimalSI' : format,
    ...(isDecimal ? { isDecimal } : {}),
    ...(!isDecimal && isKept(digits + fraction, exponent - fraction.length, format) ? { text } : {}),
  });
}

/**
 * Returns whether upstream keeps the text of a number that fits into 64 bits, instead of formatting it again. As in upstream, only a few
 * properties of canonical numbers are checked, such as the absence of a leading zero.
 */
function isKept(digits: string, exponent: number, format: QuantityFormat): boolean {
  if (format === 'BinarySI') return BigInt(digits) % 8n !== 0n;
  return exponent % 3 === 0 && !digits.startsWith('0') && !digits.endsWith('000');
}

/** Returns whether upstream takes a number of so many digits for one that fits into 64 bits with its suffix. */
function fitsInt64(whole: number, fraction: number, exponent: number, suffix: string): boolean {
  const power = BINARY_SUFFIXES.indexOf(suffix);
  if (power <= 0) return whole + fraction <= 18 && exponent - fraction >= SMALLEST_EXPONENT;
  // Each factor of 1024 counts as three decimal digits.
  return fraction === 0 && whole + 3 * power <= 14;
}

/** Returns whether a string is a quantity. */
export function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}

function readSuffix(suffix: string): { exponent: number; multiplier: bigint; format: QuantityFormat } {
  const decimal = DECIMAL_SUFFIXES.get(suffix);
  if (decimal !== undefined) return { exponent: decimal, multiplier: 1n, format: 'DecimalSI' };
  const power = BINARY_SUFFIXES.indexOf(suffix);
  if (power > 0) return { exponent: 0, multiplier: 1024n ** BigInt(power), format: 'BinarySI' };
  const match = /^[eE]([+-]?\d+)$/.exec(suffix);
  const exponent = Number(match?.[1]);
  if (match === null || Math.abs(exponent) > MAX_EXPONENT) throw new ParseError("unable to parse quantity's suffix");
  return { exponent, multiplier: 1n, format: 'DecimalExponent' };
}

type Amount = Pick<Quantity, 'unscaled' | 'exponent'>;

/** Rounds a number away from zero to a multiple of ten to the power of `smallest`. */
function roundUp(unscaled: bigint, exponent: number, smallest: number): Amount {
  if (exponent >= smallest) return { unscaled, exponent };
  const unit = 10n ** BigInt(smallest - exponent);
  const cut = unscaled / unit;
  const more = unscaled % unit === 0n ? 0n : unscaled < 0n ? -1n : 1n;
  return { unscaled: cut + more, exponent: smallest };
}

/** Returns both numbers as multiples of a common power of ten, and the exponent of that power. */
function align(a: Amount, b: Amount): readonly [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaleAmount = (n: Amount) => n.unscaled * 10n ** BigInt(n.exponent - exponent);
  return [scaleAmount(a), scaleAmount(b), exponent];
}

/** Compares two quantities by their numeric value, for use with `sort`. */
export function compareQuantities(a: Amount, b: Amount): number {
  const [left, right] = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns `a` + `b` in the format of `a`, or of `b` if `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  const ofDecimals = (a.isDecimal ?? b.isDecimal) === true;
  // As in upstream, the exponent of a zero that is stored in 64 bits does not matter.
  const zero = b.unscaled === 0n ? b : a;
  if (!ofDecimals && zero.unscaled === 0n) {
    const { unscaled, exponent } = zero === b ? a : b;
    return { unscaled, exponent, format };
  }
  const [left, right, exponent] = align(a, b);
  const unscaled = left + right;
  const isDecimal = ofDecimals || BigInt.asIntN(64, unscaled) !== unscaled;
  return { unscaled, exponent, format, ...(isDecimal ? { isDecimal } : {}) };
}

/** Returns `a` - `b`. The format is that of `a`, or of `b` if `a` is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, negateQuantity(b));
}

/** Rounds a quantity away from zero to a multiple of ten to the power of `smallest`. */
export function roundQuantityUp(quantity: Quantity, smallest: number): Quantity {
  const { unscaled, exponent, format } = quantity;
  return exponent >= smallest ? quantity : { ...roundUp(unscaled, exponent, smallest), format };
}

/** Returns the quantity with the opposite sign. */
export function negateQuantity({ text: _, ...a }: Quantity): Quantity {
  return { ...a, unscaled: -a.unscaled };
}

/** Returns a quantity as an integer; undefined when it has a fraction. */
export function quantityToInteger(quantity: Quantity): bigint | undefined {
  const { unscaled, exponent } = quantity;
  if (exponent >= 0) return unscaled * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return unscaled % unit === 0n ? unscaled / unit : undefined;
}

/** Rounds a quantity away from zero to an integer. */
export function wholeQuantity({ unscaled, exponent }: Quantity): bigint {
  const whole = roundUp(unscaled, exponent, 0);
  return whole.unscaled * 10n ** BigInt(whole.exponent);
}

/** Returns whether a quantity has a fraction after it is rounded up to thousandths. */
export function hasFraction({ unscaled, exponent, format }: Quantity): boolean {
  return quantityToInteger({ ...roundUp(unscaled, exponent, -3), format }) === undefined;
}

/** Returns a quantity as a JavaScript number, with the error that upstream's conversion has. */
export function quantityToNumber({ unscaled, exponent }: Quantity): number {
  return Number(unscaled) * Number(`1e${exponent}`);
}

/**
 * Formats a quantity canonically, unless its text is kept: without fraction digits and with the largest exact suffix (`1500m`, `1536Mi`,
 * `12e6`). A binary quantity below 1024, or one with a fraction, is written in decimal format.
 */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  if (quantity.format === 'BinarySI') {
    const whole = quantityToInteger(quantity);
    if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) return formatBinary(whole);
  }
  let { unscaled, exponent } = quantity;
  while (unscaled % 10n === 0n) {
    unscaled /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    unscaled *= 10n;
    exponent--;
  }
  const suffix = [...DECIMAL_SUFFIXES].find(([, power]) => power === exponent)?.[0];
  // A quantity without a fitting suffix is written with an exponent.
  if (quantity.format !== 'DecimalExponent' && suffix !== undefined) return `${unscaled}${suffix}`;
  return exponent === 0 ? String(unscaled) : `${unscaled}e${exponent}`;
}

function formatBinary(whole: bigint): string {
  let value = whole;
  let power = 0;
  while (value % 1024n === 0n && power < BINARY_SUFFIXES.length - 1) {
    value /= 1024n;
    power++;
  }
  return `${value}${BINARY_SUFFIXES[power] ?? ''}`;
}
