/** The type and value of a plain scalar, as upstream reads YAML 1.1: `y`, `on` and `012` are not strings. */
export type ResolvedScalar =
  | { readonly type: 'null' | 'string' | 'timestamp' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int' | 'float'; readonly value: number };

const STRING: ResolvedScalar = { type: 'string' };
const NULLS = new Set(['', '~', 'null', 'Null', 'NULL']);
const TRUES = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
const FALSES = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']);
const INFINITIES: ReadonlyMap<string, number> = new Map(
  ['.inf', '.Inf', '.INF'].flatMap((text): [string, number][] => [
    [text, Number.POSITIVE_INFINITY],
    [`+${text}`, Number.POSITIVE_INFINITY],
    [`-${text}`, Number.NEGATIVE_INFINITY],
  ]),
);
const NANS = new Set(['.nan', '.NaN', '.NAN']);
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const INTEGER = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/;
const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;
const LONGEST_NUMBER = 2048;

/** Determines the type and value of an unquoted scalar. */
export function resolvePlain(text: string): ResolvedScalar {
  if (NULLS.has(text)) return { type: 'null' };
  if (TRUES.has(text)) return { type: 'bool', value: true };
  if (FALSES.has(text)) return { type: 'bool', value: false };
  const first = text.charCodeAt(0);
  const numeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d;
  if (!numeric && first !== 0x2e) return STRING;
  const infinity = INFINITIES.get(text);
  if (infinity !== undefined) return { type: 'float', value: infinity };
  if (NANS.has(text)) return { type: 'float', value: Number.NaN };
  if (text.length > LONGEST_NUMBER) return STRING;
  if (!numeric) return floatOf(text.replace(/(?<=\d)_(?=\d)/g, ''));
  if (isTimestamp(text)) return { type: 'timestamp' };
  const plain = text.replaceAll('_', '');
  const integer = parseInteger(plain);
  if (integer !== undefined) return { type: 'int', value: integer };
  return floatOf(plain);
}

/** A number beyond the range of a double is a string. */
function floatOf(text: string): ResolvedScalar {
  const value = FLOAT.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? { type: 'float', value } : STRING;
}

function parseInteger(text: string): number | undefined {
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  let value: number;
  if (hex !== undefined) value = Number(`0x${hex}`);
  else if (binary !== undefined) value = Number(`0b${binary}`);
  else if (octal !== undefined) value = Number(`0o${octal}`);
  else value = Number(decimal);
  // Numbers beyond 64 bits are not integers. Decimal ones need no check, because as floats they have the same value.
  if (decimal === undefined && (sign === '-' ? value > 2 ** 63 : value >= 2 ** 64)) return undefined;
  if (!Number.isFinite(value)) return undefined;
  return sign === '-' && value !== 0 ? -value : value;
}

function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const [, year = '', month = '', day = '', h1, m1, s1, h2, m2, s2] = match;
  const within = (part: string | undefined, max: number) => part === undefined || Number(part) <= max;
  // JavaScript's Date reads the years 0 to 99 as 1900 to 1999. The calendar repeats every 400 years, so an equivalent year is used instead.
  const lastDay = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  const date = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= lastDay;
  return date && within(h1 ?? h2, 23) && within(m1 ?? m2, 59) && within(s1 ?? s2, 59);
}

/** Formats a number as YAML output prints it: integers of up to 64 bits in full, others in their shortest form. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64) return String(value === 0 ? 0 : value);
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
