import { AddressNotAllowedError, isGlobalUnicast, parseAddress } from './ip-address.js';
import { type NativeLookup, nativeDns } from './native-http.js';

/** @throws AddressNotAllowedError for an address that only its own host or link has. */
function requireGlobalUnicast(text: string): void {
  const address = parseAddress(text);
  if (address === undefined || !isGlobalUnicast(address)) throw new AddressNotAllowedError();
}

/** Looks names up for a connection and fails where any of the answered addresses is not allowed: which of them is tried is not known. */
export const checkedLookup =
  (lookup: NativeLookup): NativeLookup =>
  (hostname, options, done) =>
    lookup(hostname, options, (error, found, family) => {
      if (error) return done(error, found, family);
      try {
        const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
        addresses.forEach(requireGlobalUnicast);
      } catch (refusal) {
        return done(refusal as Error, [], family);
      }
      return done(null, found, family);
    });

/**
 * The settings of a request that may connect to global unicast addresses only.
 * @throws AddressNotAllowedError where the URL itself has another address: those are connected to without a lookup.
 */
export function onlyGlobalUnicast(url: string): { readonly lookup: NativeLookup } {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  if (parseAddress(host) !== undefined) requireGlobalUnicast(host);
  return { lookup: checkedLookup(nativeDns().lookup) };
}
