import { readToken } from './read-token.js';
import type { TokenKey } from './token-key.js';

/** What a signature may be made with, by the kind of key; never a shared secret, never `none`. */
const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const BAD_SIGNATURE = 'square/go-jose: error in cryptographic primitive';

/**
 * Checks a token's signature against the keys of the header's `kid`, or all when it names none (gap file auth, 5.2.6). Claims
 * are not looked at.
 * @throws Error with the reason, as token reviews tell it.
 */
export async function verifyToken(
  token: string,
  keys: readonly TokenKey[],
): Promise<Readonly<Record<string, unknown>>> {
  const read = readToken(token);
  if (!read) throw new Error('token is malformed');
  await verifySignature(token, read.header['kid'], keys);
  return read.claims;
}

/**
 * The part of `verifyToken` that is about the signature, whatever it signs.
 * @throws Error with the reason.
 */
export async function verifySignature(token: string, kid: unknown, keys: readonly TokenKey[]): Promise<void> {
  const fitting = kid === undefined || kid === '' ? keys : keys.filter((key) => key.kid === kid);
  if (fitting.length === 0) throw new Error('invalid signature, no keys found');
  const { compactVerify } = await import('jose');
  for (const key of fitting) {
    const algorithms = key.publicJwk.kty === 'RSA' ? RSA_ALGORITHMS : [key.algorithm];
    try {
      await compactVerify(token, key.publicJwk, { algorithms });
      return;
    } catch {
      // Perhaps another key's.
    }
  }
  throw new Error(BAD_SIGNATURE);
}
