import { describe, expect, it } from 'vitest';
import { serviceAccountTokens } from '../../../src/plugins/service-accounts/service-account-token.js';
import { createTokenIssuer } from '../../../src/tokens/account-tokens.js';
import { bearerCredentials } from '../../support/bearer-credentials.js';
import type { hostWith } from '../../support/hosts.js';
import { base64, object } from '../../support/objects.js';
import { account, ask, countingHost, ISSUER, keys, pem, refusal, told } from './account-issuer.js';

const legacyIssuer = createTokenIssuer({ issuer: 'kubernetes/serviceaccount', key: pem });

describe('tokens in Secrets', () => {
  const claims = {
    sub: 'system:serviceaccount:ns:app',
    'kubernetes.io/serviceaccount/namespace': 'ns',
    'kubernetes.io/serviceaccount/secret.name': 'tok',
    'kubernetes.io/serviceaccount/service-account.name': 'app',
    'kubernetes.io/serviceaccount/service-account.uid': 'u-1',
  };
  const secretOf = (token: string, metadata: object = {}) =>
    object('Secret', { name: 'tok', namespace: 'ns', uid: 'u-5', ...metadata }, { data: { token: base64(token) } });

  it('authenticate the account and do not expire', async () => {
    const token = await legacyIssuer.sign(claims);
    const result = await ask(token, { '/serviceaccounts': [account()], '/secrets': [secretOf(token)] });
    expect(result).toMatchObject({
      outcome: 'authenticated',
      user: { username: 'system:serviceaccount:ns:app', uid: 'u-1' },
    });
    expect(result).not.toHaveProperty('warnings');
  });

  it('are accepted with a warning if the account lists their Secret', async () => {
    const token = await legacyIssuer.sign(claims);
    const objects = { '/serviceaccounts': [account({ secrets: [{ name: 'tok' }] })], '/secrets': [secretOf(token)] };
    expect(await ask(token, objects)).toMatchObject({
      warnings: [expect.stringContaining('instead of auto-generated secret-based tokens.')],
    });
  });

  it.each<[string, object, string]>([
    ['sub', { sub: '' }, 'sub claim is missing'],
    ['namespace', { 'kubernetes.io/serviceaccount/namespace': '' }, 'namespace claim is missing'],
    ['secret', { 'kubernetes.io/serviceaccount/secret.name': undefined }, 'secretName claim is missing'],
    ['name', { 'kubernetes.io/serviceaccount/service-account.name': undefined }, 'serviceAccountName claim is missing'],
    ['uid', { 'kubernetes.io/serviceaccount/service-account.uid': undefined }, 'serviceAccountUID claim is missing'],
    ['another sub', { sub: 'system:serviceaccount:ns:other' }, 'sub claim is invalid'],
  ])('require their claims: %s', async (_name, change, reason) => {
    expect(told(await ask(await legacyIssuer.sign({ ...claims, ...change })))).toBe(refusal(reason));
  });

  it('are invalid after the deletion of their Secret or account', async () => {
    const token = await legacyIssuer.sign(claims);
    const gone = { deletionTimestamp: '2026-11-21T12:00:00Z' };
    const serviceaccounts = [account()];
    const cases: readonly (readonly [Parameters<typeof hostWith>[0], string])[] = [
      [{ '/serviceaccounts': serviceaccounts }, 'Token has been invalidated'],
      [{ '/serviceaccounts': serviceaccounts, '/secrets': [secretOf(token, gone)] }, 'Token has been invalidated'],
      [{ '/serviceaccounts': serviceaccounts, '/secrets': [secretOf('other')] }, "Token does not match server's copy"],
      [{ '/secrets': [secretOf(token)] }, 'serviceaccounts "app" not found'],
      [
        {
          '/serviceaccounts': [object('ServiceAccount', { ...account().metadata, ...gone })],
          '/secrets': [secretOf(token)],
        },
        'ServiceAccount ns/app has been deleted',
      ],
      [
        {
          '/serviceaccounts': [object('ServiceAccount', { ...account().metadata, uid: 'u-2' })],
          '/secrets': [secretOf(token)],
        },
        'ServiceAccount UID (u-2) does not match claim (u-1)',
      ],
    ];
    for (const [objects, reason] of cases) expect(told(await ask(token, objects))).toBe(refusal(reason));
    const marked = secretOf(token, { labels: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' } });
    expect(told(await ask(token, { '/serviceaccounts': serviceaccounts, '/secrets': [marked] }))).toContain(
      'the token in secret ns/tok for service account ns/app has been marked invalid.',
    );
    const { host, counted } = countingHost({ '/serviceaccounts': serviceaccounts, '/secrets': [marked] });
    const result = await serviceAccountTokens({ issuers: [ISSUER], keys })(host).authenticate(bearerCredentials(token));
    expect(result).toMatchObject({
      annotations: {
        'authentication.k8s.io/legacy-token': claims.sub,
        'authentication.k8s.io/legacy-token-invalidated': 'tok/ns',
      },
    });
    expect(counted).toEqual([
      'serviceaccount_legacy_tokens_total',
      'serviceaccount_invalid_legacy_auto_token_uses_total',
    ]);
  });

  it('are not looked up if lookups are switched off', async () => {
    const token = await legacyIssuer.sign(claims);
    expect(await ask(token, {}, undefined, false)).toMatchObject({
      user: { username: 'system:serviceaccount:ns:app' },
    });
  });
});
