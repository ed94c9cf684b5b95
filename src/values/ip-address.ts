import { quote } from './quote.js';

/** An IP address as Go's `netip.ParseAddr` reads it. */
interface ParsedAddress {
  /** 4 or 16 bytes. */
  readonly bytes: Uint8Array;
  /** The zone of an IPv6 address, the text behind `%`; '' if there is none. */
  readonly zone: string;
}

/** A network in CIDR notation. Its address may have host bits. */
export interface ParsedPrefix {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

/** Why a text is not an address, and the rest of the text from the error on. */
interface Problem {
  readonly why: string;
  readonly at?: string;
}

/** The length of an IPv6 address in bytes. */
const WHOLE = 16;
/** The longest address without a zone. */
const LONGEST = 45;
const MAX_INT64 = (1n << 63n) - 1n;

/** Parses an IP address by the rules of Go's `netip.ParseAddr`; returns Go's error message for any other string. */
export function parseAddr(text: string): ParsedAddress | string {
  const parsed = readAddress(text);
  if (!('why' in parsed)) return parsed;
  const { why, at = '' } = parsed;
  return `ParseAddr(${quote(text)}): ${why}${at === '' ? '' : ` (at ${quote(at)})`}`;
}

/** Parses a network by the rules of Go's `netip.ParsePrefix`; returns Go's error message for any other string. */
export function parsePrefix(text: string): ParsedPrefix | string {
  const wrong = (why: string) => `netip.ParsePrefix(${quote(text)}): ${why}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return wrong("no '/'");
  const address = parseAddr(text.slice(0, slash));
  if (typeof address === 'string') return wrong(address);
  if (address.zone !== '') return wrong('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,18})$/.test(digits) || BigInt(digits) > MAX_INT64)
    return wrong(`bad bits after slash: ${quote(digits)}`);
  const bits = Number(digits);
  return bits > address.bytes.length * 8 ? wrong('prefix length out of range') : { bytes: address.bytes, bits };
}

/** Returns the bytes of an address by the rules of Go's `net.ParseIP`; undefined for any other string. Addresses with a zone are refused. */
export function parseIp(text: string): Uint8Array | undefined {
  if (text.length > LONGEST) return undefined;
  const parsed = readAddress(text);
  return 'why' in parsed || parsed.zone !== '' ? undefined : parsed.bytes;
}

/**
 * Like {@link parseIp}, but the numbers of an address may have any number of leading zeros. Those of an IPv4 address are decimal
 * nevertheless. Upstream parses the addresses of most API fields and flags in this way, as Go did before release 1.17.
 */
export const parseSloppyIp = (text: string): Uint8Array | undefined =>
  parseIp(text.replace(/(^|[.:])0+(?=[\da-fA-F])/g, '$1'));

function readAddress(text: string): ParsedAddress | Problem {
  // The first of these characters determines the address family.
  const [mark] = /[.:%]/.exec(text) ?? [];
  if (mark === ':') return readSix(text);
  if (mark !== '.') return { why: mark === '%' ? 'missing IPv6 address' : 'unable to parse IP' };
  const four = readFour(text);
  return 'why' in four ? four : { bytes: Uint8Array.from(four), zone: '' };
}

function readFour(text: string): number[] | Problem {
  const fields: number[] = [];
  let field = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i) - 0x30;
    if (code >= 0 && code <= 9) {
      if (digits === 1 && field === 0) return { why: 'IPv4 field has octet with leading zero' };
      field = 10 * field + code;
      digits++;
      if (field > 255) return { why: 'IPv4 field has value >255' };
    } else if (text[i] !== '.') return { why: 'unexpected character', at: text.slice(i) };
    else {
      if (digits === 0 || i === text.length - 1)
        return { why: 'IPv4 field must have at least one digit', at: text.slice(i) };
      if (fields.push(field) > 3) return { why: 'IPv4 address too long' };
      field = 0;
      digits = 0;
    }
  }
  return fields.push(field) < 4 ? { why: 'IPv4 address too short' } : fields;
}

function readSix(text: string): ParsedAddress | Problem {
  const percent = text.indexOf('%');
  if (percent === text.length - 1) return { why: 'zone must be a non-empty string' };
  const end = percent < 0 ? text.length : percent;
  const bytes: number[] = [];
  let at = 0;
  let gap = -1;
  if (text.startsWith('::')) {
    gap = 0;
    at = 2;
  }
  while (at < end && bytes.length < WHOLE) {
    const rest = text.slice(at, end);
    const { length } = /^[\da-fA-F]*/.exec(rest)?.[0] ?? '';
    if (length > 4) return { why: 'each group must have 4 or less digits', at: rest };
    if (length === 0) return { why: 'each colon-separated field must have at least one digit', at: rest };
    if (rest[length] === '.') {
      const tail = readTail(rest, gap >= 0, bytes.length);
      if ('why' in tail) return tail;
      bytes.push(...tail);
      at = end;
      break;
    }
    const group = Number.parseInt(rest, 16);
    bytes.push(group >> 8, group & 0xff);
    at += length;
    if (at === end) break;
    if (text[at] !== ':') return { why: 'unexpected character, want colon', at: text.slice(at, end) };
    if (at + 1 === end) return { why: 'colon must be followed by more characters', at: text.slice(at, end) };
    at++;
    if (text[at] !== ':') continue;
    if (gap >= 0) return { why: 'multiple :: in address', at: text.slice(at, end) };
    gap = bytes.length;
    at++;
  }
  if (at < end) return { why: 'trailing garbage after address', at: text.slice(at, end) };
  const missing = WHOLE - bytes.length;
  if (missing > 0 && gap < 0) return { why: 'address string too short' };
  if (missing === 0 && gap >= 0) return { why: 'the :: must expand to at least one field of zeros' };
  bytes.splice(Math.max(gap, 0), 0, ...new Array<number>(missing).fill(0));
  return { bytes: Uint8Array.from(bytes), zone: percent < 0 ? '' : text.slice(percent + 1) };
}

/** Reads the IPv4 address at the end of an IPv6 address. */
function readTail(tail: string, hasGap: boolean, before: number): number[] | Problem {
  if (!hasGap && before !== WHOLE - 4)
    return { why: 'embedded IPv4 address must replace the final 2 fields of the address', at: tail };
  if (before + 4 > WHOLE)
    return { why: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: tail };
  return readFour(tail);
}

/** Formats an address in its usual short form: `10.0.0.1`, `2001:db8::1`. */
export function formatIp(bytes: Uint8Array): string {
  if (bytes.length !== WHOLE) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  const zeros = [...groups.join(':').matchAll(/(?:^|(?<=:))0(?::0)+(?![^:])/g)].sort(
    (a, b) => b[0].length - a[0].length,
  )[0];
  if (!zeros) return groups.join(':');
  const text = groups.join(':');
  return `${text.slice(0, zeros.index).replace(/:$/, '')}::${text.slice(zeros.index + zeros[0].length).replace(/^:/, '')}`;
}

/** Returns whether an address is an IPv4 address in the form of an IPv6 address (`::ffff:10.0.0.1`). */
export const isMapped = (bytes: Uint8Array): boolean =>
  bytes.length === WHOLE && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;

/** Returns the 4 bytes of an IPv4-mapped IPv6 address, and all other addresses unchanged. */
export const withoutWrapping = (bytes: Uint8Array): Uint8Array => (isMapped(bytes) ? bytes.subarray(12) : bytes);

/**
 * Parses an IP address in the syntax of API fields. Returns its 4 or 16 bytes, 4 for an IPv4-mapped IPv6 address, and undefined for any other
 * string.
 */
export function parseAddress(text: string): Uint8Array | undefined {
  const bytes = parseSloppyIp(text);
  return bytes && withoutWrapping(bytes);
}

/** A CIDR range: its first address, and the length of the prefix in bits. */
export interface IpRange {
  /** The address in 4 or 16 bytes. */
  readonly first: Uint8Array;
  readonly bits: number;
}

/** Parses a range such as `10.0.0.0/8` and clears its host bits; undefined for a string that is not a CIDR range. */
export function parseRange(text: string): IpRange | undefined {
  const [, address = '', digits = ''] = /^([^/]*)\/(\d+)$/.exec(text) ?? [];
  const bytes = digits === '' ? undefined : parseSloppyIp(address);
  const bits = Number(digits);
  if (bytes === undefined || bits > bytes.length * 8) return undefined;
  return { first: bytes.map((byte, i) => byte & maskOf(bits - i * 8)), bits };
}

/** Returns a byte whose first `bits` bits are set, or all of its bits if there are more. */
const maskOf = (bits: number): number => 0xff & (0xff << (8 - Math.min(8, Math.max(0, bits))));

/** Whether an address is in a range. */
export function isInRange(address: Uint8Array, { first, bits }: IpRange): boolean {
  const own = withoutWrapping(first);
  if (own.length !== address.length) return false;
  const common = bits - (first.length - own.length) * 8;
  return own.every((byte, i) => ((byte ^ (address[i] ?? 0)) & maskOf(common - i * 8)) === 0);
}

/** The two address families. */
export type IpFamily = 'IPv4' | 'IPv6';

/** Returns the family of an address. */
export const familyOf = (address: Uint8Array): IpFamily => (address.length === 4 ? 'IPv4' : 'IPv6');
