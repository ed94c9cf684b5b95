import { describe, expect, it } from 'vitest';
import { parseServiceAccount } from '../../../src/authentication/service-account-user.js';
import { featureGates } from '../../../src/meta/features/feature-gates.js';
import { generateKey } from '../../../src/pki/private-key.js';
import { serviceAccountTokens } from '../../../src/plugins/service-accounts/service-account-token.js';
import { runAuthenticatorContract } from '../../../src/testing/authenticator-contract.js';
import { createTokenIssuer } from '../../../src/tokens/account-tokens.js';
import { bearerCredentials } from '../../support/bearer-credentials.js';
import { hostWith } from '../../support/hosts.js';
import { object } from '../../support/objects.js';
import { hasSharedData, readShared } from '../../support/shared-data.js';
import { account, ask, countingHost, ISSUER, issuer, keys, refusal, START, told } from './account-issuer.js';

const NOW = Date.parse(START) / 1000;
const good = (bound: object = {}) => ({
  sub: 'system:serviceaccount:ns:app',
  aud: [ISSUER],
  jti: 'id-1',
  exp: NOW + 3600,
  iat: NOW,
  nbf: NOW,
  'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'app', uid: 'u-1' }, ...bound },
});

const ODD_TIME = 'square/go-jose/jwt: expected number value to unmarshal NumericDate';
const ODD_AUDIENCE = 'square/go-jose/jwt: expected string or array value to unmarshal to Audience';
const cannot = (kind: string, type: string) => `json: cannot unmarshal ${kind} into Go value of type ${type}`;

