import { expect, it } from 'vitest';
import { oidc } from '../../../src/authentication/jwt/oidc.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { createFakeHost, createIssuer } from '../../../src/testing/index.js';

const EMAIL = { usernameClaim: 'email' };

it.each([
  [{}, 'https://issuer.example#jane'],
  [{ usernamePrefix: '-' }, 'jane'],
  [{ usernamePrefix: 'oidc:' }, 'oidc:jane'],
  [EMAIL, 'jane@example.com'],
  [{ ...EMAIL, usernamePrefix: 'oidc:' }, 'oidc:jane@example.com'],
  [{ usernameClaim: 'name' }, 'https://issuer.example#Jane'],
  [{ ...EMAIL, signingAlgorithms: [] }, 'jane@example.com'],
])('the user with the flags %j: %s (spec 11.17)', async (flags, username) => {
  await using issuer = await createIssuer();
  const host = createFakeHost({ start: new Date(), fetch: issuer.fetch });
  const authenticator = oidc({ issuerUrl: issuer.url, clientId: issuer.audience, ...flags })(host);
  const token = await issuer.token({ sub: 'jane', email: 'jane@example.com', email_verified: true, name: 'Jane' });
  const headers = headersOf({ authorization: `Bearer ${token}` });
  const result = await authenticator.authenticate({ headers } as never);
  expect(result).toMatchObject({ outcome: 'authenticated', user: { username } });
});
