import { encodeBase64Url } from '../values/base64.js';
import { schemeFor } from './token-algorithm.js';
import type { TokenKey } from './token-key.js';

const encoder = new TextEncoder();
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
