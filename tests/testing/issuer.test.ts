import { describe, expect, it } from 'vitest';
import { startWithIssuer } from '../../examples/guides/login.js';
import { oidc } from '../../src/exports/authentication.js';
import { nodeFetch } from '../../src/outbound/node-fetch.js';
import { createFakeClock, createIssuer, type Issuer, listenAsIssuer } from '../../src/testing/index.js';
import { fetchFrom } from '../support/ask.js';
import { startServer } from '../support/servers.js';

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const signal = new AbortController().signal;
const get = (url: string) => ({ url, options: { method: 'GET', headers: {}, redirect: 'manual', signal } as const });
const askIn = async (issuer: Issuer, path: string) => {
  const { url, options } = get(`${issuer.url}${path}`);
  return await issuer.fetch(url, options);
};

describe('the issuer for tests', () => {
  it('is accepted by a server, as long as a token is valid', async () => {
    const { issuer, server } = await startWithIssuer();
    const status = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetchFrom(server, '/version', { headers })).status;
    };
    await expect.poll(async () => await status(await issuer.token({ sub: 'jane' }))).toBe(200);
    expect(await status(await issuer.token({ sub: 'jane', exp: 1_700_000_000 }))).toBe(401);
    expect(await status(await issuer.token({ sub: 'jane', aud: 'another' }))).toBe(401);
    expect(await status(await issuer.token({ sub: 'jane', iss: 'https://other.example' }))).toBe(401);
    await server.close();
  });

  it('issues tokens with the requested claims, at the time of its clock', async () => {
    const clock = createFakeClock('2030-01-01T00:00:00Z');
    const issuer = await createIssuer({ url: 'https://a.example', audience: 'me', algorithm: 'ES256', clock });
    const iat = Date.parse('2030-01-01T00:00:00Z') / 1000;
    expect(claimsOf(await issuer.token({ sub: 'jane', groups: ['a'], team: 'b' }))).toEqual({
      iss: 'https://a.example',
      aud: 'me',
      sub: 'jane',
      groups: ['a'],
      team: 'b',
      iat,
      exp: iat + 3600,
    });
  });

  it('signs with another key after a rotation, and keeps or drops the previous one', async () => {
    const issuer = await createIssuer({ algorithm: 'ES256' });
    const kids = async () => (await (await askIn(issuer, '/keys')).json()).keys.map(({ kid }: { kid: string }) => kid);
    const [first] = await kids();
    await issuer.rotateKeys();
    const both = await kids();
    expect(both).toHaveLength(2);
    expect(both[0]).toBe(first);
    await issuer.rotateKeys({ keep: false });
    const [last] = await kids();
    expect(both).not.toContain(last);
    const [header = ''] = (await issuer.token({ sub: 'jane' })).split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'ES256', kid: last });
  });

  it('issues the same tokens for the same seed, before and after a rotation', async () => {
    const tokens = async (seed: number) => {
      const issuer = await createIssuer({ seed, clock: createFakeClock('2030-01-01T00:00:00Z') });
      const first = await issuer.token({ sub: 'jane', groups: ['a'] });
      await issuer.rotateKeys();
      return [first, await issuer.token({ sub: 'jane' }), await (await askIn(issuer, '/keys')).text()];
    };
    const [one, again, other] = await Promise.all([tokens(7), tokens(7), tokens(8)]);
    expect(again).toEqual(one);
    expect(new Set([...one, ...other]).size).toBe(6);
    const keys = async (issuer: Issuer) => (await (await askIn(issuer, '/keys')).json()).keys;
    expect(await keys(await createIssuer({ seed: 7 }))).toMatchObject([{ alg: 'ES256', kty: 'EC' }]);
    await expect(createIssuer({ seed: 0.5 })).rejects.toThrow('the seed must be a whole number: 0.5');
    await expect(createIssuer({ seed: 1, algorithm: 'RS256' })).rejects.toThrow(
      'a seed can only be used with ES256, not with RS256',
    );
  });

  it('has its tokens of a seed accepted by a server', async () => {
    const issuer = await createIssuer({ seed: 7 });
    const known = oidc({ issuerUrl: issuer.url, clientId: issuer.audience, signingAlgorithms: ['ES256'] });
    await using server = await startServer({
      fetch: issuer.fetch,
      authentication: (defaults) => [...defaults, known],
    });
    const headers = { authorization: `Bearer ${await issuer.token({ sub: 'jane' })}` };
    const status = async () => (await fetchFrom(server, '/version', { headers })).status;
    await expect.poll(status).toBe(200);
  });

  it('accepts only its own tokens', async () => {
    const issuer = await createIssuer({ algorithm: 'ES256' });
    expect((await askIn(issuer, '/elsewhere')).status).toBe(404);
    const { options } = get('');
    await expect(issuer.fetch('https://issuer.example.org/keys', options)).rejects.toThrow('no server at');
  });

  it('listens on a port, and requires the password', async () => {
    await using issuer = await listenAsIssuer({
      algorithm: 'ES256',
      logins: { jane: { password: 'right', claims: { sub: 'jane' } } },
    });
    const { certificateAuthority = '' } = issuer;
    const logIn = async (form: Record<string, string>) => {
      const response = await nodeFetch(`${issuer.url}/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams(form)),
        redirect: 'manual',
        signal,
        tls: { certificateAuthority },
      });
      return { status: response.status, ...(await response.json()) };
    };
    const jane = { grant_type: 'password', username: 'jane', password: 'right' };
    const { id_token: token, status } = await logIn(jane);
    expect(status).toBe(200);
    expect(claimsOf(token)).toMatchObject({ iss: issuer.url, sub: 'jane' });
    expect(await logIn({ ...jane, password: 'wrong' })).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await logIn({ ...jane, username: '__proto__' })).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await logIn({ grant_type: 'magic' })).toEqual({ status: 400, error: 'unsupported_grant_type' });
  });
});
