// Attacks by issuers, by servers that imitate one, and by their tokens.
import { CompactSign, exportSPKI } from 'jose';
import { describe, expect, it } from 'vitest';
import type { TokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import { authenticationConfiguration, oidc } from '../../../src/exports/authentication.js';
import { createFakeHost, type FakeHost } from '../../../src/testing/fake-host.js';
import { fetchOf, TestIssuer } from '../../authentication/jwt/issuers.js';

const encoder = new TextEncoder();
const hostOf = (...issuers: readonly TestIssuer[]) =>
  createFakeHost({ start: '2026-01-01T00:00:00Z', fetch: fetchOf(...issuers) });
const one = (host: FakeHost, issuerUrl = 'https://issuer.example') =>
  oidc({ issuerUrl, clientId: 'client', usernamePrefix: '-', signingAlgorithms: ['ES256', 'RS256'] })(
    host,
  ) as TokenAuthenticator;
const authenticate = async (authenticator: TokenAuthenticator, token: string) =>
  await authenticator.authenticateToken(token, undefined);
const refused = (message: string | RegExp) =>
  expect.objectContaining({
    outcome: 'rejected',
    error: expect.objectContaining({ message: expect.stringMatching(message) }),
  });
/** Runs all work that waits for nothing else. */
const settle = async () => {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Advances time until something has happened. */
async function passing<T>(host: FakeHost, promise: Promise<T>): Promise<T> {
  let waiting = true;
  const done = promise.finally(() => {
    waiting = false;
  });
  done.catch(() => {});
  while (waiting) {
    await settle();
    host.clock.advance(1000);
  }
  return await done;
}

describe('tokens', () => {
  it('signed with the public key as a shared secret, or not at all, are refused', async () => {
    const issuer = await TestIssuer.create(undefined, 'r', 'RS256');
    const authenticator = one(hostOf(issuer));
    const claims = { iss: issuer.url, aud: 'client', sub: 'root', exp: 4_000_000_000 };
    const pair = issuer.keys.get('r')?.pair;
    if (!pair) throw new Error('no key');
    const secrets = [await exportSPKI(pair.publicKey), JSON.stringify(await issuer.keySet())];
    for (const secret of secrets) {
      const token = await new CompactSign(encoder.encode(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'HS256', kid: 'r' })
        .sign(encoder.encode(secret));
      expect(await authenticate(authenticator, token)).toEqual(refused(/unsupported algorithm.*"HS256"/));
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const alg of ['none', 'None', 'NONE', ''])
      expect(await authenticate(authenticator, `${part({ alg })}.${part(claims)}.`)).toEqual(
        refused('unsupported algorithm'),
      );
    const good = await issuer.token({ sub: 'jane' });
    const [header, , signature] = good.split('.');
    expect(await authenticate(authenticator, `${header}.${part({ ...claims })}.${signature}`)).toEqual(
      refused('failed to verify'),
    );
    expect(await authenticate(authenticator, good)).toMatchObject({
      outcome: 'authenticated',
      user: { username: 'jane' },
    });
  });

  it('with a shared secret in the key set are refused', async () => {
    const issuer = await TestIssuer.create();
    const secret = Buffer.from('0123456789abcdef0123456789abcdef');
    const oct = { kty: 'oct', k: secret.toString('base64url'), kid: 'o', alg: 'HS256' };
    issuer.instead.set('/keys', async () => Response.json({ keys: [oct, ...(await issuer.keySet()).keys] }));
    const claims = { iss: issuer.url, aud: 'client', sub: 'root', exp: 4_000_000_000 };
    const token = await new CompactSign(encoder.encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'HS256', kid: 'o' })
      .sign(secret);
    const authenticator = one(hostOf(issuer));
    expect(await authenticate(authenticator, token)).toEqual(refused('unsupported algorithm'));
    expect(await authenticate(authenticator, await issuer.token())).toMatchObject({ outcome: 'authenticated' });
  });

  it('of one issuer are refused with keys of another issuer that have the same ids', async () => {
    const [first, second] = [
      await TestIssuer.create('https://one.example'),
      await TestIssuer.create('https://two.example'),
    ];
    const jwt = [first, second].map(({ url }) => ({
      issuer: { url, audiences: ['client'] },
      claimMappings: { username: { claim: 'sub', prefix: `${url}#` } },
    }));
    const { authentication } = await authenticationConfiguration({ jwt });
    const authenticator = authentication[0]?.(
      createFakeHost({ fetch: fetchOf(first, second), dialect: (await import('../../../src/meta/dialect.js')).orch }),
    ) as TokenAuthenticator;
    const forged = await first.token({ iss: first.url }, 'a', second);
    expect(await authenticate(authenticator, forged)).toEqual(refused('failed to verify id token signature'));
    expect(await authenticate(authenticator, await second.token())).toMatchObject({
      user: { username: 'https://two.example#jane' },
    });
  });

  it.each([
    'https://issuer.example/',
    'https://ISSUER.example',
    'https://issuer.example:443',
    'https://іssuer.example',
    'https://issuer.example.',
    'http://issuer.example',
    ' https://issuer.example',
  ])('of an issuer with a similar URL, %j, are not authenticated', async (iss) => {
    const issuer = await TestIssuer.create();
    expect(await authenticate(one(hostOf(issuer)), await issuer.token({ iss }))).toMatchObject({ outcome: 'skipped' });
  });

  it.each([['Client'], ['client/'], ['client '], ['сlient'], [['clients', 'other']], [[]], [{ client: true }]])(
    'for an audience that is similar, %j, are refused',
    async (aud) => {
      const issuer = await TestIssuer.create();
      expect(await authenticate(one(hostOf(issuer)), await issuer.token({ aud }))).toEqual(
        refused('expected audience|failed to unmarshal claims'),
      );
    },
  );

  it('are refused once their key was removed', async () => {
    const issuer = await TestIssuer.create(undefined, 'old');
    const host = hostOf(issuer);
    const authenticator = one(host);
    const stolen = await issuer.token({}, 'old');
    expect(await authenticate(authenticator, stolen)).toMatchObject({ outcome: 'authenticated' });
    issuer.keys.delete('old');
    await issuer.addKey('new');
    host.clock.advance(60_000);
    // The first request with the stolen key may still make the server refresh the keys; soon all such requests are refused.
    let answer = await authenticate(authenticator, stolen);
    for (let i = 0; i < 500 && answer.outcome === 'authenticated'; i++) {
      await settle();
      answer = await passing(host, authenticate(authenticator, stolen));
    }
    expect(answer).toEqual(refused('failed to verify id token signature'));
    expect(await authenticate(authenticator, await issuer.token({}, 'new'))).toMatchObject({
      outcome: 'authenticated',
    });
  });

  it('do not authenticate system users if rules forbid it', async () => {
    const issuer = await TestIssuer.create();
    const { authentication } = await authenticationConfiguration(
      {
        jwt: [
          {
            issuer: { url: issuer.url, audiences: ['client'] },
            claimMappings: {
              username: { expression: 'claims.sub' },
              groups: { expression: 'claims.?groups.orValue([])' },
            },
            userValidationRules: [
              { expression: "!user.username.startsWith('system:')", message: 'the name is reserved' },
              { expression: "user.groups.all(group, !group.startsWith('system:'))", message: 'a group is reserved' },
            ],
          },
        ],
      },
      { dialect: 'k8s' },
    );
    const authenticator = authentication[0]?.(hostOf(issuer)) as TokenAuthenticator;
    expect(await authenticate(authenticator, await issuer.token({ sub: 'system:admin' }))).toEqual(
      refused('the name is reserved'),
    );
    expect(await authenticate(authenticator, await issuer.token({ groups: ['system:masters'] }))).toEqual(
      refused('a group is reserved'),
    );
    expect(await authenticate(authenticator, await issuer.token({ sub: '' }))).toEqual(refused('empty username'));
  });

  it('cannot make an expression run without limit', async () => {
    const issuer = await TestIssuer.create();
    const { authentication } = await authenticationConfiguration(
      {
        jwt: [
          {
            issuer: { url: issuer.url, audiences: ['client'] },
            claimMappings: { username: { expression: 'claims.sub' } },
            claimValidationRules: [
              { expression: 'dyn(claims.a).all(x, dyn(claims.a).all(y, dyn(claims.a).all(z, x + y + z >= 0)))' },
            ],
          },
        ],
      },
      { dialect: 'k8s' },
    );
    const authenticator = authentication[0]?.(hostOf(issuer)) as TokenAuthenticator;
    const token = await issuer.token({ a: Array.from({ length: 2000 }, (_, i) => i) });
    expect(await authenticate(authenticator, token)).toEqual(refused('cost limit exceeded'));
  });

  it('with unknown key ids do not make the server request the key set without limit', async () => {
    const issuer = await TestIssuer.create();
    const host = hostOf(issuer);
    const authenticator = one(host);
    await authenticate(authenticator, await issuer.token());
    const before = issuer.asked.length;
    const stranger = await TestIssuer.create();
    const tokens: string[] = [];
    for (let i = 0; i < 20; i++) {
      await stranger.addKey(`k${i}`);
      tokens.push(await stranger.token({}, `k${i}`));
    }
    const answers = Promise.all([...tokens, ...tokens, ...tokens].map((token) => authenticate(authenticator, token)));
    for (const answer of await passing(host, answers))
      expect(answer).toEqual(refused('failed to verify id token signature'));
    expect(issuer.asked.length - before).toBeLessThan(10);
  });

  it.each([
    ['after its keys are known', true, '/keys'],
    ['before its keys are known', false, '/keys'],
    ['before its discovery document is known', false, '/.well-known/openid-configuration'],
  ])('with unknown key ids are refused at once if many requests wait for the key set: %s', async (_, known, silent) => {
    const issuer = await TestIssuer.create();
    const host = hostOf(issuer);
    const silence = () => issuer.instead.set(silent, () => new Promise(() => {}));
    if (!known) silence();
    const authenticator = one(host);
    if (known) await authenticate(authenticator, await issuer.token());
    // From here on, the issuer does not respond.
    silence();
    const stranger = await TestIssuer.create('https://issuer.example', 'unknown');
    const token = await stranger.token();
    let answered = 0;
    const answers = Array.from({ length: 500 }, () => authenticate(authenticator, token).finally(() => answered++));
    await settle();
    expect(answered).toBeGreaterThanOrEqual(450);
    for (const answer of await passing(host, Promise.all(answers))) expect(answer.outcome).toBe('rejected');
    // The requests that waited make room for others.
    issuer.instead.clear();
    host.clock.advance(10_000);
    expect((await passing(host, authenticate(authenticator, await issuer.token()))).outcome).toBe('authenticated');
  });
});

describe('issuers', () => {
  const answered = async (prepare: (issuer: TestIssuer) => void) => {
    const issuer = await TestIssuer.create();
    prepare(issuer);
    const host = hostOf(issuer);
    return { result: await authenticate(one(host), await issuer.token()), lines: host.lines, issuer };
  };

  it('whose discovery document names another issuer are not trusted', async () => {
    const { result, lines } = await answered((issuer) =>
      issuer.instead.set('/.well-known/openid-configuration', () =>
        Response.json({ issuer: 'https://other.example', jwks_uri: issuer.keysUrl }),
      ),
    );
    expect(result).toEqual(refused('oidc: authenticator not initialized'));
    expect(lines.join()).toContain('issuer did not match the issuer returned by provider');
  });

  it.each(['http://issuer.example/keys', 'file:///etc/passwd', 'https://', ''])(
    'whose keys would come from %j are not trusted',
    async (jwks_uri) => {
      const { result } = await answered((issuer) =>
        issuer.instead.set('/.well-known/openid-configuration', () => Response.json({ issuer: issuer.url, jwks_uri })),
      );
      expect(result).toEqual(refused('oidc: authenticator not initialized'));
    },
  );

  it('whose keys have a URL with an uppercase scheme are trusted', async () => {
    const { result } = await answered((issuer) =>
      issuer.instead.set('/.well-known/openid-configuration', () =>
        Response.json({ issuer: issuer.url, jwks_uri: issuer.keysUrl.replace('https', 'HTTPS') }),
      ),
    );
    expect(result).toMatchObject({ outcome: 'authenticated' });
  });

  it.each(['http://issuer.example/x', 'https://other.example/x', '/elsewhere'])(
    'that redirect to %s are not followed',
    async (location) => {
      for (const path of ['/.well-known/openid-configuration', '/keys']) {
        const { result, issuer } = await answered((each) =>
          each.instead.set(path, () => new Response(null, { status: 302, headers: { location } })),
        );
        expect(result).toMatchObject({ outcome: 'rejected' });
        expect(issuer.asked).not.toContain('/elsewhere');
      }
    },
  );

  it('whose keys are very many or very long are not read to the end', async () => {
    let sent = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 65_536;
            controller.enqueue(new Uint8Array(65_536).fill(0x20));
          },
        }),
      );
    const { result } = await answered((issuer) => issuer.instead.set('/keys', endless));
    expect(result).toEqual(refused('longer than'));
    expect(sent).toBeLessThan(4 * 1024 * 1024);
    const many = { keys: Array.from({ length: 10_000 }, () => ({ kty: 'RSA' })) };
    const { result: second } = await answered((issuer) => issuer.instead.set('/keys', () => Response.json(many)));
    expect(second).toEqual(refused('more than 256'));
  });

  it('that never respond delay a request by half a minute at most', async () => {
    const issuer = await TestIssuer.create();
    issuer.instead.set('/keys', () => new Promise<Response>(() => {}));
    const host = hostOf(issuer);
    const answer = authenticate(one(host), await issuer.token());
    await settle();
    host.clock.advance(30_000);
    expect(await answer).toEqual(refused('context deadline exceeded'));
  });

  it.each(['{"keys":', '[]', '{}', '{"keys":{}}', '{"keys":[null,1,"x",{}]}', '\u0000'])(
    'whose key set is %j are refused',
    async (text) => {
      const { result } = await answered((issuer) => issuer.instead.set('/keys', () => new Response(text)));
      expect(result).toMatchObject({ outcome: 'rejected' });
    },
  );
});

