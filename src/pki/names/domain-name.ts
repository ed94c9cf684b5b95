/** The maximum number of octets of a domain name (RFC 1035, 2.3.4). `MAX_LABEL` is the maximum of a single label. */
export const MAX_DOMAIN = 253;
export const MAX_LABEL = 63;

/** Returns whether a string can be compared as a domain: it is empty, or it has only visible characters and no empty label. */
export function isDomain(text: string): boolean {
  if (text === '') return true;
  return (
    text.length <= MAX_DOMAIN &&
    /^[\x21-\x7e]+$/.test(text) &&
    !text.startsWith('.') &&
    !text.endsWith('.') &&
    !text.includes('..')
  );
}

/** Generates a domain and all domains above it, in the order `a.b.c`, `b.c`, `c`. */
export function* domainAndParents(domain: string): Generator<string> {
  for (let at = 0; at >= 0; at = domain.indexOf('.', at) + 1 || -1) yield domain.slice(at);
}
