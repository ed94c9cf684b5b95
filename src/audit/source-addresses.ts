import type { RequestHeaders } from '../meta/request-headers.js';
import { formatIp, parseAddress } from '../values/ip-address.js';
import { cachedByText } from '../values/memoize.js';

/** The maximum number of addresses that are read from one header. It limits what a request can add to its events. */
const MOST = 100;

/**
 * Returns the addresses of the proxies that `X-Forwarded-For` names, then `X-Real-Ip` if it differs, and last the address of the
 * connection, which is the only one that callers cannot forge. Values that are not addresses are ignored.
 */
export function sourceAddresses(headers: RequestHeaders, remote: string | undefined): readonly string[] {
  const forwarded = headers.get('x-forwarded-for');
  const realAddress = headers.get('x-real-ip');
  if (!forwarded && !realAddress) {
    if (remote !== undefined && remote !== last.remote) last = { remote, addresses: listOf(remote) };
    return remote === undefined ? NONE : last.addresses;
  }
  const addresses: string[] = [];
  if (forwarded !== undefined && forwarded !== '')
    for (const part of forwarded.split(',', MOST)) {
      const address = normalizeAddress(part.trim());
      if (address !== undefined) addresses.push(address);
    }
  const real = normalizeAddress(realAddress ?? '');
  if (real !== undefined && !addresses.includes(real)) addresses.push(real);
  const own = normalizeAddress(remote ?? '');
  if (own !== undefined && addresses.at(-1) !== own) addresses.push(own);
  return addresses;
}

/** Returns the normalized address, or '' for a string that is not an address. */
const normalize = cachedByText((text) => {
  const bytes = parseAddress(text);
  return bytes ? formatIp(bytes) : '';
});
const normalizeAddress = (text: string): string | undefined => (text === '' ? undefined : normalize(text) || undefined);

const NONE: readonly string[] = Object.freeze([]);
/**
 * Returns the list for a request without proxies, which contains only the address of the connection. It is cached, because almost every
 * request comes from an address seen before.
 */
const listOf = cachedByText((remote): readonly string[] => {
  const own = normalizeAddress(remote);
  return own === undefined ? NONE : Object.freeze([own]);
});
let last = { remote: '', addresses: NONE };
