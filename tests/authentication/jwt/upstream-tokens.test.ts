import { createPrivateKey, createPublicKey } from 'node:crypto';
import { CompactSign, importPKCS8 } from 'jose';
import { describe, expect, it } from 'vitest';
import { authenticationConfiguration } from '../../../src/authentication/jwt/authentication-configuration.js';
import { loadClaimExpressions } from '../../../src/authentication/jwt/claim-expressions.js';
import { jwtAlgorithms, jwtAuthenticator } from '../../../src/authentication/jwt/jwt-authenticator.js';
import type { DecodedJwt } from '../../../src/authentication/jwt/jwt-configuration.js';
import { validateIssuerUrl } from '../../../src/authentication/jwt/validate-issuer.js';
import { validateJwt } from '../../../src/authentication/jwt/validate-jwt.js';
import { k8s } from '../../../src/meta/dialect.js';
import type { Fetch } from '../../../src/meta/fetch.js';
import { formatFieldErrors } from '../../../src/meta/field-error.js';
import { createCertificateAuthority } from '../../../src/pki/certificate-authority.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';
import { hasSharedData, readShared, readSharedText } from '../../support/shared-data.js';

const DATA = 'data/auth-oidc';

/** Cases that concern only upstream's implementation, with the reason. */
const STALE: Readonly<Record<string, string>> = {
  'client and ca mutually exclusive': 'an argument of its constructor',
  'keyset and discovery URL mutually exclusive': 'an argument of its constructor',
  'health check failure': 'its readiness check, by name look-up',
  'groups-distributed invalid client': 'an HTTP client that is replaced',
};
/** Distributed claims are refused, so none of these tokens has groups, whatever the endpoint returns. */
const DISTRIBUTED = /distributed/;
/** Upstream's test has a key set of its own with other messages than the server. */
const NO_KEY = 'no keys matches jwk keyid';
const OTHER_WORDS = 'failed to verify id token signature';

interface Case {
  readonly name: string;
  readonly options: {
    readonly jwtAuthenticator: DecodedJwt;
    readonly supportedSigningAlgs?: readonly string[];
    readonly disallowedIssuers?: readonly string[];
  };
  readonly signingKey?: { readonly key: string; readonly alg: string; readonly keyID?: string };
  readonly pubKeys?: readonly { readonly key: string; readonly alg: string; readonly keyID?: string }[];
  readonly claims?: string;
  readonly openIDConfig?: string;
  readonly want?: {
    readonly name?: string;
    readonly groups?: string[];
    readonly uid?: string;
    readonly extra?: object;
  };
  readonly wantErr?: string;
  readonly wantInitErr?: string;
  readonly wantSkip?: boolean;
}

const SERVER = 'https://127.0.0.1:8443';
const fill = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value).replaceAll('{{.URL}}', SERVER).replaceAll('{{.Expired}}', '2009-11-10 22:00:00 +0000 UTC'),
  );

const cases: readonly Case[] = fill(readShared(`${DATA}/oidc-token-cases.json`, { cases: [] }).cases);
const pem = (file: string) => readSharedText(`${DATA}/${file}`);

async function signed({ signingKey, claims = '' }: Case): Promise<string> {
  if (!signingKey) throw new Error('nothing to sign with');
  const pkcs8 = createPrivateKey(pem(signingKey.key)).export({ format: 'pem', type: 'pkcs8' }) as string;
  const key = await importPKCS8(pkcs8, signingKey.alg);
  const header = { alg: signingKey.alg, ...(signingKey.keyID ? { kid: signingKey.keyID } : {}) };
  return await new CompactSign(new TextEncoder().encode(claims)).setProtectedHeader(header).sign(key);
}

function fetchOf({ pubKeys = [], openIDConfig, options }: Case): Fetch {
  const keys = pubKeys.map(({ key, keyID = '' }) => ({
    ...createPublicKey(pem(key)).export({ format: 'jwk' }),
    ...(keyID ? { kid: keyID } : {}),
  }));
  const document =
    openIDConfig ?? JSON.stringify({ issuer: options.jwtAuthenticator.issuer.url, jwks_uri: `${SERVER}/keys` });
  return async (url) =>
    /keys$/.test(url)
      ? Response.json({ keys })
      : new Response(document, { headers: { 'content-type': 'application/json' } });
}

