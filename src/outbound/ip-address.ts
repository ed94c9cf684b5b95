import { formatIp, parseIp } from '../pki/names/ip-address.js';

/**
 * Parses the bytes of an address as API fields spell it. Numbers of IPv4 may begin with zeros and are decimal all the same, because
 * the real server's older fields accept them.
 */
export function parseWritten(text: string): Uint8Array | undefined {
  const dot = text.indexOf('.');
  if (dot < 0) return parseIp(text);
  const start = text.lastIndexOf(':') + 1;
  if (start > dot) return undefined;
  return parseIp(text.slice(0, start) + text.slice(start).replace(/(^|\.)0+(?=\d)/g, '$1'));
}

/** Returns the 4 bytes of an IPv4 address that is wrapped in IPv6, and all other addresses as they are. */
export function withoutWrapping(bytes: Uint8Array): Uint8Array {
  const isWrapped =
    bytes.length === 16 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isWrapped ? bytes.subarray(12) : bytes;
}

/** Returns the 4 or 16 bytes of an address, or undefined for what is not an address. */
export function parseAddress(text: string): Uint8Array | undefined {
  const bytes = parseWritten(text);
  return bytes && withoutWrapping(bytes);
}

/**
 * Returns a host as it may be put into a URL. Addresses are written anew from their parsed bytes: URL parsers read numbers with leading
 * zeros as octal, so the text `0177.0.0.1`, which is 177.0.0.1 in API fields, would otherwise lead to 127.0.0.1.
 * @throws Error for other hosts that a URL parser would read as an address, such as `0x7f000001` or `127.1`.
 */
export function hostToDial(host: string): string {
  const bytes = parseAddress(host);
  if (bytes !== undefined) return formatIp(bytes);
  if (/(^|\.)(\d+|0[xX][\da-fA-F]*)\.?$/.test(host)) throw new Error(`host "${host}" is neither an address nor a name`);
  return host;
}
