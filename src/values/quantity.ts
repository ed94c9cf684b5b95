import { ParseError } from './parse-error.js';
import { remembering } from './remembering.js';

/** Which suffixes a quantity is written with: `1Mi`, `1M`, `1e6`. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/** An exact decimal number that remembers how it was written: `unscaled` times ten to the power of `exponent`. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const SPLIT = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?|[-+])\d*)?$/;
/** The error for a value that cannot be read as a quantity. */
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

/** Nothing is kept below a billionth. */
const SMALLEST_EXPONENT = -9;
/** Binary quantities end here. */
const BINARY_MAX = (1n << 63n) - 1n;
/** No sensible quantity is written longer, or with a larger exponent; arithmetic on such would take too long. */
const MAX_LENGTH = 1_000;
const MAX_EXPONENT = 1_000;

/**
 * Reads a quantity: `100m`, `1.5Gi`, `2e3`. What is finer than a billionth is rounded away from zero; binary quantities end at 2^63-1.
 * @throws ParseError
 */
export const parseQuantity = remembering(readQuantity);

/**
 * A quantity as the server writes it: `1024Mi` is `1Gi`.
 * @throws ParseError
 */
export const canonicalQuantity = remembering((text) => formatQuantity(parseQuantity(text)));

function readQuantity(text: string): Quantity {
  const match = text === '' ? null : SPLIT.exec(text);
  if (match === null) throw new ParseError(WRONG_FORMAT);
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const { exponent, multiplier, format } = readSuffix(suffix);
  if (text.length > MAX_LENGTH) throw new ParseError('unable to parse numeric part of quantity');

  const size = roundUp(BigInt(whole + fraction) * multiplier, exponent - fraction.length, SMALLEST_EXPONENT);
  let { unscaled } = size;
  let { exponent: scale } = size;
  if (format === 'BinarySI' && compareSizes(size, { unscaled: BINARY_MAX, exponent: 0 }) > 0) {
    unscaled = BINARY_MAX;
    scale = 0;
  }
  const isFraction = unscaled > 0n && compareSizes(size, { unscaled: 1n, exponent: 0 }) < 0;
  return Object.freeze({
    unscaled: sign === '-' ? -unscaled : unscaled,
    exponent: scale,
    format: format === 'BinarySI' && isFraction ? 'DecimalSI' : format,
  });
}

/** Whether a text is a quantity. */
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

/** The number with no digits below `smallest`; what is cut off counts as one more, away from zero. */
function roundUp(unscaled: bigint, exponent: number, smallest: number): Amount {
  if (exponent >= smallest || unscaled === 0n) return { unscaled, exponent: unscaled === 0n ? 0 : exponent };
  const unit = 10n ** BigInt(smallest - exponent);
  const cut = unscaled / unit;
  const more = unscaled % unit === 0n ? 0n : unscaled < 0n ? -1n : 1n;
  return { unscaled: cut + more, exponent: smallest };
}

/** Both numbers as multiples of one power of ten. */
function align(a: Amount, b: Amount): readonly [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (n: Amount) => n.unscaled * 10n ** BigInt(n.exponent - exponent);
  return [scaled(a), scaled(b), exponent];
}

function compareSizes(a: Amount, b: Amount): number {
  const [left, right] = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Negative, 0 or positive, for use with `sort`. Formats do not count. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return compareSizes(a, b);
}

/** `a` + `b` in the format of `a`, or of `b` where `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const [left, right, exponent] = align(a, b);
  return { unscaled: left + right, exponent, format: a.unscaled === 0n ? b.format : a.format };
}

/** `a` - `b`, in the format of {@link addQuantities}. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, negateQuantity(b));
}

/** The least multiple of ten to the power of `exponent` that is not less; away from zero where it is negative. */
export function roundQuantityUp({ unscaled, exponent, format }: Quantity, smallest: number): Quantity {
  return { ...roundUp(unscaled, exponent, smallest), format };
}

/** -`a`. */
export function negateQuantity(a: Quantity): Quantity {
  return { ...a, unscaled: -a.unscaled };
}

/** The whole number a quantity is, or undefined where it has a fraction. */
export function quantityToInteger(quantity: Quantity): bigint | undefined {
  const { unscaled, exponent } = quantity;
  if (exponent >= 0) return unscaled * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return unscaled % unit === 0n ? unscaled / unit : undefined;
}

/** The whole number that a quantity is rounded to, away from zero. */
export function wholeQuantity({ unscaled, exponent }: Quantity): bigint {
  const whole = roundUp(unscaled, exponent, 0);
  return whole.unscaled * 10n ** BigInt(whole.exponent);
}

/** Whether it is not whole, looked at in thousandths, to which it is rounded up. */
export function hasFraction({ unscaled, exponent, format }: Quantity): boolean {
  return quantityToInteger({ ...roundUp(unscaled, exponent, -3), format }) === undefined;
}

/** The nearest number JavaScript has. */
export function quantityToNumber({ unscaled, exponent }: Quantity): number {
  return Number(`${unscaled}e${exponent}`);
}

/**
 * The canonical text: no fraction digits, the largest suffix that loses nothing (`1500m`, `1536Mi`, `12e6`).
 * Binary quantities below 1024, or with a fraction, are written as decimal ones.
 */
export function formatQuantity(quantity: Quantity): string {
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
  // Beyond the largest suffix only an exponent says how large it is.
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
