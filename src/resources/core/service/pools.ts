import type { Random } from '../../../meta/random.js';
import { randomBelow } from '../../../meta/random.js';
import { parseAddress } from '../../../outbound/ip-address.js';
import { formatIp } from '../../../pki/names/ip-address.js';
import { familyOf, type IpFamily, type IpRange, isInRange, parseRange } from '../../fragments/ip-address.js';

/** Numbers from 0 on. Those below `kept` are given unasked only when there are no others, so that wishes are likely to be met. */
interface Band {
  readonly size: number;
  readonly kept: number;
}

/** Which part of a band is kept for wishes: a part of it, within bounds; nothing of a small one. */
function keptOf(size: number, part: number, most: number): number {
  const least = 16;
  return size <= least ? 0 : Math.min(most, Math.max(least, Math.floor(size / part)));
}

/** All numbers of a band, each once: from a place by chance on, and those that are kept for wishes last. */
function* numbersOf({ size, kept }: Band, random: Random): Iterable<number> {
  for (const [first, count] of [
    [kept, size - kept],
    [0, kept],
  ] as const) {
    const start = count > 0 ? randomBelow(random, count) : 0;
    for (let i = 0; i < count; i++) yield first + ((start + i) % count);
  }
}

/** Where values of one kind come from. A value's key is one for all its ways to be written. */
export interface Pool<V extends string | number> {
  /** How many there are. */
  readonly size: number;
  keyOf(value: V): string;
  /** Undefined for what can be given. */
  problemOf(value: V): string | undefined;
  /** Those that are free when it comes to them, in an order by chance. It goes past each taken one once. */
  free(random: Random, isTaken: (key: string) => boolean): Iterator<V>;
}

export interface AddressPool extends Pool<string> {
  readonly family: IpFamily;
  /** `10.0.0.0/24` */
  readonly cidr: string;
  /** What a dry run is given: it is not one that can be had. */
  readonly placeholder: string;
}

/** A range of IPv6 is used no further. */
const MOST_ADDRESSES = 65_536;

const keyOfBytes = (address: Uint8Array): string => `ip:${address.join('.')}`;

/** What an address is known by, however it is written. */
export function addressKey(text: string): string {
  const address = parseAddress(text);
  return address ? keyOfBytes(address) : `ip:${text}`;
}
export const portKey = (port: number): string => `port:${port}`;

/** The addresses of a range, without those of the network itself and of all its hosts. @throws TypeError for what is no range. */
export function addressPool(text: string): AddressPool {
  const range = rangeOf(text);
  const { first, bits } = range;
  const family = familyOf(first);
  const all = Math.min(2 ** (first.length * 8 - bits), family === 'IPv6' ? MOST_ADDRESSES : 2 ** 32);
  const band = { size: all - (family === 'IPv6' ? 1 : 2), kept: keptOf(all, 16, 256) };
  const placeholder = formatIp(first);
  return {
    family,
    cidr: `${placeholder}/${bits}`,
    size: band.size,
    placeholder,
    keyOf: addressKey,
    problemOf(given) {
      const address = parseAddress(given);
      const offset = address && isInRange(address, range) ? distance(first, address) : 0n;
      if (offset >= 1n && offset <= BigInt(band.size)) return undefined;
      const shown = address ? formatIp(address) : given;
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

/** The address so many places further; it is one of the same range. */
function plus(first: Uint8Array, offset: number): Uint8Array {
  const bytes = first.slice();
  for (let i = bytes.length - 1, rest = offset; rest > 0 && i >= 0; i--, rest = Math.floor(rest / 256)) {
    rest += bytes[i] ?? 0;
    bytes[i] = rest % 256;
  }
  return bytes;
}

/** The first address of a range that can be given. @throws TypeError for what is no range. */
export function firstAddress(text: string): string {
  return formatIp(plus(rangeOf(text).first, 1));
}

function rangeOf(text: string): IpRange {
  const range = parseRange(text);
  if (range === undefined) throw new TypeError(`"${text}" is not a range of addresses, as 10.0.0.0/24`);
  return range;
}

/** The ports from `first` to `last`. */
export function portPool({ first, last }: { readonly first: number; readonly last: number }): Pool<number> {
  const size = last - first + 1;
  const band = { size, kept: keptOf(size, 32, 128) };
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
