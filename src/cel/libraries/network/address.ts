import { quote } from '../../../values/quote.js';

/** An IP address of either family, parsed and printed as in upstream (IPv6 by RFC 5952). */
export interface Address {
  readonly family: 4 | 6;
  /** 4 or 16 bytes. */
  readonly bytes: Uint8Array;
}
export interface Network {
  readonly address: Address;
  readonly bits: number;
}

class AddressError extends Error {}
const fail = (text: string, message: string, at?: string): never => {
  const place = at === undefined ? '' : ` (at ${quote(at)})`;
  throw new AddressError(`ParseAddr(${quote(text)}): ${message}${place}`);
};

/** Parses an IP address, or returns an error message. Zones and IPv4-mapped IPv6 addresses are refused. */
export function parseAddress(text: string): Address | string {
  const address = parseAny(text);
  if (typeof address === 'string') {
    return `IP Address ${quote(text)} parse error during conversion from string: ${address}`;
  }
  if (text.includes('%')) return `IP address ${quote(text)} with zone value is not allowed`;
  if (isMapped(address)) return `IPv4-mapped IPv6 address ${quote(text)} is not allowed`;
  return address;
}

/** Parses a network in CIDR notation (`10.0.0.0/8`), or returns an error message. */
export function parseNetwork(text: string): Network | string {
  const wrong = (message: string): string =>
    `network address parse error during conversion from string: netip.ParsePrefix(${quote(text)}): ${message}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return wrong("no '/'");
  const address = parseAny(text.slice(0, slash));
  if (typeof address === 'string') return wrong(address);
  if (text.slice(0, slash).includes('%')) return wrong('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d*)$/.test(digits) || digits.length > 3) {
    return wrong(`bad bits after slash: ${quote(digits)}`);
  }
  const bits = Number(digits);
  if (bits > address.bytes.length * 8) return wrong('prefix length out of range');
  return isMapped(address) ? `IPv4-mapped IPv6 address ${quote(text)} is not allowed` : { address, bits };
}

function parseAny(text: string): Address | string {
  try {
    // The first `.`, `:` or `%` determines the address family.
    const mark = /[.:%]/.exec(text)?.[0];
    if (mark === '.') return { family: 4, bytes: Uint8Array.from(parseFour(text, text)) };
    if (mark === ':') return { family: 6, bytes: parseSix(text) };
    return fail(text, mark === '%' ? 'missing IPv6 address' : 'unable to parse IP');
  } catch (error) {
    if (error instanceof AddressError) return error.message;
    throw error;
  }
}

function parseFour(text: string, whole: string): number[] {
  const fields: number[] = [];
  let field = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '.') {
      if (digits === 0 || i === text.length - 1) fail(whole, 'IPv4 field must have at least one digit', text.slice(i));
      if (fields.push(field) > 3) fail(whole, 'IPv4 address too long');
      field = 0;
      digits = 0;
      continue;
    }
    if (!/\d/.test(text[i] ?? '')) fail(whole, 'unexpected character', text.slice(i));
    if (digits === 1 && field === 0) fail(whole, 'IPv4 field has octet with leading zero');
    field = 10 * field + Number(text[i]);
    digits++;
    if (field > 255) fail(whole, 'IPv4 field has value >255');
  }
  if (fields.push(field) < 4) fail(whole, 'IPv4 address too short');
  return fields;
}

function parseSix(text: string): Uint8Array {
  const zone = text.indexOf('%');
  if (zone === text.length - 1) fail(text, 'zone must be a non-empty string');
  let rest = zone < 0 ? text : text.slice(0, zone);
  const bytes: number[] = [];
  let gap = -1;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
  }
  while (bytes.length < 16 && rest !== '') {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits === '') fail(text, 'each colon-separated field must have at least one digit', rest);
    if (digits.length > 4) fail(text, 'each group must have 4 or less digits', rest);
    if (rest[digits.length] === '.') {
      if (gap < 0 && bytes.length !== 12)
        fail(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
      if (bytes.length + 4 > 16)
        fail(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      bytes.push(...parseFour(rest, text));
      rest = '';
      break;
    }
    const value = Number.parseInt(digits, 16);
    bytes.push(value >> 8, value & 255);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) fail(text, 'unexpected character, want colon', rest);
    if (rest.length === 1) fail(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (gap >= 0) fail(text, 'multiple :: in address', rest);
      gap = bytes.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') fail(text, 'trailing garbage after address', rest);
  if (bytes.length < 16) {
    if (gap < 0) fail(text, 'address string too short');
    bytes.splice(gap, 0, ...new Array<number>(16 - bytes.length).fill(0));
  } else if (gap >= 0) fail(text, 'the :: must expand to at least one field of zeros');
  return Uint8Array.from(bytes);
}

const isMapped = ({ family, bytes }: Address): boolean =>
  family === 6 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;

export function formatAddress({ family, bytes }: Address): string {
  if (family === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  let [best, length] = [-1, 1];
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0) end++;
    if (end - start > length) [best, length] = [start, end - start];
  }
  const hex = (from: number, to?: number): string =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  return best < 0 ? hex(0) : `${hex(0, best)}::${hex(best + length)}`;
}

export const formatNetwork = ({ address, bits }: Network): string => `${formatAddress(address)}/${bits}`;

/** Returns the address of a network with the bits after the prefix cleared. */
export function mask({ address, bits }: Network): Network {
  const bytes = address.bytes.map((byte, i) => {
    const kept = Math.min(8, Math.max(0, bits - i * 8));
    return byte & (0xff << (8 - kept));
  });
  return { address: { family: address.family, bytes }, bits };
}

export const sameAddress = (a: Address, b: Address): boolean =>
  a.family === b.family && a.bytes.every((byte, i) => byte === b.bytes[i]);

/** Returns whether a network contains an address. */
export const holds = (network: Network, address: Address): boolean =>
  address.family === network.address.family &&
  sameAddress(mask(network).address, mask({ address, bits: network.bits }).address);
