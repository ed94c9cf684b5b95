import { isJsonObject } from '../json/value.js';
import type { Signatures } from '../signatures/signatures.js';
import { decodeBase64Url } from '../values/base64.js';
import { readPublic, type TokenKey } from './token-key.js';

const KINDS: Readonly<Record<string, EcKeyImportParams | RsaHashedImportParams>> = {
  RSA: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  'P-256': { name: 'ECDSA', namedCurve: 'P-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384' },
  'P-521': { name: 'ECDSA', namedCurve: 'P-521' },
};

/** A key from an issuer's published key set. */
export interface PublishedKey extends TokenKey {
  /** The only algorithm that the key may be used with (`alg`). Default: all algorithms for its kind of key. */
  readonly onlyFor?: string;
}

/**
 * Reads one key of a JSON Web Key Set: an RSA, P-256, P-384 or P-521 public key. The result has the `kid` of the JWK, or '' if the JWK has
 * none. Returns undefined for a broken key, for another kind of key, and for a key that is not for signatures, because a set may also
 * contain keys for other purposes.
 */
export async function keyOfJwk(jwk: unknown, signatures: Signatures): Promise<PublishedKey | undefined> {
  if (!isJsonObject(jwk)) return undefined;
  const { kty, crv, use, alg, kid, n, e, x, y } = jwk;
  if (use !== undefined && use !== 'sig') return undefined;
  const isRsa = kty === 'RSA' && typeof n === 'string' && typeof e === 'string' && isExponent(e);
  const isCurve = kty === 'EC' && typeof crv === 'string' && typeof x === 'string' && typeof y === 'string';
  const parameters = isRsa
    ? KINDS['RSA']
    : isCurve && crv !== 'RSA' && Object.hasOwn(KINDS, crv)
      ? KINDS[crv]
      : undefined;
  if (!parameters) return undefined;
  // Only the members of the public key are imported. All other members must have no effect, in particular those of a private key.
  const known = isRsa ? { kty, n, e } : { kty: 'EC', crv: String(crv), x: String(x), y: String(y) };
  try {
    const key = await crypto.subtle.importKey('jwk', known, parameters, true, ['verify']);
    const spki = new Uint8Array(await crypto.subtle.exportKey('spki', key));
    const read = await readPublic(spki, signatures);
    const name = typeof kid === 'string' ? kid : '';
    return read && { ...read, kid: name, ...(typeof alg === 'string' ? { onlyFor: alg } : {}) };
  } catch {
    return undefined;
  }
}

/** Returns whether a public exponent has at most 31 bits. As in Go, larger ones are refused, because each verification would be slow. */
function isExponent(text: string): boolean {
  const bytes = decodeBase64Url(text) ?? new Uint8Array();
  const digits = bytes.subarray(bytes.findIndex((byte) => byte > 0));
  return digits.length < 4 || (digits.length === 4 && (digits[0] ?? 0) < 128);
}