describe('a configuration that is replaced while requests run', () => {
  const entry = (issuer: TestIssuer, prefix: string) => ({
    issuer: { url: issuer.url, audiences: ['client'] },
    claimMappings: { username: { claim: 'sub', prefix } },
  });

  it('each request uses one of the two, and an invalid one changes nothing', async () => {
    const issuer = await TestIssuer.create();
    const live = await authenticationConfiguration({ jwt: [entry(issuer, 'a:')] }, { dialect: 'k8s' });
    const host = hostOf(issuer);
    const authenticator = live.authentication[0]?.(host) as TokenAuthenticator;
    const token = await issuer.token();
    expect(await authenticate(authenticator, token)).toMatchObject({ user: { username: 'a:jane' } });
    const running = Array.from({ length: 20 }, () => authenticate(authenticator, token));
    await live.replace({ jwt: [entry(issuer, 'b:')] });
    for (const answer of await Promise.all(running)) expect(answer).toMatchObject({ user: { username: 'a:jane' } });
    expect(await authenticate(authenticator, token)).toMatchObject({ user: { username: 'b:jane' } });

    await expect(live.replace({ jwt: [{ ...entry(issuer, 'c:'), x: 1 }] })).rejects.toThrow('unknown field "jwt[0].x"');
    await expect(live.replace({ jwt: [], anonymous: { enabled: true } })).rejects.toThrow(
      'changed from initial configuration',
    );
    expect(await authenticate(authenticator, token)).toMatchObject({ user: { username: 'b:jane' } });
    await live.replace({ jwt: [] });
    expect(await authenticate(authenticator, token)).toMatchObject({ outcome: 'skipped' });
  });

  it('waits for issuers that cannot be reached, and gives up after a minute', async () => {
    const issuer = await TestIssuer.create();
    const live = await authenticationConfiguration({ jwt: [entry(issuer, 'a:')] }, { dialect: 'k8s' });
    const host = hostOf(issuer);
    const authenticator = live.authentication[0]?.(host) as TokenAuthenticator;
    const gone = new TestIssuer('https://gone.example');
    const replaced = live.replace({ jwt: [entry(gone, 'b:')] });
    const failed = expect(replaced).rejects.toThrow(
      'oidc: authenticator for issuer "https://gone.example" is not healthy',
    );
    for (let i = 0; i < 10; i++) {
      await settle();
      host.clock.advance(10_000);
    }
    await failed;
    expect(await authenticate(authenticator, await issuer.token())).toMatchObject({ user: { username: 'a:jane' } });
  });
});
