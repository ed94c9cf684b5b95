import { beforeAll, describe, expect, it } from 'vitest';
import { extraKey, type RequestHeaderOptions, requestHeader } from '../../src/authentication/request-header.js';
import { headersOf } from '../../src/meta/request-headers.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../../src/pki/certificate-authority.js';
import { decodePem } from '../../src/pki/pem.js';
import { runAuthenticatorContract } from '../../src/testing/authenticator-contract.js';
import { fakeHost } from '../support/hosts.js';
import { hasSharedData, readShared } from '../support/shared-data.js';

const now = Date.parse('2026-11-21T12:00:00Z');
let authority: KeyPair;
let chains: Record<'proxy' | 'other' | 'stranger' | 'server', readonly Uint8Array[]>;
const chainOf = (pem: string) => decodePem(pem).map(({ bytes }) => bytes);

beforeAll(async () => {
  authority = await createCertificateAuthority({ commonName: 'proxies', now });
  const foreign = await createCertificateAuthority({ commonName: 'foreign', now });
  const issue = async (from: KeyPair, commonName: string, usage: 'clientAuth' | 'serverAuth' = 'clientAuth') =>
    chainOf((await issueCertificate(from, { commonName, now, usages: [usage] })).certificate);
  chains = {
    proxy: await issue(authority, 'front-proxy'),
    other: await issue(authority, 'someone-else'),
    stranger: await issue(foreign, 'front-proxy'),
    server: await issue(authority, 'front-proxy', 'serverAuth'),
  };
});

const STANDARD = {
  usernameHeaders: ['X-Remote-User'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
} as const;

function authenticate(
  headers: Readonly<Record<string, string | readonly string[]>>,
  options: Partial<RequestHeaderOptions> = {},
  chain: readonly Uint8Array[] | undefined = chains.proxy,
) {
  const authenticator = requestHeader({ clientCA: authority.certificate, ...STANDARD, ...options })(fakeHost());
  return authenticator.authenticate({ headers: headersOf(headers), ...(chain ? { peerCertificates: chain } : {}) });
}

describe('an authenticating proxy', () => {
  it('provides user, groups and extra', async () => {
    const headers = {
      'X-Remote-User': 'pat',
      'X-Remote-Group': ['one', '', 'two'],
      'X-Remote-Extra-Acme%2Fteam': ['a', 'b'],
    };
    expect(await authenticate(headers)).toMatchObject({
      outcome: 'authenticated',
      user: { username: 'pat', groups: ['one', 'two'], extra: { 'acme/team': ['a', 'b'] } },
    });
  });

  it('is ignored without a certificate of the CA', async () => {
    const headers = { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' };
    expect(await authenticate(headers, {}, [])).toEqual({ outcome: 'skipped' });
    for (const chain of [chains.stranger, chains.server])
      expect(await authenticate(headers, {}, chain)).toMatchObject({ outcome: 'rejected' });
  });

  it('must have an allowed common name if names are configured', async () => {
    const headers = { 'X-Remote-User': 'pat' };
    expect(await authenticate(headers, { allowedNames: ['front-proxy'] })).toMatchObject({ outcome: 'authenticated' });
    expect(await authenticate(headers, { allowedNames: ['front-proxy'] }, chains.other)).toMatchObject({
      outcome: 'rejected',
      error: { message: 'x509: subject with cn=someone-else is not in the allowed list' },
    });
    expect(await authenticate(headers, { allowedNames: [] }, chains.other)).toMatchObject({ outcome: 'authenticated' });
  });

  it('is ignored without a user', async () => {
    expect(await authenticate({ 'X-Remote-Group': 'system:masters' })).toEqual({ outcome: 'skipped' });
    expect(await authenticate({ 'X-Remote-User': '' })).toEqual({ outcome: 'skipped' });
    expect(await authenticate({ 'X-Remote-User': 'pat' }, { usernameHeaders: [] })).toEqual({ outcome: 'skipped' });
  });

  it('keeps unusual keys unchanged', async () => {
    const result = await authenticate({
      'X-Remote-User': 'pat',
      'x-remote-extra-__proto__': 'x',
      'x-remote-extra-constructor': 'y',
    });
    const extra = result.outcome === 'authenticated' ? result.user.extra : undefined;
    expect(Object.keys(extra ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it('requires a CA', () => {
    expect(() => requestHeader({ clientCA: '', ...STANDARD })(fakeHost())).toThrow(
      'missing content for CA bundle "request-header-ca"',
    );
  });
});

describe.skipIf(!hasSharedData)('upstream cases (skipped where the shared data is absent)', () => {
  interface Case {
    readonly nameHeaders?: readonly string[];
    readonly groupHeaders?: readonly string[];
    readonly extraPrefixHeaders?: readonly string[];
    readonly requestHeaders?: Readonly<Record<string, readonly string[]>>;
    readonly expectedUser?: { readonly Name: string; readonly Groups: readonly string[]; readonly Extra: object };
    readonly expectedOk?: boolean;
  }
  const cases: Readonly<Record<string, Case>> =
    readShared('data/k8s-tables/auth-requestheader.json')?.tables[0].cases ?? {};
  it.each(Object.entries(cases))(
    '%s',
    async (_name, {
      nameHeaders = [],
      groupHeaders = [],
      extraPrefixHeaders = [],
      requestHeaders = {},
      expectedUser,
    }) => {
      const result = await authenticate(requestHeaders, {
        usernameHeaders: nameHeaders,
        groupHeaders,
        extraHeaderPrefixes: extraPrefixHeaders,
      });
      if (!expectedUser) expect(result.outcome).toBe('skipped');
      else
        expect(result).toMatchObject({
          outcome: 'authenticated',
          user: { username: expectedUser.Name, groups: expectedUser.Groups, extra: expectedUser.Extra },
        });
    },
  );
});

runAuthenticatorContract('request-header', () => ({
  authenticator: requestHeader({ clientCA: authority.certificate, ...STANDARD })(fakeHost()),
  good: { headers: headersOf({ 'X-Remote-User': 'pat' }), peerCertificates: chains.proxy },
  user: { username: 'pat' },
  bad: { stranger: { headers: headersOf({ 'X-Remote-User': 'pat' }), peerCertificates: chains.stranger } },
}));

it.each([
  ['Scopes', 'scopes'],
  ['%50urpose', 'Purpose'],
  ['Acme.com%2FProject', 'acme.com/project'],
  ['100%', '100%'],
  ['A%FFb', 'a\uFFFDb'],
])('the key of extra that the header %s sets is %s (spec 11.12)', (sent, key) => {
  expect(extraKey(sent)).toBe(key);
});
