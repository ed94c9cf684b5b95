import { formatQuantity, hasFraction, parseQuantity } from '../../values/quantity.js';
import { quote } from '../../values/quote.js';

/** Amounts of bytes, by name, that are not whole. `path` is that of all amounts. */
export function fractionWarnings(
  path: string,
  amounts: Readonly<Record<string, string>> | undefined,
  names: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    const amount = amounts?.[name];
    if (amount === undefined) return [];
    const size = parseQuantity(amount);
    if (!hasFraction(size)) return [];
    return [`${path}[${name}]: fractional byte value ${quote(formatQuantity(size))} is invalid, must be an integer`];
  });
}
