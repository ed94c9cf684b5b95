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
export function fixed(value: number, precision: number, grouped = true): string {
  if (!Number.isFinite(value)) return special(value);
  const [whole = '', fraction] = roundedDigits(Math.abs(value), precision).split('.');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
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

/** Formats a number as `1.052033 × 10⁰³`, with narrow no-break spaces. */
export function scientific(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  const [mantissa = '', power = '0'] = value.toExponential(Math.min(precision, 100)).split('e');
  const exponent = Number(power);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  const raised = [...digits].map((digit) => SUPERSCRIPTS[Number(digit)] ?? '').join('');
  return `${mantissa}\u202f×\u202f10${exponent < 0 ? '⁻' : ''}${raised}`;
}
