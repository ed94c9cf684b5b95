import { type FieldError, fieldError } from '../../meta/field-error.js';
import { familyOf, parseAddress, parseRange } from '../../values/ip-address.js';

const VALID_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const VALID_RANGE = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Checks that a string is an IP address. */
export function validateAddress(path: string, text: string): FieldError[] {
  return parseAddress(text) ? [] : [fieldError.invalid(path, text, VALID_ADDRESS)];
}

/** Checks that a string is an IP address of the given family. */
export function validateAddressOf(family: 'IPv4' | 'IPv6', path: string, text: string): FieldError[] {
  const address = parseAddress(text);
  return address && familyOf(address) === family
    ? []
    : [fieldError.invalid(path, text, `must be a valid ${family} address`)];
}

/** Checks that a string is a CIDR range. */
export function validateRange(path: string, text: string): FieldError[] {
  return parseRange(text) ? [] : [fieldError.invalid(path, text, VALID_RANGE)];
}

/** Checks that other hosts can reach an address. Unspecified, loopback and link-local addresses are refused. */
export function validateReachable(path: string, text: string): FieldError[] {
  const refuse = (why: string) => [fieldError.invalid(path, text, why)];
  const address = parseAddress(text);
  if (address === undefined) return refuse('must be a valid IP address');
  const [a = 0, b = 0, c = 0] = address;
  const isFour = address.length === 4;
  if (address.every((byte) => byte === 0)) return refuse(`may not be unspecified (${text})`);
  const isLoopback = isFour ? a === 127 : address.every((byte, i) => byte === (i === 15 ? 1 : 0));
  if (isLoopback) return refuse('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isFour ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80)
    return refuse('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (isFour ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 2)
    return refuse('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  return [];
}
