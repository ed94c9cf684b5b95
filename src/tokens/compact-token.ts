import { isJsonObject } from '../json/value.js';
import { type Flow, settled } from '../meta/flow.js';
import type { Hash, SignatureScheme, Signatures } from '../signatures/signatures.js';
import { decodeBase64Url, encodeBase64Url } from '../values/base64.js';
import type { TokenKey } from './token-key.js';

/** A token in three parts, of which the header and the claims are decoded. Its signature has not been checked. */
export interface UnverifiedToken {
  readonly token: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a compact token without verifying it: three parts, of which the first two are JSON objects. Returns undefined for any other string.
 */
export function readToken(token: string): UnverifiedToken | undefined {
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  const header = readPart(parts[0]);
  const claims = readPart(parts[1]);
  return header && claims && { token, header, claims };
}

function readPart(text = ''): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = decodeBase64Url(text);
    const value: unknown = bytes && JSON.parse(decoder.decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The first second that overflows Go's `time.Time`, a 64-bit number of seconds since the year 1. That year began 62,135,596,800 seconds
 * before the epoch.
 */
const END_OF_TIME = 2 ** 63 - 62_135_596_800;

/**
 * Returns `exp` in whole seconds since the epoch. A number beyond the range of Go's times counts as the infinite past. A token with such an
 * `exp` has therefore expired instead of being valid forever (spec 11.14, 14.6).
 */
export function expirySeconds(claim: number): number {
  return claim < END_OF_TIME ? Math.trunc(claim) : Number.NEGATIVE_INFINITY;
}

/**
 * Returns `nbf` or `iat` in whole seconds since the epoch. A number beyond the range of Go's times counts as the infinite future, so the
 * token is refused. (In upstream, the number overflows to the past, so the token is accepted.)
 */
export function beginningSeconds(claim: number): number {
  return claim < END_OF_TIME ? Math.trunc(claim) : Number.POSITIVE_INFINITY;
}

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
function schemeFor({ publicJwk, algorithm: own }: TokenKey, algorithm: unknown): SignatureScheme | undefined {
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

const encode = (value: object) => encodeBase64Url(encoder.encode(JSON.stringify(value)));

/**
 * Returns a compact token. Its header contains `alg` and `kid`, and its claims are ordered by name (spec 14.6).
 * @throws TypeError when the key cannot sign.
 */
export async function signToken(claims: Readonly<Record<string, unknown>>, key: TokenKey): Promise<string> {
  const { kid, algorithm, signer } = key;
  if (!signer) throw new TypeError(`key ${kid} can only verify tokens, because it has no private key`);
  if (!schemeFor(key, algorithm)) throw new TypeError(`key ${kid} is too short to sign tokens`);
  const ordered = Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1)));
  const input = `${encode({ alg: algorithm, kid })}.${encode(ordered)}`;
  return `${input}.${encodeBase64Url(await signer.sign(encoder.encode(input)))}`;
}

const BAD_SIGNATURE = 'square/go-jose: error in cryptographic primitive';

/**
 * Checks the signature of a token against the keys with the ID `kid`, or against all keys when `kid` is undefined or '' (spec 14.7). A token
 * whose header has critical members (`crit`) is refused, because this server supports none of them. The claims are not checked.
 * @param kid the member `kid` of the token's header
 * @throws Error with the reason, as token reviews report it.
 */
export function* verifySignature(
  { token, header }: UnverifiedToken,
  kid: unknown,
  keys: readonly TokenKey[],
  signatures: Signatures,
): Flow<void> {
  const fitting = kid === undefined || kid === '' ? keys : keys.filter((key) => key.kid === kid);
  if (fitting.length === 0) throw new Error('invalid signature, no keys found');
  const end = token.lastIndexOf('.');
  const signature = header['crit'] === undefined ? decodeBase64Url(token.slice(end + 1)) : undefined;
  if (!signature) throw new Error(BAD_SIGNATURE);
  const data = encoder.encode(token.slice(0, end));
  for (const key of fitting) {
    const scheme = schemeFor(key, header['alg']);
    if (!scheme) continue;
    try {
      if (yield* settled(signatures.verify(scheme, key.publicKey, signature, data))) return;
    } catch {
      // The next key is tried, because it may have signed the token.
    }
  }
  throw new Error(BAD_SIGNATURE);
}
