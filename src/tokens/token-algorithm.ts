import type { Hash, SignatureScheme } from '../signatures/signatures.js';
import type { TokenKey } from './token-key.js';

const HASHES: readonly Hash[] = ['SHA-256', 'SHA-384', 'SHA-512'];
const bits = (hash: Hash) => hash.slice(4);

/** The algorithms of RSA and of curves by their names in token headers; never a shared secret, never `none`. */
const RSA: ReadonlyMap<string, SignatureScheme> = new Map<string, SignatureScheme>(
  HASHES.flatMap((hash) => [
    [`RS${bits(hash)}`, { name: 'RSA', hash }],
    [`PS${bits(hash)}`, { name: 'RSA-PSS', hash }],
  ]),
);
const CURVES: ReadonlyMap<string, SignatureScheme> = new Map<string, SignatureScheme>([
  ['ES256', { name: 'ECDSA', curve: 'P-256', hash: 'SHA-256' }],
  ['ES384', { name: 'ECDSA', curve: 'P-384', hash: 'SHA-384' }],
  ['ES512', { name: 'ECDSA', curve: 'P-521', hash: 'SHA-512' }],
]);

/** Shorter RSA keys neither sign nor verify tokens (RFC 7518, 3.3), in bits. */
const MIN_RSA_BITS = 2048;

/**
 * How a signature is made that a token's header calls `algorithm`, where that may be made with this key: any of RSA's with an RSA
 * key, the curve's own with another. Undefined where it may not.
 */
export function schemeFor({ publicJwk, algorithm: own }: TokenKey, algorithm: unknown): SignatureScheme | undefined {
  if (typeof algorithm !== 'string') return undefined;
  if (publicJwk.kty === 'RSA') return modulusBits(publicJwk.n) < MIN_RSA_BITS ? undefined : RSA.get(algorithm);
  return algorithm === own ? CURVES.get(algorithm) : undefined;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The length of a number in base64url without leading zeros. */
function modulusBits(text: string): number {
  const spare = (text.length * 6) % 8;
  const first = text.search(/[^A]/);
  if (first < 0) return 0;
  return (text.length - first) * 6 - spare - (Math.clz32(ALPHABET.indexOf(text.charAt(first))) - 26);
}
