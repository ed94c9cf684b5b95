/** The minimum version of TLS. */
export type TlsVersion = 'TLSv1.2' | 'TLSv1.3';

/** Options of TLS connections. */
export interface TlsChoices {
  /** Whether HTTP/2 is offered besides HTTP/1.1. Default true. */
  readonly http2?: boolean;
  /** The minimum version of TLS. Default `TLSv1.2`. */
  readonly minTlsVersion?: TlsVersion;
  /**
   * The cipher suites that are allowed for TLS 1.2, by their standard (IANA) names, in order of preference. The suites of TLS 1.3 are
   * always allowed. Default: all secure suites.
   */
  readonly cipherSuites?: readonly string[];
}

/** The cipher suites of TLS 1.3, which are always allowed. */
const NEWEST = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];
// The two suites with ChaCha20 may also be spelled without the hash, because those were their first names in Go.
const SUITE =
  /^TLS_(?:(ECDHE_RSA|ECDHE_ECDSA)|RSA)_WITH_(?:AES_(128|256)_(?:(GCM)_(SHA256|SHA384)|CBC_(SHA|SHA256))|(CHACHA20_POLY1305)(?:_SHA256)?)$/;

/** Returns OpenSSL's name of a TLS 1.2 cipher suite; undefined for a TLS 1.3 suite and for one that OpenSSL does not offer. */
function opensslName(suite: string): string | undefined {
  const found = SUITE.exec(suite);
  if (!found) return undefined;
  const [, exchange, bits, gcm, gcmHash, cbcHash, chacha] = found;
  const cipher = chacha ? 'CHACHA20-POLY1305' : `AES${bits}-${gcm ? `GCM-${gcmHash}` : cbcHash}`;
  if (chacha && !exchange) return undefined;
  return exchange ? `${exchange.replace('_', '-')}-${cipher}` : cipher;
}

/** Returns the first unsupported name among cipher suites; undefined if all are supported. */
export const unknownCipherSuite = (suites: readonly string[]): string | undefined =>
  suites.find((suite) => !NEWEST.includes(suite) && opensslName(suite) === undefined);

/**
 * Cipher suites of which an HTTP/2 server must offer at least one; otherwise clients may refuse the connection (RFC 9113, section 9.2.2).
 */
const NEEDED_FOR_HTTP2 = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'];

/**
 * Returns the error message for TLS options that are valid by themselves but contradict each other, in the words of Go's HTTP/2; undefined
 * if they are consistent.
 */
export function conflictOf({ http2 = true, minTlsVersion, cipherSuites = [] }: TlsChoices): string | undefined {
  if (!http2 || minTlsVersion === 'TLSv1.3' || cipherSuites.length === 0) return undefined;
  if (cipherSuites.some((suite) => NEEDED_FOR_HTTP2.includes(suite))) return undefined;
  return `http2: TLSConfig.CipherSuites is missing an HTTP/2-required AES_128_GCM_SHA256 cipher (need at least one of ${NEEDED_FOR_HTTP2.join(' or ')})`;
}

/** Converts cipher suites from standard names, in order of preference, to the form that Node takes. */
export const cipherList = (suites: readonly string[]): string =>
  [...NEWEST, ...suites.flatMap((suite) => opensslName(suite) ?? [])].join(':');