describe('tokens of the token endpoint', () => {
  it('authenticate the account', async () => {
    expect(await ask(await issuer.sign(good()))).toMatchObject({
      outcome: 'authenticated',
      audiences: [ISSUER],
      user: {
        username: 'system:serviceaccount:ns:app',
        uid: 'u-1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
        extra: { 'authentication.kubernetes.io/credential-id': ['JTI=id-1'] },
      },
    });
  });

  it('name the objects that they are bound to', async () => {
    const objects = {
      '/serviceaccounts': [account()],
      '/pods': [object('Pod', { name: 'p', namespace: 'ns', uid: 'u-2' })],
      '/nodes': [object('Node', { name: 'n', uid: 'u-3' })],
    };
    const pod = await ask(
      await issuer.sign(good({ pod: { name: 'p', uid: 'u-2' }, node: { name: 'gone', uid: 'u-9' } })),
      objects,
    );
    expect(pod).toMatchObject({
      user: {
        extra: {
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['u-2'],
          'authentication.kubernetes.io/node-name': ['gone'],
          'authentication.kubernetes.io/node-uid': ['u-9'],
        },
      },
    });
    const node = await ask(await issuer.sign(good({ node: { name: 'n', uid: 'u-3' } })), objects);
    expect(node).toMatchObject({ user: { extra: { 'authentication.kubernetes.io/node-uid': ['u-3'] } } });
    expect(told(await ask(await issuer.sign(good({ node: { name: 'n', uid: 'u-4' } })), objects))).toBe(
      refusal('node UID (u-3) does not match service account node ref claim (u-4)'),
    );
  });

  it.each<[string, object, string]>([
    ['they have expired', { exp: NOW - 61 }, 'service account token has expired'],
    ['they are not valid yet', { nbf: NOW + 61 }, 'service account token is not valid yet'],
    ['they are issued in the future', { iat: NOW + 61 }, 'service account token is issued in the future'],
    [
      'they are for other audiences',
      { aud: ['x', 'y'] },
      `token audiences ["x" "y"] is invalid for the target audiences ["${ISSUER}"]`,
    ],
    ['they lack private claims', { 'kubernetes.io': undefined }, 'resource name may not be empty'],
    ['their private claims are not an object', { 'kubernetes.io': 'x' }, cannot('string', 'serviceaccount.kubernetes')],
    ['their namespace is not a string', { 'kubernetes.io': { namespace: 1 } }, cannot('number', 'string')],
    [
      'their account is not an object',
      { 'kubernetes.io': { serviceaccount: ['app'] } },
      cannot('array', 'serviceaccount.ref'),
    ],
    [
      'their subject is not a string, before their private claims',
      { sub: false, 'kubernetes.io': 'x' },
      cannot('bool', 'string'),
    ],
    ['their expiry is not a number, before their id', { jti: {}, exp: 'never' }, ODD_TIME],
    ['their expiry is not a number', { exp: 'never' }, ODD_TIME],
    ['their warnafter is not a number', { 'kubernetes.io': { warnafter: true } }, ODD_TIME],
    ['their audience is not a string', { aud: [1] }, ODD_AUDIENCE],
    ['their audiences are null', { aud: null }, ODD_AUDIENCE],
    ['their id is not a string, before their audiences', { aud: ['x'], jti: [] }, cannot('array', 'string')],
    [
      'their namespace is not a valid name',
      { 'kubernetes.io': { namespace: '..', serviceaccount: { name: 'a/b%', uid: 'u' } } },
      `invalid namespace "..": [may not be '..']`,
    ],
    [
      'their account is not a valid name',
      { 'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'a/b%', uid: 'u' } } },
      `invalid resource name "a/b%": [may not contain '/' may not contain '%']`,
    ],
    [
      'their account has no namespace',
      { 'kubernetes.io': { serviceaccount: { name: 'app', uid: 'u' } } },
      'an empty namespace may not be set when a resource name is provided',
    ],
    [
      'their account does not exist',
      { 'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'x', uid: 'u' } } },
      'serviceaccounts "x" not found',
    ],
  ])('are refused if %s', async (_name, change, reason) => {
    expect(told(await ask(await issuer.sign({ ...good(), ...change })))).toBe(refusal(reason));
  });

  it.each<[string, object]>([
    ['within the leeway', { exp: NOW - 60, nbf: NOW + 60, iat: NOW + 60 }],
    ['without an expiry', { exp: undefined }],
    ['without an audience', { aud: undefined }],
    ['with one audience as a string', { aud: ISSUER }],
    ['with any subject', { sub: 'system:masters' }],
  ])('are accepted %s', async (_name, change) => {
    expect(await ask(await issuer.sign({ ...good(), ...change }))).toMatchObject({
      user: { username: 'system:serviceaccount:ns:app' },
    });
  });

  it('are accepted for the requested audiences, in the requested order', async () => {
    const token = await issuer.sign({ ...good(), aud: ['a', 'b', 'c'] });
    expect(await ask(token, undefined, ['b', 'x', 'a', 'a'])).toMatchObject({ audiences: ['b', 'a', 'a'] });
    expect(told(await ask(token, undefined, ['x']))).toBe(
      refusal('token audiences ["a" "b" "c"] is invalid for the target audiences ["x"]'),
    );
    expect(told(await ask(await issuer.sign({ ...good(), aud: [] }), undefined, ['vault']))).toBe(
      refusal(`token audiences ["${ISSUER}"] is invalid for the target audiences ["vault"]`),
    );
  });

  it('have no credential id while its gate is off', async () => {
    const host = {
      ...hostWith({ '/serviceaccounts': [account()] }, START),
      gates: featureGates({ ServiceAccountTokenJTI: false }),
    };
    const result = await serviceAccountTokens({ issuers: [ISSUER], keys })(host).authenticate(
      bearerCredentials(await issuer.sign(good())),
    );
    expect(result).toMatchObject({ user: { username: 'system:serviceaccount:ns:app' } });
    expect(result).not.toHaveProperty('user.extra');
  });

  it('record how many seconds ago they should have been refreshed', async () => {
    const member = serviceAccountTokens({ issuers: [ISSUER], keys })(
      hostWith({ '/serviceaccounts': [account()] }, '2026-11-21T12:00:10.900Z'),
    );
    const stale = (seconds: number) =>
      `subject: system:serviceaccount:ns:app, seconds after warning threshold: ${seconds}`;
    for (const [warnafter, annotations] of [
      [NOW + 8, { 'authentication.k8s.io/stale-token': stale(2) }],
      [NOW + 10, { 'authentication.k8s.io/stale-token': stale(0) }],
      [NOW + 11, undefined],
    ] as const) {
      const token = await issuer.sign(good({ warnafter }));
      const result = await member.authenticate(bearerCredentials(token));
      expect(result).toMatchObject({ outcome: 'authenticated', ...(annotations ? { annotations } : {}) });
      expect('annotations' in result).toBe(annotations !== undefined);
    }
  });

  it('are counted as valid or stale only with an extended lifetime, and as legacy without an audience', async () => {
    const { host, counted } = countingHost({ '/serviceaccounts': [account()] });
    const member = serviceAccountTokens({ issuers: [ISSUER], keys })(host);
    for (const claims of [
      good(),
      good({ warnafter: NOW + 1 }),
      good({ warnafter: NOW - 1 }),
      { ...good(), aud: [] },
      { ...good(), aud: [], exp: NOW - 100 },
    ])
      await member.authenticate(bearerCredentials(await issuer.sign(claims)));
    expect(counted).toEqual([
      'serviceaccount_valid_tokens_total',
      'serviceaccount_stale_tokens_total',
      'serviceaccount_legacy_tokens_total',
      'serviceaccount_legacy_tokens_total',
    ]);
  });

  it('without an audience are annotated even if they are refused', async () => {
    const token = await issuer.sign({ ...good(), aud: [], sub: undefined, exp: NOW - 100 });
    expect(await ask(token)).toMatchObject({
      outcome: 'rejected',
      annotations: { 'authentication.k8s.io/legacy-token': '' },
    });
  });

  it('are verified synchronously in Node if the keys are known', async () => {
    const [own] = await keys();
    const host = hostWith({ '/serviceaccounts': [account()] }, START);
    const member = serviceAccountTokens({ issuers: [ISSUER], keys: () => (own ? [own] : []) })(host);
    const [valid, expired] = [await issuer.sign(good()), await issuer.sign({ ...good(), exp: NOW - 100 })];
    expect(member.authenticate(bearerCredentials(valid))).toMatchObject({ outcome: 'authenticated' });
    expect(member.authenticate(bearerCredentials(expired))).toMatchObject({ outcome: 'rejected' });
    expect(member.authenticate(bearerCredentials(`${valid.slice(0, -4)}AAAA`))).toMatchObject({ outcome: 'rejected' });
  });

  it('of other issuers are ignored', async () => {
    for (const iss of ['https://other', '', undefined, 7]) {
      const token = await issuer.sign({ ...good(), iss });
      expect(told(await ask(token))).toBe('invalid bearer token');
    }
  });

  it('must be signed by the issuer', async () => {
    const stranger = createTokenIssuer({ issuer: ISSUER, key: (await generateKey()).pem });
    expect(told(await ask(await stranger.sign(good())))).toBe(refusal('invalid signature, no keys found'));
    const { kid } = await issuer.key();
    const forger = createTokenIssuer({ issuer: ISSUER, key: (await generateKey()).pem, kid });
    expect(told(await ask(await forger.sign(good())))).toBe(
      refusal('square/go-jose: error in cryptographic primitive'),
    );
  });
});

describe('parseServiceAccount', () => {
  it.each([
    ['system:serviceaccount:foo:bar', { namespace: 'foo', name: 'bar' }],
    ['system:serviceaccount:foo:bar.x', { namespace: 'foo', name: 'bar.x' }],
    ['system:serviceaccount:', undefined],
    ['system:serviceaccount:foo', undefined],
    ['system:serviceaccount:foo:', undefined],
    ['system:serviceaccount::bar', undefined],
    ['system:serviceaccount:foo:bar:baz', undefined],
    ['system:serviceaccount:Foo:bar', undefined],
    ['system:serviceaccount:foo :bar', undefined],
    ['System:serviceaccount:foo:bar', undefined],
    ['foo:bar', undefined],
    ['', undefined],
  ])('%j', (username, expected) => expect(parseServiceAccount(username)).toEqual(expected));
});

describe.skipIf(!hasSharedData)('upstream cases (skipped where the shared data is absent)', () => {
  interface Facts {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly deletionTimestamp?: number;
  }
  interface Case {
    readonly name: string;
    readonly objects: { readonly sa?: Facts; readonly secret?: Facts; readonly pod?: Facts };
    readonly claims: object;
    readonly error: string;
    readonly exp?: number;
    readonly nbf?: number;
    readonly now: number;
  }
  const cases: readonly Case[] = readShared('data/serviceaccount-token/claims-cases.json', { validate: [] }).validate;
  const made = (kind: string, facts: Facts | undefined) =>
    facts
      ? [
          object(kind, {
            ...facts,
            deletionTimestamp: undefined,
            ...(facts.deletionTimestamp
              ? { deletionTimestamp: new Date(facts.deletionTimestamp * 1000).toISOString() }
              : {}),
          } as never),
        ]
      : [];

  it.each(cases.map((each) => [each.name, each] as const))(
    '%s',
    async (_name, { objects, claims, error, exp, nbf, now }) => {
      const host = hostWith(
        {
          '/serviceaccounts': made('ServiceAccount', objects.sa),
          '/secrets': made('Secret', objects.secret),
          '/pods': made('Pod', objects.pod),
        },
        new Date(now * 1000).toISOString(),
      );
      const token = await issuer.sign({
        ...(exp === undefined ? {} : { exp }),
        ...(nbf === undefined ? {} : { nbf }),
        'kubernetes.io': claims,
      });
      const result = await serviceAccountTokens({ issuers: [ISSUER], keys })(host).authenticate(
        bearerCredentials(token),
      );
      expect(told(result)).toBe(error === '' ? 'authenticated' : error);
    },
  );
});

runAuthenticatorContract('service-account-token', async () => ({
  authenticator: serviceAccountTokens({ issuers: [ISSUER], keys })(
    hostWith({ '/serviceaccounts': [account()] }, START),
  ),
  good: bearerCredentials(await issuer.sign(good())),
  user: { username: 'system:serviceaccount:ns:app' },
  bad: { expired: bearerCredentials(await issuer.sign({ ...good(), exp: NOW - 100 })) },
}));
