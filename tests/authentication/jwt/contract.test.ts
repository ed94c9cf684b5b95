import { describe, expect, it } from 'vitest';
import type { TokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import {
  type Authenticator,
  authenticationConfiguration,
  oidc,
  webhookTokens,
} from '../../../src/exports/authentication.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { createFakeHost, createIssuer } from '../../../src/testing/index.js';
import { runAuthenticatorContract } from '../../../src/testing/vitest/index.js';

const bearer = (token: string) => ({ headers: headersOf({ authorization: `Bearer ${token}` }) });
const start = '2030-01-01T00:00:00Z';

/** Returns an issuer, a host that can reach it, and valid and invalid tokens. */
async function setUp() {
  const clock = createFakeHost({ start }).clock;
  const issuer = await createIssuer({ algorithm: 'ES256', clock });
  const host = createFakeHost({ start, fetch: issuer.fetch });
  const good = await issuer.token({ sub: 'jane', groups: ['a'] });
  const [header, , signature] = good.split('.');
  const claims = Buffer.from(JSON.stringify({ iss: issuer.url, aud: 'orch', sub: 'root', exp: 4e9 }));
  const bad = {
    'an expired token': bearer(await issuer.token({ sub: 'jane', exp: 1 })),
    'a token for others': bearer(await issuer.token({ sub: 'jane', aud: 'others' })),
    'a token of another user with the same signature': bearer(`${header}.${claims.toString('base64url')}.${signature}`),
    'a token of another form': bearer(await issuer.token({ sub: 'jane', groups: [{}] as unknown as string[] })),
  };
  return { issuer, host, good: bearer(good), bad };
}
const settled = async () => {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
};

runAuthenticatorContract('oidc', async () => {
  const { issuer, host, good, bad } = await setUp();
  const authenticator = oidc({
    issuerUrl: issuer.url,
    clientId: issuer.audience,
    usernamePrefix: 'o:',
    groupsClaim: 'groups',
    signingAlgorithms: ['ES256'],
  })(host);
  await settled();
  return { authenticator, good, bad, user: { username: 'o:jane', groups: ['a'] } };
});

runAuthenticatorContract('authenticationConfiguration', async () => {
  const { issuer, host, good, bad } = await setUp();
  const { authentication } = await authenticationConfiguration(
    {
      jwt: [
        {
          issuer: { url: issuer.url, audiences: [issuer.audience] },
          claimMappings: {
            username: { expression: '"o:" + claims.sub' },
            groups: { expression: 'claims.?groups.orValue([])' },
          },
        },
      ],
    },
    { dialect: 'k8s' },
  );
  const authenticator = authentication[0]?.(host) as Authenticator;
  await settled();
  return { authenticator, good, bad, user: { username: 'o:jane', groups: ['a'] } };
});

describe('a token of an issuer that is reviewed for audiences', () => {
  it("is verified only if one of the audiences is the server's own", async () => {
    const { issuer, host, bad } = await setUp();
    const options = { issuerUrl: issuer.url, clientId: issuer.audience, signingAlgorithms: ['ES256'] };
    const tokens = oidc(options)(host) as TokenAuthenticator;
    await settled();
    const expired = bad['an expired token'].headers.get('authorization')?.slice('Bearer '.length) ?? '';
    const outcome = async (audiences: readonly string[]) =>
      (await tokens.authenticateToken(expired, audiences, ['own'])).outcome;
    expect([await outcome(['others']), await outcome(['others', 'own'])]).toEqual(['skipped', 'rejected']);
  });
});

describe('the audiences that a webhook returns', () => {
  const answering = (status: object) =>
    webhookTokens({ connection: { server: 'https://hook.example' }, version: 'v1' })(
      createFakeHost({
        fetch: async () => Response.json({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', status }),
      }),
    ) as TokenAuthenticator;

  it('keep their order', async () => {
    const tokens = answering({ authenticated: true, user: { username: 'jane' }, audiences: ['b', 'x', 'a'] });
    expect(await tokens.authenticateToken('t', ['a', 'b', 'c'])).toMatchObject({ audiences: ['b', 'a'] });
  });

  it('take precedence over an error', async () => {
    const tokens = answering({ authenticated: false, error: 'expired', audiences: ['x'] });
    expect((await tokens.authenticateToken('t', ['a'])).outcome).toBe('skipped');
    expect((await tokens.authenticateToken('t', ['x'])).outcome).toBe('rejected');
  });
});

runAuthenticatorContract('webhookTokens', () => {
  const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' };
  const host = createFakeHost({
    fetch: async (_, { body = '' }) => {
      const { token } = JSON.parse(body).spec;
      if (token === 'good')
        return Response.json({ ...REVIEW, status: { authenticated: true, user: { username: 'jane', groups: ['a'] } } });
      return Response.json({ ...REVIEW, status: { authenticated: false, error: 'unheard of' } });
    },
  });
  return {
    authenticator: webhookTokens({ connection: { server: 'https://hook.example' }, version: 'v1' })(host),
    good: bearer('good'),
    user: { username: 'jane', groups: ['a'] },
    bad: { 'an unknown token': bearer('bad'), 'a longer token': bearer('goods') },
  };
});
