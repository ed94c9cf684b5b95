const FROM_EXPONENT = 6;

/** Formats a double in its shortest form. From 1e+06 on and below 1e-04 it has an exponent of at least two digits. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < FROM_EXPONENT) return plainDigits(mantissa, exponent);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Formats a finite double in its shortest form without an exponent: `0.000001`. */
export function plainDecimal(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return plainDigits(mantissa, Number(exponent));
}

/** Returns `mantissa` times ten to the power of `exponent` without an exponent. */
function plainDigits(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
