import { formatIp, isMapped, parseAddr, parsePrefix } from '../../../values/ip-address.js';
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

const mappedProblem = (text: string): string => `IPv4-mapped IPv6 address ${quote(text)} is not allowed`;
const addressOf = (bytes: Uint8Array): Address => ({ family: bytes.length === 4 ? 4 : 6, bytes });

/** Parses an IP address, or returns an error message. Zones and IPv4-mapped IPv6 addresses are refused. */
export function parseAddress(text: string): Address | string {
  const parsed = parseAddr(text);
  if (typeof parsed === 'string')
    return `IP Address ${quote(text)} parse error during conversion from string: ${parsed}`;
  if (parsed.zone !== '') return `IP address ${quote(text)} with zone value is not allowed`;
  return isMapped(parsed.bytes) ? mappedProblem(text) : addressOf(parsed.bytes);
}

/** Parses a network in CIDR notation (`10.0.0.0/8`), or returns an error message. */
export function parseNetwork(text: string): Network | string {
  const parsed = parsePrefix(text);
  if (typeof parsed === 'string') return `network address parse error during conversion from string: ${parsed}`;
  const { bytes, bits } = parsed;
  return isMapped(bytes) ? mappedProblem(text) : { address: addressOf(bytes), bits };
}

export const formatAddress = ({ bytes }: Address): string => formatIp(bytes);

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
