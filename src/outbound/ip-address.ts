import { formatIp, parseAddress } from '../values/ip-address.js';
import { bracketHost, hostOfUrl, unbracketHost } from './host-port.js';

/** Thrown for a loopback, link-local, multicast or unspecified address where only global unicast ones are allowed. */
export class AddressNotAllowedError extends Error {
  override readonly name = 'AddressNotAllowedError';
  constructor() {
    super('address not allowed');
  }
}

/** Returns whether an address is global unicast, with the meaning of Go's `IP.IsGlobalUnicast`. */
export function isGlobalUnicast(address: Uint8Array): boolean {
  const [a = 0, b = 0] = address;
  const isLoopback = address.length === 4 ? a === 127 : address.every((byte, i) => byte === (i === 15 ? 1 : 0));
  if (isLoopback || address.every((byte) => byte === 0)) return false;
  return address.length === 4
    ? a >> 4 !== 14 && !(a === 169 && b === 254) && !address.every((byte) => byte === 255)
    : a !== 255 && !(a === 0xfe && (b & 0xc0) === 0x80);
}

/**
 * Returns a host in a form that is safe in a URL. An address is formatted from its parsed bytes. Otherwise the host `0177.0.0.1`, which is
 * 177.0.0.1 in API fields, would lead to 127.0.0.1, because URL parsers read numbers with leading zeros as octal.
 * @throws Error for other hosts that a URL parser would read as an address, such as `0x7f000001` or `127.1`, and for addresses with a zone.
 */
export function hostToDial(host: string): string {
  const bytes = parseAddress(host);
  if (bytes !== undefined) return formatIp(bytes);
  if (/(^|\.)(\d+|0[xX][\da-fA-F]*)\.?$|:/.test(host)) throw notDialable(host);
  return host;
}

const notDialable = (host: string) => new Error(`host "${host}" is neither an address nor a name`);

/**
 * Matches a URL up to the end of its host, after optional user information. A backslash is not accepted, because only some parsers read it
 * as a slash.
 */
const AUTHORITY = /^(https?:\/\/(?:[^/?#\\]*@)?)(\[[^\]/?#\\]*\]|[^:/?#\\@]+)(?=[:/?#]|$)/i;

/**
 * Returns a URL whose host is replaced by the result of {@link hostToDial}. URLs with schemes other than http and https are returned
 * unchanged.
 * @throws Error for a URL without a host, and if a URL parser would read an address in the host where `parseAddress` reads a different one
 * or none. URL parsers also decode percent-encoding and map Unicode characters to ASCII.
 */
export function urlToDial(url: string): string {
  if (!/^https?:/i.test(url)) return url;
  const [found, before = '', written = ''] = AUTHORITY.exec(url) ?? [];
  if (found === undefined) throw new Error(`"${url}" is not a URL with a host`);
  const host = unbracketHost(written);
  const result = `${before}${bracketHost(hostToDial(host))}${url.slice(found.length)}`;
  const read = hostOfUrl(result);
  const isSame = parseAddress(host)
    ? String(parseAddress(read)) === String(parseAddress(host))
    : parseAddress(read) === undefined && (read === host.toLowerCase() || /[%\P{ASCII}]/u.test(host));
  if (!isSame) throw notDialable(host);
  return result;
}
