import type { Signatures } from '../signatures/signatures.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import { decodeBase64Url } from '../values/base64.js';
import { once } from '../values/memoize.js';
import { readToken } from './read-token.js';
import { schemeFor } from './token-algorithm.js';
import type { TokenKey } from './token-key.js';

const BAD_SIGNATURE = 'square/go-jose: error in cryptographic primitive';

const encoder = new TextEncoder();
const loadJose = once(() => import('jose'));

/**
 * Checks a token's signature against the keys with the header's `kid`, or against all keys when the header has no `kid` (spec 14.7). Claims
 * are not checked.
 * @param read the result of {@link readToken}, if the caller already has it
 * @throws Error with the reason, as token reviews report it.
 */
export async function verifyToken(
  token: string,
  keys: readonly TokenKey[],
  signatures: Signatures = systemSignatures,
  read = readToken(token),
): Promise<Readonly<Record<string, unknown>>> {
  if (!read) throw new Error('token is malformed');
  await verifySignature(token, read.header['kid'], keys, signatures);
  return read.claims;
}

/**
 * Checks only the signature of a token. The payload may have any form.
 * @throws Error with the reason.
 */
export async function verifySignature(
  token: string,
  kid: unknown,
  keys: readonly TokenKey[],
  signatures: Signatures = systemSignatures,
): Promise<void> {
  const fitting = kid === undefined || kid === '' ? keys : keys.filter((key) => key.kid === kid);
  if (fitting.length === 0) throw new Error('invalid signature, no keys found');
  const signed = await readSigned(token);
  for (const key of signed ? fitting : []) {
    const scheme = schemeFor(key, signed?.algorithm);
    if (!scheme || !signed) continue;
    try {
      if (await signatures.verify(scheme, key.publicKey, signed.signature, signed.data)) return;
    } catch {
      // The next key is tried, because it may have signed the token.
    }
  }
  throw new Error(BAD_SIGNATURE);
}

interface Signed {
  /** The algorithm that the header names. */
  readonly algorithm: unknown;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Returns the signed bytes, the signature and the algorithm of a compact token. Returns undefined for a string that is not a token, and for
 * a token with critical header members, because this server supports none of them.
 */
async function readSigned(token: string): Promise<Signed | undefined> {
  const { decodeProtectedHeader } = await loadJose();
  const parts = token.split('.', 4);
  const signature = parts.length === 3 ? decodeBase64Url(parts[2] ?? '') : undefined;
  if (!signature || !/^[\w-]*$/.test(parts[1] ?? '')) return undefined;
  try {
    const { alg: algorithm, crit } = decodeProtectedHeader(token);
    const data = encoder.encode(token.slice(0, token.lastIndexOf('.')));
    return crit === undefined ? { algorithm, data, signature } : undefined;
  } catch {
    return undefined;
  }
}
