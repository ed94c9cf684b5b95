import { run } from '../../src/meta/flow.js';
import { systemSignatures } from '../../src/signatures/system-signatures.js';
import { readToken, verifySignature } from '../../src/tokens/compact-token.js';
import type { TokenKey } from '../../src/tokens/token-key.js';

/** Returns the claims of a token whose signature is valid. @throws Error for any other string. */
export async function verifyToken(token: string, keys: readonly TokenKey[], signatures = systemSignatures) {
  const read = readToken(token);
  if (!read) throw new Error('token is malformed');
  await run(verifySignature(read, read.header['kid'], keys, signatures));
  return read.claims;
}
