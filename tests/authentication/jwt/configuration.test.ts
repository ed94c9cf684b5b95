import { describe, expect, it } from 'vitest';
import {
  type AuthenticationConfigurationOptions,
  authenticationConfiguration,
} from '../../../src/authentication/jwt/authentication-configuration.js';
import { oidc } from '../../../src/authentication/jwt/oidc.js';
import { orch } from '../../../src/meta/dialect.js';
import type { Fetch } from '../../../src/meta/fetch.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { createCertificateAuthority } from '../../../src/pki/certificate-authority.js';
import { createFakeHost, createIssuer, type IssuedClaims, type Issuer } from '../../../src/testing/index.js';

// The contents of a configuration of issuers in `orch`, and the users that it maps tokens to (spec 11.14, 11.15, 11.17, 11.18).
const URL = 'https://issuer.example';
const USERNAME = { claim: 'sub', prefix: '' };

/** Members of the configuration of one issuer. */
interface Parts {
  readonly issuer?: object;
  readonly mappings?: object;
  readonly claimValidationRules?: readonly object[];
  readonly userValidationRules?: readonly object[];
}
const jwt = ({ issuer = {}, mappings = {}, ...more }: Parts = {}) => ({
  issuer: { url: URL, audiences: ['orch'], ...issuer },
  claimMappings: { username: USERNAME, ...mappings },
  ...more,
});
const pemOf = (content: string) => `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----\n`;
const problemOf = (configuration: object, options: AuthenticationConfigurationOptions = {}) =>
  authenticationConfiguration(configuration as never, { dialect: 'orch', ...options }).then(
    () => '',
    (error: Error) => error.message,
  );

