import type { Hash, SignatureScheme } from '../signatures/signatures.js';
import type { TokenKey } from './token-key.js';

const HASHES: readonly Hash[] = ['SHA-256', 'SHA-384', 'SHA-512'];
const bits = (hash: Hash) => hash.slice(4);

/**
 * The signature algorithms of RSA keys, by their names in token headers; {@link CURVES} has those of elliptic curves. Shared secrets (HMAC)
 * and `none` are deliberately missing, because with them anyone who knows a public key could forge tokens.
 */
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

/** The minimum size in bits of an RSA key that signs or verifies tokens (RFC 7518, 3.3). */
const MIN_RSA_BITS = 2048;

/**
 * Returns the signature scheme for the `alg` of a token's header. An RSA key may be used with any RSA algorithm, and another key only with
 * the algorithm of its curve. Returns undefined when the key must not be used with the algorithm.
 */
export function schemeFor({ publicJwk, algorithm: own }: TokenKey, algorithm: unknown): SignatureScheme | undefined {
  if (typeof algorithm !== 'string') return undefined;
  if (publicJwk.kty === 'RSA') return modulusBits(publicJwk.n) < MIN_RSA_BITS ? undefined : RSA.get(algorithm);
  return algorithm === own ? CURVES.get(algorithm) : undefined;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns the length in bits of a base64url number without leading zeros. */
function modulusBits(text: string): number {
  const spare = (text.length * 6) % 8;
  const first = text.search(/[^A]/);
  if (first < 0) return 0;
  return (text.length - first) * 6 - spare - (Math.clz32(ALPHABET.indexOf(text.charAt(first))) - 26);
}
