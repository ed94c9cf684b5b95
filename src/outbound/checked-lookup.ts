import { AddressNotAllowedError, isGlobalUnicast, parseAddress } from './ip-address.js';
import { type NativeLookup, nativeDns } from './native-http.js';

/** @throws AddressNotAllowedError unless the address is global unicast. */
function requireGlobalUnicast(text: string): void {
  const address = parseAddress(text);
  if (address === undefined || !isGlobalUnicast(address)) throw new AddressNotAllowedError();
}

/** Resolves a name and fails if any of its addresses is not allowed, because the socket may connect to any of them. */
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
 * @throws AddressNotAllowedError if the URL's host is itself an address that is not allowed, since addresses are not looked up.
 */
export function onlyGlobalUnicast(url: string): { readonly lookup: NativeLookup } {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  if (parseAddress(host) !== undefined) requireGlobalUnicast(host);
  return { lookup: checkedLookup(nativeDns().lookup) };
}
