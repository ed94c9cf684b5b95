import type { RequestHeaders } from '../meta/request-headers.js';

import { formatIp, parseIp, withoutWrapping } from '../pki/names/ip-address.js';
import { remembering } from '../values/remembering.js';

/** Addresses that one header may name; what comes with a request stays in bounds. */
const MOST = 100;

/**
 * Where a request came from: the proxies that `X-Forwarded-For` names, `X-Real-Ip` where it is another, and last the address of the
 * connection, which alone cannot be made up. What is not an address does not count.
 */
export function sourceAddresses(headers: RequestHeaders, remote: string | undefined): readonly string[] {
  const forwarded = headers.get('x-forwarded-for');
  const realAddress = headers.get('x-real-ip');
  if (!forwarded && !realAddress) return remote === undefined ? NONE : alone(remote);
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

/** '' for what is not one. */
const normalize = remembering((text) => {
  const bytes = parseIp(text);
  return bytes ? formatIp(withoutWrapping(bytes)) : '';
});
const normalizeAddress = (text: string): string | undefined => (text === '' ? undefined : normalize(text) || undefined);

const NONE: readonly string[] = Object.freeze([]);
/** Of nearly all requests: the same list for the same address. */
const listOf = remembering((remote): readonly string[] => {
  const own = normalizeAddress(remote);
  return own === undefined ? NONE : Object.freeze([own]);
});
let last = { remote: '', addresses: NONE };

function alone(remote: string): readonly string[] {
  if (remote !== last.remote) last = { remote, addresses: listOf(remote) };
  return last.addresses;
}
