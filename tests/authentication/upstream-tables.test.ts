import { describe, expect, it } from 'vitest';
import { addAuthenticatedGroup } from '../../src/authentication/authenticated-group.js';
import { rejected, skipped } from '../../src/authentication/authenticator.js';
import { parseServiceAccount, serviceAccountUser } from '../../src/authentication/service-account-user.js';
import {
  bearerTokens,
  commonAudiences,
  readBearerToken,
  tokenAuthenticator,
} from '../../src/authentication/tokens/bearer-token.js';
import { headersOf } from '../../src/meta/request-headers.js';
import { cases, hasSharedData } from '../support/shared-data.js';

/*
 * Tables of the upstream that read headers, tokens and names of accounts. Read elsewhere: bootstrap tokens, request headers,
 * x509 (their own tests), anonymous paths (request-authenticator.test.ts), claims (service-account-token.test.ts).
 *
 * Left out, with reasons
 *   auth-token TestBearerToken, websocket     what its functions answer is not in the table; websocket-token.test.ts has each case
 *   auth-token TestTokenFile                  the file is not in the table; token-file.test.ts has the same one
 *   auth-token TestCachedAuditAnnotations     audit: not part of this server
 *   auth-token makeTokens, TestKeyFunc        names of a benchmark
 *   auth-token TestGroupAdder                 two literals; addAuthenticatedGroup below is the adder in use
 *   auth-serviceaccount of the 1.16 tree      TestClaims, TestTokenGenerateAndValidate, controllers: stale; claims-cases.json is 1.31
 */
describe.skipIf(!hasSharedData)("the upstream's tables (skipped where the shared data is absent)", () => {
  const nobody = tokenAuthenticator('test', () => skipped);
  const somebody = tokenAuthenticator('test', () => ({
    outcome: 'authenticated',
    user: { username: 'myuser' },
    authenticator: 'test',
  }));
  const failing = tokenAuthenticator('test', () => rejected('error'));
  /** The table omits functions. Their results are in the names of the cases. */
  const knowing = (name: string) =>
    name.startsWith('valid bearer token removing') ? somebody : name.startsWith('error') ? failing : nobody;
  const outcomeOf = (ok: boolean, failed: boolean) => (ok ? 'authenticated' : failed ? 'rejected' : 'skipped');

  interface Request {
    readonly Req: { readonly Header?: Readonly<Record<string, readonly string[]>> };
  }
  it.each(cases<Request[]>('auth-token', 'TestAuthenticateRequestIncludingValueAfterToken', 'testCases'))(
    'parses the first word of a header: %j',
    ({ Req }) => expect(readBearerToken(headersOf(Req.Header).get('authorization'))).toBe('token'),
  );

  interface Bearer {
    readonly AuthorizationHeaders: readonly string[] | null;
    readonly ProtocolHeaders?: readonly string[] | null;
    readonly ExpectedUserName: string;
    readonly ExpectedOK: boolean;
    readonly ExpectedErr: boolean;
    readonly ExpectedRecordedWarning?: string;
  }
  const bearers = Object.entries(cases<Record<string, Bearer>>('auth-token', 'TestBearerToken', 'tests'));
  it.each(bearers)('bearer token: %s', async (name, c) => {
    const headers = headersOf({ authorization: c.AuthorizationHeaders ?? [] });
    const result = await bearerTokens('bearer-token', [knowing(name)]).authenticate({ headers });
    expect(result.outcome).toBe(outcomeOf(c.ExpectedOK, c.ExpectedErr));
    if (result.outcome === 'authenticated') expect(result.user.username).toBe(c.ExpectedUserName);
    if (c.ExpectedRecordedWarning) expect(result).toMatchObject({ warnings: [c.ExpectedRecordedWarning] });
  });

  it.each(
    cases<{ auds: string[] | null; tauds: string[] | null; expected: string[] }[]>('auth-token', 'TestIntersect', 'cs'),
  )('audiences $auds and $tauds have $expected', ({ auds, tauds, expected }) =>
    expect(commonAudiences(auds ?? [], tauds ?? [])).toEqual(expected),
  );

  interface Adding {
    readonly name: string;
    readonly inputUser: { readonly Name: string; readonly Groups: readonly string[] };
    readonly expectedUser: { readonly Name: string; readonly Groups: readonly string[] };
  }
  it.each(cases<Adding[]>('auth-token', 'TestAuthenticatedGroupAdder', 'tests'))(
    'groups: $name',
    ({ inputUser, expectedUser }) =>
      expect(addAuthenticatedGroup({ username: inputUser.Name, groups: inputUser.Groups })).toEqual({
        username: expectedUser.Name,
        groups: expectedUser.Groups,
      }),
  );

  interface Named {
    readonly Namespace?: string;
    readonly Name?: string;
    readonly ExpectedErr: boolean;
  }
  const named = Object.entries(cases<Record<string, Named>>('auth-serviceaccount', 'TestMakeUsername', 'testCases'));
  it.each(named)('usernames of ServiceAccounts: %s', (_, { Namespace = '', Name = '', ExpectedErr }) =>
    expect(parseServiceAccount(`system:serviceaccount:${Namespace}:${Name}`)).toEqual(
      ExpectedErr ? undefined : { namespace: Namespace, name: Name },
    ),
  );

  interface Matching {
    readonly Namespace: string;
    readonly Name: string;
    readonly Username: string;
    readonly Expect: boolean;
  }
  it.each(cases<Matching[]>('auth-serviceaccount', 'TestMatchUsername', 'testCases'))(
    '$Username for $Name in $Namespace: $Expect',
    ({ Namespace, Name, Username, Expect }) => {
      const account = parseServiceAccount(Username);
      expect(account?.namespace === Namespace && account.name === Name).toBe(Expect);
    },
  );

  interface Facts {
    readonly info: Readonly<Record<string, string>>;
    readonly expectedUserInfo: {
      readonly Name: string;
      readonly Groups: readonly string[];
      readonly Extra?: Readonly<Record<string, readonly string[]>>;
    };
  }
  const users = Object.entries(cases<Record<string, Facts>>('auth-serviceaccount', 'TestUserInfo', 'tests'));
  it.each(users)('the ServiceAccount username %s', (_, { info, expectedUserInfo: expected }) => {
    // Claims contain the uid of a node only together with its name (claims-cases.json); extra is compared before and after the
    // conversion.
    const { Name = '', Namespace = '', NodeName, NodeUID, PodName, PodUID } = info;
    const extra = {
      'pod-name': PodName,
      'pod-uid': PodUID,
      'node-name': NodeName,
      'node-uid': NodeName && NodeUID,
    };
    expect(serviceAccountUser({ name: Name, namespace: Namespace, uid: '1', extra }, 'kubernetes.io')).toEqual({
      username: expected.Name,
      uid: '1',
      groups: expected.Groups,
      ...(expected.Extra ? { extra: expected.Extra } : {}),
    });
  });
});
