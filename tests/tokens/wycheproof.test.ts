import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/meta/flow.js';
import type { Signatures } from '../../src/signatures/signatures.js';
import { readToken, verifySignature } from '../../src/tokens/compact-token.js';
import type { PublicJwk, TokenKey } from '../../src/tokens/token-key.js';
import { implementations } from '../meta/implementations.js';
import { readShared } from '../support/shared-data.js';
import { verifyToken } from './verify-token.js';

/*
 * The public JWS vectors of project Wycheproof, all 401, through the signature check of our tokens.
 *
 *   HS256 with a secret key (oct)       every one refused, the valid ones too: a token is never signed with a shared secret
 *   RS*, PS*, ES* with a public key     as the vectors say, but for the nine cases below
 */
const OTHERWISE = new Map([
  // RSA keys of PEM files are bound to no algorithm: any RSA signature of the key's owner counts (spec 14.7).
  [332, 'UsingRS256 with a key marked PS512'],
  [334, 'UsingRS384 with a key marked PS512'],
  [336, 'UsingRS512 with a key marked PS512'],
  [338, 'UsingPS256 with a key marked PS512'],
  [340, 'UsingPS384 with a key marked PS512'],
  // Keys of PEM files say nothing of their use.
  [353, 'rejectWrongUse with an RSA key for encryption'],
  [354, 'rejectWrongUse with an EC key for encryption'],
  [355, 'rejectWrongKeyOps with an RSA key'],
  [356, 'rejectWrongKeyOps with an EC key'],
]);

interface Group {
  readonly comment: string;
  readonly public?: JsonWebKey & { readonly kid: string };
  readonly private?: JsonWebKey & { readonly kid: string };
  readonly tests: readonly {
    readonly tcId: number;
    readonly comment: string;
    readonly jws: string | object;
    readonly result: 'valid' | 'invalid';
  }[];
}
const groups: readonly Group[] = readShared('data/wycheproof/json_web_signature_test.json', {
  testGroups: [],
}).testGroups;

function keyOf({ public: open, private: secret }: Group): TokenKey | undefined {
  const { kty, kid = '', n = '', e = '', crv = '', x = '', y = '' } = open ?? secret ?? {};
  if (kty !== 'RSA' && kty !== 'EC') return undefined;
  const publicJwk: PublicJwk = kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y };
  const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'der' });
  return { kid, algorithm: kty === 'RSA' ? 'RS256' : crv === 'P-521' ? 'ES512' : 'ES256', publicJwk, publicKey };
}
const keys = groups.map(keyOf).filter((key) => key !== undefined);
const verdictOf = async (token: string, fitting: readonly TokenKey[], signatures: Signatures) => {
  // The vectors sign all sorts of text. The reader of tokens would refuse it, so it reads the token with empty claims instead.
  const read = readToken(token.replace(/^([^.]*\.)[\w-]*(?=\.)/, '$1e30'));
  if (!read) return 'invalid';
  try {
    await run(verifySignature({ ...read, token }, read.header['kid'], fitting, signatures));
    return 'valid';
  } catch {
    return 'invalid';
  }
};

describe.skipIf(groups.length === 0).each(implementations)(
  'Wycheproof vectors by $name (skipped where the shared data is absent)',
  ({ signatures }) => {
    const verdict = (token: string, fitting: readonly TokenKey[]) => verdictOf(token, fitting, signatures);
    const all = groups.flatMap((group) =>
      group.tests.map((test) => ({
        ...test,
        key: keyOf(group),
        title: `${test.tcId} ${group.comment} ${test.comment}`,
        token: typeof test.jws === 'string' ? test.jws : JSON.stringify(test.jws),
      })),
    );
    it('are complete', () => expect(all).toHaveLength(401));

    const shared = all.filter(({ key }) => key === undefined);
    it(`are refused if the key is a shared secret (${shared.length})`, async () => {
      for (const { token, title } of shared) {
        expect(await verdict(token, keys), title).toBe('invalid');
        await expect(verifyToken(token, keys, signatures), title).rejects.toThrow();
      }
    });
    const open = all.filter(({ key, tcId }) => key && !OTHERWISE.has(tcId));
    it(`have the expected result if the key is public (${open.length})`, async () => {
      for (const { key, token, result, title } of open)
        expect(await verdict(token, key ? [key] : []), title).toBe(result);
    });
    it(`are accepted if keys have no usage (${OTHERWISE.size})`, async () => {
      for (const { key, token, tcId, title } of all)
        if (OTHERWISE.has(tcId)) expect(await verdict(token, key ? [key] : []), title).toBe('valid');
    });
  },
);