describe('a configuration', () => {
  it('must have its version and kind if it is a file', async () => {
    const typed = (apiVersion: string, kind = 'AuthenticationConfiguration') =>
      problemOf({ apiVersion, kind, jwt: [jwt()] }, { typed: true });
    expect(await typed('apiserver.config.orch.io/v1beta1')).toBe('');
    expect(await typed('apiserver.config.k8s.io/v1beta1')).not.toBe('');
    expect(await typed('apiserver.config.orch.io/v1')).not.toBe('');
    expect(await typed('apiserver.config.orch.io/v1beta1', 'Other')).not.toBe('');
    expect(await typed('apiserver.config.orch.io/')).toBe("Object 'apiVersion' is missing");
    expect(await typed('a/b/c')).toBe('unexpected GroupVersion string: a/b/c');
    expect(await problemOf({ apiVersion: 'v1', kind: [] }, { typed: true })).toBe(
      "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go struct field .kind of type string",
    );
  });

  it('is refused with the types of its own version', async () => {
    for (const version of ['v1alpha1', 'v1beta1']) {
      const head = { apiVersion: `apiserver.config.orch.io/${version}`, kind: 'AuthenticationConfiguration' };
      expect(await problemOf({ ...head, jwt: [{ issuer: { audienceMatchPolicy: 1 } }] }, { typed: true })).toBe(
        `json: cannot unmarshal number into Go struct field Issuer.jwt.issuer.audienceMatchPolicy of type ${version}.AudienceMatchPolicyType`,
      );
    }
  });

  it.each<[string, Parts, string]>([
    ['no URL', { issuer: { url: '' } }, 'issuer.url: Required value'],
    ['plain HTTP', { issuer: { url: 'http://issuer.example' } }, 'URL scheme must be https'],
    [
      'a discovery URL that equals the URL',
      { issuer: { discoveryURL: URL } },
      'discoveryURL must be different from URL',
    ],
    ['no audience', { issuer: { audiences: [] } }, 'at least one jwt[0].issuer.audiences is required'],
    [
      'empty audiences',
      { issuer: { audiences: ['', ''], audienceMatchPolicy: 'MatchAny' } },
      'audiences[1]: Required value: audience can\'t be empty, jwt[0].issuer.audiences[1]: Duplicate value: ""',
    ],
    [
      'two audiences without a match policy',
      { issuer: { audiences: ['a', 'b'] } },
      'audienceMatchPolicy must be MatchAny',
    ],
    ['an authority without a certificate', { issuer: { certificateAuthority: 'x' } }, 'does not contain any valid'],
    ['an authority that is not DER', { issuer: { certificateAuthority: pemOf('YWJj') } }, 'malformed certificate'],
    [
      'an authority that is not a certificate',
      { issuer: { certificateAuthority: pemOf('MAA=') } },
      'malformed certificate',
    ],
    [
      'a rule with a claim and an expression',
      { claimValidationRules: [{ claim: 'a', expression: 'true' }] },
      "can't both be set",
    ],
    ['an empty rule', { claimValidationRules: [{}] }, 'claim or expression is required'],
    ['a message for a claim', { claimValidationRules: [{ claim: 'a', message: 'm' }] }, "message can't be set"],
    ['an expression that is not boolean', { claimValidationRules: [{ expression: '"a"' }] }, 'must evaluate to bool'],
    [
      'no claim for the username',
      { mappings: { username: {} } },
      'claimMappings.username: Required value: claim or expression',
    ],
    [
      'a username claim without a prefix',
      { mappings: { username: { claim: 'sub' } } },
      'username.prefix: Required value',
    ],
    ['a groups claim without a prefix', { mappings: { groups: { claim: 'g' } } }, 'groups.prefix: Required value'],
    [
      'a claim and an expression for the uid',
      { mappings: { uid: { claim: 'a', expression: 'claims.b' } } },
      'uid: Invalid value: "": claim and',
    ],
    [
      'an extra key without a domain',
      { mappings: { extra: [{ key: 'a', valueExpression: '"b"' }] } },
      'extra[0].key: Invalid value',
    ],
    [
      'an extra key twice',
      { mappings: { extra: ['"a"', '"b"'].map((valueExpression) => ({ key: 'e.com/a', valueExpression })) } },
      'extra[1].key: Duplicate value',
    ],
    [
      'an unverified e-mail as username',
      { mappings: { username: { expression: 'claims.email' } } },
      'claims.email_verified must be used in',
    ],
    ['an empty rule about users', { userValidationRules: [{ expression: '' }] }, 'expression is required'],
    [
      'a macro over a claim of unknown type',
      { claimValidationRules: [{ expression: 'claims.groups.exists(g, g == "a")' }] },
      "expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
  ])('is refused with %s', async (_what, more, problem) => {
    expect(await problemOf({ jwt: [jwt(more)] })).toContain(problem);
  });

  it.each<[string, Parts]>([
    ['one audience', {}],
    ['two audiences of which any may match', { issuer: { audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny' } }],
    ['a discovery URL', { issuer: { discoveryURL: 'https://elsewhere.example' } }],
    [
      'a verified e-mail as username',
      {
        mappings: { username: { expression: 'claims.email' } },
        claimValidationRules: [{ expression: 'claims.email_verified == true', message: 'verify it' }],
      },
    ],
    [
      'a macro over a claim converted with dyn',
      { claimValidationRules: [{ expression: 'dyn(claims.groups).exists(g, g == "a")' }] },
    ],
  ])('is accepted with %s', async (_what, more) => {
    expect(await problemOf({ jwt: [jwt(more)] })).toBe('');
  });

  it('may name a CA for the issuer', async () => {
    const { certificate } = await createCertificateAuthority({ commonName: 'issuers' });
    expect(await problemOf({ jwt: [jwt({ issuer: { certificateAuthority: certificate } })] })).toBe('');
  });

  it('cannot name the issuer of the server itself', async () => {
    expect(await problemOf({ jwt: [jwt()] }, { disallowedIssuers: [URL] })).toContain('URL must not overlap');
    const configured = await authenticationConfiguration({}, { dialect: 'orch', disallowedIssuers: ['own'] });
    await expect(configured.replace({ jwt: [jwt({ issuer: { url: 'own' } })] })).rejects.toThrow(
      '[jwt[0].issuer.url: Invalid value: "own": URL must not overlap with disallowed issuers: [own], ' +
        'jwt[0].issuer.url: Invalid value: "own": URL scheme must be https]',
    );
  });

  it('does not check the claims of a username if its mapping has another error', async () => {
    const username = { expression: 'claims.email', prefix: 'p' };
    expect(await problemOf({ jwt: [jwt({ mappings: { username } })] })).not.toContain('email_verified');
  });

  it('configures anonymous access if the gate is on, and otherwise does not affect it', async () => {
    const anonymous = { enabled: true, conditions: [{ path: '/livez' }] };
    expect(await problemOf({ anonymous }, { anonymousAllowed: true })).toBe('');
    expect(await problemOf({ anonymous }, { anonymousAllowed: false })).toContain('anonymous');
    const configured = await authenticationConfiguration({ anonymous } as never, { anonymousAllowed: true });
    expect(configured.configuresAnonymous).toBe(true);
    await expect(configured.replace({ anonymous: { enabled: false } })).rejects.toThrow('anonymous: Forbidden');
    const [, byPath] = configured.authentication;
    const who = async (path: string) =>
      (
        await byPath?.(createFakeHost({ dialect: orch })).authenticate({
          headers: headersOf({}),
          path,
        } as never)
      )?.outcome;
    expect([await who('/livez'), await who('/livez/ping'), await who('/readyz')]).toEqual([
      'authenticated',
      'skipped',
      'skipped',
    ]);
  });
});

/** Returns the user that a token of the issuer authenticates, or the message of the refusal. */
async function outcome(make: (issuer: Issuer) => Promise<unknown> | unknown, claims: Partial<IssuedClaims>) {
  await using issuer = await createIssuer({ algorithm: 'ES256' });
  const host = createFakeHost({ dialect: orch, start: new Date(), fetch: issuer.fetch });
  const factory = (await make(issuer)) as (at: typeof host) => {
    authenticate(given: object): Promise<Result> | Result;
  };
  const authenticator = factory(host);
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
  const token = await issuer.token({ sub: 'jane', ...claims });
  const result = await authenticator.authenticate({ headers: headersOf({ authorization: `Bearer ${token}` }) });
  return result.outcome === 'authenticated' ? result.user : (result.error?.message ?? result.outcome);
}
interface Result {
  readonly outcome: string;
  readonly user?: object;
  readonly error?: Error;
}
const configured = (more: Parts) => async () =>
  (await authenticationConfiguration({ jwt: [jwt(more)] } as never, { dialect: 'orch' })).authentication[0];
const flagged = (flags: object) => (issuer: Issuer) =>
  oidc({
    issuerUrl: issuer.url,
    clientId: issuer.audience,
    usernamePrefix: '-',
    signingAlgorithms: ['ES256'],
    ...flags,
  });

describe('the user of a token, by a configuration', () => {
  it('has the values of its claims and expressions', async () => {
    const mappings = {
      username: { expression: '"o:" + claims.sub' },
      groups: { claim: 'roles', prefix: 'g:' },
      uid: { claim: 'id' },
      extra: [{ key: 'example.com/team', valueExpression: 'claims.team' }],
    };
    expect(await outcome(configured({ mappings }), { roles: ['a', 'b'], id: 'u', team: ['x', 'y'] })).toEqual({
      username: 'o:jane',
      groups: ['g:a', 'g:b'],
      uid: 'u',
      extra: { 'example.com/team': ['x', 'y'] },
    });
    const byExpression = { groups: { expression: '"one"' }, uid: { expression: 'claims.id + "!"' } };
    expect(await outcome(configured({ mappings: byExpression }), { id: 'u' })).toMatchObject({
      groups: ['one'],
      uid: 'u!',
    });
    expect(await outcome(configured({ mappings: { username: { claim: 'sub', prefix: 'p:' } } }), {})).toMatchObject({
      username: 'p:jane',
    });
  });

  it('is not authenticated if the name is empty, a rule fails, or the audience is another', async () => {
    for (const expression of ['""', '1'])
      expect(await outcome(configured({ mappings: { username: { expression } } }), {})).toEqual(expect.any(String));
    const rule = { claimValidationRules: [{ expression: 'claims.hd == "x"', message: 'the domain is x' }] };
    expect(await outcome(configured(rule), { hd: 'y' })).toContain('the domain is x');
    expect(await outcome(configured(rule), { hd: 'x' })).toMatchObject({ username: 'jane' });
    const required = { claimValidationRules: [{ claim: 'hd', requiredValue: 'x' }] };
    expect(await outcome(configured(required), { hd: 'y' })).toContain('hd');
    const users = {
      userValidationRules: [{ expression: '!user.username.startsWith("system:")', message: 'reserved' }],
    };
    expect(await outcome(configured(users), { sub: 'system:admin' })).toContain('reserved');
    expect(await outcome(configured({}), { aud: ['others'] })).toContain('aud');
    expect(await outcome(configured({}), { aud: ['others', 'orch'] })).toMatchObject({ username: 'jane' });
    expect(await outcome(configured({}), { exp: 1 })).toContain('expired');
  });

  it('belongs to the issuer that the discovery document names', async () => {
    const issuer = { url: 'https://other.example', discoveryURL: URL };
    expect(await outcome(configured({ issuer }), { iss: 'https://other.example' })).toEqual(expect.any(String));
  });
});

describe('the user of a token, by flags', () => {
  it('requires an issuer whose URL is https', () => {
    const at = (issuerUrl: string) => () => oidc({ issuerUrl, clientId: 'orch' })(createFakeHost({ dialect: orch }));
    expect(at('http://issuer.example')).toThrow('https');
    expect(at('')).toThrow();
    expect(at('https://issuer.example')).not.toThrow();
  });

  it("verifies the issuer's server with the given CA", async () => {
    const { certificate } = await createCertificateAuthority({ commonName: 'issuers' });
    const authorities: unknown[] = [];
    const fetch: Fetch = async (_, { tls }) => {
      authorities.push(tls?.certificateAuthority);
      return new Response('', { status: 404 });
    };
    oidc({ issuerUrl: URL, clientId: 'orch', certificateAuthority: certificate })(
      createFakeHost({ dialect: orch, fetch }),
    );
    await expect.poll(() => authorities.length).toBeGreaterThan(0);
    expect(authorities[0]).toBe(certificate);
  });

  it('has the groups of a claim, with their prefix', async () => {
    expect(await outcome(flagged({ groupsClaim: 'roles' }), { roles: ['a'] })).toMatchObject({ groups: ['a'] });
    expect(await outcome(flagged({ groupsClaim: 'roles', groupsPrefix: 'g:' }), { roles: ['a', 'b'] })).toMatchObject({
      groups: ['g:a', 'g:b'],
    });
  });

  it('requires the configured claims, the client id as audience, and an allowed algorithm', async () => {
    const required = { requiredClaims: { hd: 'x', tier: 'a' } };
    expect(await outcome(flagged(required), { hd: 'x', tier: 'a' })).toMatchObject({ username: 'jane' });
    expect(await outcome(flagged(required), { hd: 'x' })).toEqual(expect.any(String));
    expect(await outcome(flagged({}), { aud: 'others' })).toEqual(expect.any(String));
    expect(await outcome(flagged({ signingAlgorithms: undefined }), {})).toEqual(expect.stringContaining('ES256'));
  });

  it('requires a verified e-mail address if that is the username', async () => {
    const email = { usernameClaim: 'email' };
    const claims = { email: 'jane@example.com' };
    expect(await outcome(flagged(email), { ...claims, email_verified: true })).toMatchObject({
      username: claims.email,
    });
    expect(await outcome(flagged(email), { ...claims, email_verified: false })).toContain('email not verified');
  });
});