async function check(one: Case): Promise<{ readonly initError?: string; readonly result?: unknown }> {
  const { jwtAuthenticator: entry, supportedSigningAlgs: algorithms = ['RS256'], disallowedIssuers = [] } = one.options;
  const unknown = algorithms.find((each) => !jwtAlgorithms.includes(each));
  if (unknown !== undefined) return { initError: `oidc: unsupported signing alg: "${unknown}"` };
  const expressions = await loadClaimExpressions(k8s);
  const { groups = {}, uid = {} }: Partial<DecodedJwt['claimMappings']> = entry.claimMappings;
  const jwt = { ...entry, claimMappings: { ...entry.claimMappings, groups, uid } };
  const errors = [
    ...validateIssuerUrl(jwt.issuer.url, 'issuer.url', disallowedIssuers).filter(() => disallowedIssuers.length > 0),
    ...validateJwt(jwt, 'x', [], expressions),
  ];
  if (errors.length > 0) return { initError: formatFieldErrors(errors).replace(/^x\./, '') };
  const host = createFakeHost({ start: '2009-11-10T23:00:00Z', fetch: fetchOf(one) });
  const authenticator = jwtAuthenticator({ jwt, expressions, algorithms }, host);
  return { result: await authenticator.authenticateToken(await signed(one), undefined) };
}

describe.skipIf(!hasSharedData)('tokens have the same result as upstream', () => {
  const live = cases.filter(({ name }) => !(name in STALE));

  it.each(live.map((one) => [one.name, one] as const))('%s', async (name, one) => {
    const { initError, result } = await check(one);
    if (one.wantInitErr !== undefined) {
      expect(initError).toBe(one.wantInitErr);
      return;
    }
    expect(initError).toBeUndefined();
    if (one.wantSkip) expect(result).toMatchObject({ outcome: 'skipped' });
    else if (
      DISTRIBUTED.test(name) &&
      !/normal-claim-wins|malformed-(?:claim-names|names)/.test(name) &&
      !one.claims?.includes('"JWT"')
    )
      expect(result).toMatchObject({
        outcome: 'rejected',
        error: { message: expect.stringContaining('which is not supported') },
      });
    else if (one.wantErr !== undefined)
      expect(result).toMatchObject({
        outcome: 'rejected',
        error: { message: one.wantErr.replace(NO_KEY, OTHER_WORDS) },
      });
    else {
      const { name: username = '', ...rest } = one.want ?? {};
      expect(result).toMatchObject({ outcome: 'authenticated', user: { username, ...rest } });
    }
  });

  it('names the cases that are left out', () => {
    expect(Object.keys(STALE).filter((name) => !cases.some((one) => one.name === name))).toEqual([]);
  });
});

const tables: Readonly<Record<string, readonly Validation[]>> = readShared(
  `${DATA}/authentication-authorization-config-cases.json`,
  { tables: {} },
).tables;
// biome-ignore lint/suspicious/noExplicitAny: the tables have many shapes
type Validation = any;
const tableOf = (name: string) =>
  (tables[`validation:${name}`] ?? [])
    // The gate StructuredAuthenticationConfiguration concerns files, which are not read without it.
    .filter(({ structuredAuthnFeatureEnabled }) => structuredAuthnFeatureEnabled !== false)
    .map((one) => [one.name, one] as const);

/** Returns the complete configuration of an issuer that contains one member under test. */
const around = (part: Partial<DecodedJwt>): DecodedJwt => ({
  issuer: { url: 'https://issuer-url', audiences: ['audience'] },
  ...part,
  claimMappings: { username: { claim: 'sub', prefix: '' }, groups: {}, uid: {}, ...part.claimMappings },
});
const problemsOf = async (part: Partial<DecodedJwt>, disallowed: readonly string[] = []) => {
  const errors = validateJwt(around(part), 'x', disallowed, await loadClaimExpressions(k8s));
  return errors.length === 0 ? '' : formatFieldErrors(errors);
};
const placed = (want: string) => want.replaceAll('issuer.claim', 'x.claim').replaceAll('issuer.user', 'x.user');

