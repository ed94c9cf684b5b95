import type { Random } from '../../../meta/random.js';
import { randomBelow } from '../../../meta/random.js';
import {
  familyOf,
  formatIp,
  type IpFamily,
  type IpRange,
  isInRange,
  parseAddress,
  parseRange,
} from '../../../values/ip-address.js';
import { cachedByText } from '../../../values/memoize.js';

/**
 * The offsets of a range of addresses or ports, from 0 to `size` - 1. Those below `reserved` are assigned automatically only when all
 * others are taken, so that clients can request them explicitly.
 */
interface Band {
  readonly size: number;
  readonly reserved: number;
}

/**
 * Returns how many of `size` values are reserved: `size / part`, but at least 16 and at most `most`. If `size` is 16 or less, none are
 * reserved.
 */
function reservedCount(size: number, part: number, most: number): number {
  const least = 16;
  return size <= least ? 0 : Math.min(most, Math.max(least, Math.floor(size / part)));
}

/** Yields each offset of a range once, from a random start. The reserved offsets come last. */
function* numbersOf({ size, reserved }: Band, random: Random): Iterable<number> {
  for (const [first, count] of [
    [reserved, size - reserved],
    [0, reserved],
  ] as const) {
    const start = count > 0 ? randomBelow(random, count) : 0;
    for (let i = 0; i < count; i++) yield first + ((start + i) % count);
  }
}

/** A pool of addresses or ports to allocate. Different spellings of a value have the same key. */
export interface Pool<V extends string | number> {
  /** The number of values in the pool. */
  readonly size: number;
  keyOf(value: V): string;
  /** Returns why a value is not part of the pool, or undefined when it is. */
  problemOf(value: V): string | undefined;
  /**
   * Iterates over free values in random order. `isTaken` is called when a value is reached, so a value that was taken meanwhile is skipped,
   * and no value is visited twice.
   */
  free(random: Random, isTaken: (key: string) => boolean): Iterator<V>;
}

export interface AddressPool extends Pool<string> {
  readonly family: IpFamily;
  /** The range: `10.0.0.0/24` */
  readonly cidr: string;
  /** The address that dry runs return. It is not part of the pool. */
  readonly placeholder: string;
}

/** The maximum number of addresses that are allocated from an IPv6 range. */
const MOST_ADDRESSES = 65_536;

const keyOfBytes = (address: Uint8Array): string => `ip:${address.join('.')}`;

/** Returns the key of an address. All spellings of an address have the same key. */
export function addressKey(text: string): string {
  const address = parseAddress(text);
  return address ? keyOfBytes(address) : `ip:${text}`;
}
export const portKey = (port: number): string => `port:${port}`;

/**
 * Creates the pool of a range, without the network address and, for IPv4, the broadcast address.
 * @throws TypeError for a string that is not a CIDR range.
 */
export function addressPool(text: string): AddressPool {
  const range = rangeOf(text);
  const { first, bits } = range;
  const family = familyOf(first);
  const all = Math.min(2 ** (first.length * 8 - bits), family === 'IPv6' ? MOST_ADDRESSES : 2 ** 32);
  const band = { size: all - (family === 'IPv6' ? 1 : 2), reserved: reservedCount(all, 16, 256) };
  const placeholder = formatIp(first);
  return {
    family,
    cidr: `${placeholder}/${bits}`,
    size: band.size,
    placeholder,
    keyOf: addressKey,
    problemOf(text) {
      const address = parseAddress(text);
      const offset = address && isInRange(address, range) ? distance(first, address) : 0n;
      if (offset >= 1n && offset <= BigInt(band.size)) return undefined;
      const shown = address ? formatIp(address) : text;
      return `the provided IP (${shown}) is not in the valid range. The range of valid IPs is ${placeholder}/${bits}`;
    },
    *free(random, isTaken) {
      for (const number of numbersOf(band, random)) {
        const address = plus(first, number + 1);
        if (!isTaken(keyOfBytes(address))) yield formatIp(address);
      }
    },
  };
}

const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
const distance = (first: Uint8Array, address: Uint8Array): bigint => numberOf(address) - numberOf(first);

/** Returns the address at an offset from `first`. Both must be in the same range. */
function plus(first: Uint8Array, offset: number): Uint8Array {
  const bytes = first.slice();
  for (let i = bytes.length - 1, rest = offset; rest > 0 && i >= 0; i--, rest = Math.floor(rest / 256)) {
    rest += bytes[i] ?? 0;
    bytes[i] = rest % 256;
  }
  return bytes;
}

/**
 * Returns the first usable address of a range. The result is cached, because most servers have the same range. @throws TypeError for a
 * string that is not a CIDR range.
 */
export const firstAddress = cachedByText((text) => formatIp(plus(rangeOf(text).first, 1)));

function rangeOf(text: string): IpRange {
  const range = parseRange(text);
  if (range === undefined) throw new TypeError(`"${text}" is not a range of addresses, as 10.0.0.0/24`);
  return range;
}

/** Creates the pool of the ports from `first` to `last`. */
export function portPool({ first, last }: { readonly first: number; readonly last: number }): Pool<number> {
  const size = last - first + 1;
  const band = { size, reserved: reservedCount(size, 32, 128) };
  return {
    size,
    keyOf: portKey,
    problemOf: (port) =>
      port >= first && port <= last
        ? undefined
        : `provided port is not in the valid range. The range of valid ports is ${first}-${last}`,
    *free(random, isTaken) {
      for (const number of numbersOf(band, random)) if (!isTaken(portKey(first + number))) yield first + number;
    },
  };
}
