import type { TokenKey } from './token-key.js';

const encoder = new TextEncoder();

/**
 * A compact token: header `alg` and `kid`, claims ordered by name (gap file identity, 2.2.7).
 * @throws TypeError when the key cannot sign.
 */
export async function signToken(
  claims: Readonly<Record<string, unknown>>,
  { kid, algorithm, privateKey }: TokenKey,
): Promise<string> {
  if (!privateKey) throw new TypeError(`key ${kid} verifies only`);
  const { CompactSign } = await import('jose');
  const ordered = Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1)));
  return await new CompactSign(encoder.encode(JSON.stringify(ordered)))
    .setProtectedHeader({ alg: algorithm, kid })
    .sign(privateKey);
}