describe.skipIf(!hasSharedData)('configurations have the same result as upstream', () => {
  it.each(tableOf('TestValidateAuthenticationConfiguration.testCases'))('%s', async (_, one) => {
    const { jWT: jwt, ...rest } = one.in;
    const read = authenticationConfiguration({ ...(jwt ? { jwt } : {}), ...rest }, { dialect: 'k8s' });
    if (one.want === '') await expect(read).resolves.toBeDefined();
    else if (!one.disallowedIssuers) await expect(read).rejects.toThrow(one.want);
    else {
      const live = await read;
      expect(live.authentication).toHaveLength(1);
      expect(await problemsOf(jwt[0], one.disallowedIssuers)).toBe(one.want.replaceAll('jwt[0]', 'x'));
    }
  });

  it.each(tableOf('TestValidateIssuerURL.testCases'))('issuer: %s', async (_, one) => {
    const disallowed = one.disallowedIssuers?.$set ?? [];
    expect(await problemsOf({ issuer: { url: one.in, audiences: ['a'] } }, disallowed)).toBe(
      one.want.replace('issuer', 'x.issuer'),
    );
  });

  it.each(tableOf('TestValidateIssuerDiscoveryURL.testCases'))('discovery: %s', async (_, one) => {
    const { issuerURL: url = 'https://issuer-url', in: discoveryURL } = one;
    expect(await problemsOf({ issuer: { url, discoveryURL, audiences: ['a'] } })).toBe(
      one.want.replace('issuer', 'x.issuer'),
    );
  });

  it.each(tableOf('TestValidateAudiences.testCases'))('%s', async (_, one) => {
    const issuer = { url: 'https://issuer-url', audiences: one.in, audienceMatchPolicy: one.matchPolicy ?? '' };
    expect(await problemsOf({ issuer })).toBe(one.want.replaceAll('issuer.audience', 'x.issuer.audience'));
  });

  it.each(tableOf('TestValidateClaimValidationRules.testCases'))('claims: %s', async (_, one) => {
    expect(await problemsOf({ claimValidationRules: one.in })).toBe(placed(one.want));
  });

  it.each(tableOf('TestValidateClaimMappings.testCases'))('mappings: %s', async (_, one) => {
    const rules = one.usesEmailVerifiedClaim ? [{ expression: 'claims.email_verified == true' }] : [];
    const claimMappings = { groups: {}, uid: {}, ...one.in };
    expect(await problemsOf({ claimMappings, claimValidationRules: rules })).toBe(placed(one.want));
  });

  it.each(tableOf('TestValidateUserValidationRules.testCases'))('users: %s', async (_, one) => {
    expect(await problemsOf({ userValidationRules: one.in.map((rule: object) => ({ expression: '', ...rule })) })).toBe(
      placed(one.want),
    );
  });

  const compiled = ['TestCompileClaimsExpressionError', 'TestCompileUserExpressionError'].flatMap((name) =>
    (tables[`cel:${name}.testCases`] ?? []).map((one: Validation) => [one.name, one, name] as const),
  );
  it.each(compiled)('expressions: %s', async (name, { expressionAccessors: [{ expression }], wantErr }, group) => {
    const expressions = await loadClaimExpressions(k8s);
    // Rules for one variable are also tried with the other, and mappings as rules.
    const table = group.includes('Claims') ? expressions.claimRule : expressions.userRule;
    const use = name === 'invalid ClaimMappingCondition' ? expressions.mapping : table;
    expect(() => use(expression)).toThrow(wantErr);
  });

  const valid = ['TestCompileClaimsExpression', 'TestCompileUserExpression'].flatMap((name) =>
    (tables[`cel:${name}.testCases`] ?? []).map((one: Validation) => [one.name, one] as const),
  );
  it.each(valid)('expressions: %s', async (name, { expressionAccessors: [{ expression }] }) => {
    const expressions = await loadClaimExpressions(k8s);
    const use = name.includes('User')
      ? expressions.userRule
      : name.includes('Rule') || name.includes('Validation')
        ? expressions.claimRule
        : expressions.mapping;
    expect(() => use(expression)).not.toThrow();
  });

  // Upstream creates these inputs in code. The same is true of TestUnmarshalClaim, which tests only upstream's decoder.
  it.each(tableOf('TestValidateCertificateAuthority.testCases'))('authority: %s', async (name, { want }) => {
    const { certificate } = await createCertificateAuthority({ commonName: 'a' });
    const certificateAuthority = name.startsWith('invalid') ? 'invalid' : name.includes('empty') ? '' : certificate;
    const issuer = { url: 'https://issuer-url', audiences: ['a'], certificateAuthority };
    expect(await problemsOf({ issuer })).toBe(want.replace('issuer', 'x.issuer'));
  });
});
