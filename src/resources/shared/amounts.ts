import { formatQuantity, hasFraction, parseQuantity } from '../../values/quantity.js';
import { quote } from '../../values/quote.js';

/** Returns warnings about amounts of bytes that are not whole numbers. `path` is the path of all amounts. */
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
