/** The least version of TLS. */
export type TlsVersion = 'TLSv1.2' | 'TLSv1.3';

/** How connections are made. */
export interface TlsChoices {
  /** Whether HTTP/2 is spoken beside HTTP/1.1. Default true. */
  readonly http2?: boolean;
  /** The least version of TLS. Default `TLSv1.2`. */
  readonly minTlsVersion?: TlsVersion;
  /** Suites of TLS 1.2 that may be chosen, by their standard names, the best first; those of 1.3 always may. Default: all that are safe. */
  readonly cipherSuites?: readonly string[];
}

/** Suites of TLS 1.3, which always may be chosen. */
const NEWEST = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];
const SUITE =
  /^TLS_(?:(ECDHE_RSA|ECDHE_ECDSA)|RSA)_WITH_(?:AES_(128|256)_(?:(GCM)_(SHA256|SHA384)|CBC_(SHA|SHA256))|(CHACHA20_POLY1305)_SHA256)$/;

/** The standard name of a suite of TLS 1.2 as OpenSSL has it; undefined for one it does not offer or that is of TLS 1.3. */
function opensslName(suite: string): string | undefined {
  const found = SUITE.exec(suite);
  if (!found) return undefined;
  const [, exchange, bits, gcm, gcmHash, cbcHash, chacha] = found;
  const cipher = chacha ? 'CHACHA20-POLY1305' : `AES${bits}-${gcm ? `GCM-${gcmHash}` : cbcHash}`;
  if (chacha && !exchange) return undefined;
  return exchange ? `${exchange.replace('_', '-')}-${cipher}` : cipher;
}

/** The first of some standard names of cipher suites that cannot be chosen; undefined when all can. */
export const unknownCipherSuite = (suites: readonly string[]): string | undefined =>
  suites.find((suite) => !NEWEST.includes(suite) && opensslName(suite) === undefined);

/** Every server of HTTP/2 offers one of them: clients may refuse it otherwise (RFC 9113, section 9.2.2). */
const NEEDED_FOR_HTTP2 = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'];

/** What is wrong with choices that are right each, in the words of Go's HTTP/2; undefined when nothing is. */
export function conflictOf({ http2 = true, minTlsVersion, cipherSuites = [] }: TlsChoices): string | undefined {
  if (!http2 || minTlsVersion === 'TLSv1.3' || cipherSuites.length === 0) return undefined;
  if (cipherSuites.some((suite) => NEEDED_FOR_HTTP2.includes(suite))) return undefined;
  return `http2: TLSConfig.CipherSuites is missing an HTTP/2-required AES_128_GCM_SHA256 cipher (need at least one of ${NEEDED_FOR_HTTP2.join(' or ')})`;
}

/** Suites by their standard names, in order of preference, as Node takes them. */
export const cipherList = (suites: readonly string[]): string =>
  [...NEWEST, ...suites.flatMap((suite) => opensslName(suite) ?? [])].join(':');
