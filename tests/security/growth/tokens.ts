import { generateKeyPairSync } from 'node:crypto';
import { loadKeys, type TokenKey } from '../../../src/tokens/token-key.js';
import { verifyToken } from '../../tokens/verify-token.js';
import type { GrowthRow } from './measure.js';

const encode = (text: string) => Buffer.from(text).toString('base64url');
const pem = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }) as string; // PEM is a string
const signature = 'A'.repeat(86);

/** Returns a token with this header and these claims, and a signature of the right length. */
const token = (header: string, claims: string) => `${encode(header)}.${encode(claims)}.${signature}`;
const GOOD = '{"alg":"ES256"}';

const reading = (name: string, n: number, text: (n: number) => string): GrowthRow => ({
  name: `a token: ${name}`,
  n,
  prepare: async (size) => {
    const given = text(size);
    const keys = await loadKeys(pem());
    return () => verifyToken(given, keys);
  },
});

export const rows: readonly GrowthRow[] = [
  reading('many dots', 200_000, (n) => '.'.repeat(n)),
  reading('parts behind the third', 50_000, (n) => `${token(GOOD, '{}')}${'.AAAA'.repeat(n)}`),
  reading('a long header', 50_000, (n) => token(`{"alg":"ES256","x":"${'y'.repeat(n)}"}`, '{}')),
  reading('a long critical list', 20_000, (n) => token(`{"alg":"ES256","crit":[${'"x",'.repeat(n)}"x"]}`, '{}')),
  reading('long claims', 50_000, (n) => token(GOOD, `{"x":"${'y'.repeat(n)}"}`)),
  reading('many claims', 5_000, (n) =>
    token(GOOD, JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, i) => [`claim${i}`, i])))),
  ),
  reading('deep claims', 5_000, (n) => token(GOOD, `{"x":${'['.repeat(n)}${']'.repeat(n)}}`)),
  reading('claims that never end', 5_000, (n) => token(GOOD, '{"x":'.repeat(n))),
  reading('a long signature', 100_000, (n) => `${encode(GOOD)}.${encode('{}')}.${'A'.repeat(n)}`),
  {
    name: 'a token: many keys of its name',
    n: 20,
    prepare: async (n) => {
      const [key] = (await loadKeys(pem())) as [TokenKey];
      // Each key has bytes of its own, so that none is read from a cache.
      const keys = Array.from({ length: n }, () => ({ ...key, kid: 'same', publicKey: key.publicKey.slice() }));
      const given = token('{"alg":"ES256","kid":"same"}', '{}');
      return () => verifyToken(given, keys);
    },
  },
  {
    name: 'a token: many keys of other names',
    n: 50_000,
    prepare: async (n) => {
      const [key] = (await loadKeys(pem())) as [TokenKey];
      const keys = Array.from({ length: n }, (_, i) => ({ ...key, kid: `kid${i}` }));
      const given = token('{"alg":"ES256","kid":"unknown"}', '{}');
      return () => verifyToken(given, keys);
    },
  },
];
