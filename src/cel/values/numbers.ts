/**
 * Numbers of CEL. An `int` is a plain number inside the safe range and a bigint outside it (never a bigint inside it), so that ints of API
 * objects are values as they are. Doubles and uints are rarer and therefore boxed, so every plain `number` in the CEL code is an int.
 */

/** An IEEE double. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** An unsigned 64-bit integer. As for ints, `value` is a number inside the safe range and a bigint outside it. */
export class Uint {
  readonly value: number | bigint;

  constructor(value: number | bigint) {
    this.value = value;
  }
}

/** A signed 64-bit integer: a number inside the safe range, otherwise a bigint. */
export type Int = number | bigint;

export const INT_MIN = -(2n ** 63n);
export const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/** Returns the canonical form of an int: a number if it is safe, else a bigint. */
export function canonicalInt(value: bigint): Int {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** Returns a bigint as an int64; undefined on overflow. */
export function toInt64(value: bigint): Int | undefined {
  return value < INT_MIN || value > INT_MAX ? undefined : canonicalInt(value);
}

/** Returns a bigint as a uint64; undefined on overflow. */
export function toUint64(value: bigint): Uint | undefined {
  return value < 0n || value > UINT_MAX ? undefined : new Uint(canonicalInt(value));
}
