import { describe, expect, it } from 'vitest';
import { bootstrapTokens } from '../../../src/plugins/bootstrap-tokens/bootstrap-token.js';
import { runAuthenticatorContract } from '../../../src/testing/authenticator-contract.js';
import { bearerCredentials } from '../../support/bearer-credentials.js';
import { hostWith } from '../../support/hosts.js';
import { object, secretData } from '../../support/objects.js';
import { hasSharedData, readShared } from '../../support/shared-data.js';

const TYPE = 'bootstrap.kubernetes.io/token';
const TOKEN = 'foobar.0123456789abcdef';
const GOOD = { 'token-id': 'foobar', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };

function secretOf(
  data: Readonly<Record<string, string>>,
  { type = TYPE, name = 'bootstrap-token-foobar', metadata = {} } = {},
) {
  return object('Secret', { name, namespace: 'kube-system', ...metadata }, { type, data: secretData(data) });
}
function authenticate(secrets: ReturnType<typeof secretOf>[], token = TOKEN) {
  const host = hostWith({ '/secrets': secrets });
  return { host, answer: bootstrapTokens()(host).authenticate(bearerCredentials(token)) };
}

describe('bootstrap tokens', () => {
  it('authenticate a user of their own', async () => {
    expect(await authenticate([secretOf(GOOD)]).answer).toMatchObject({
      outcome: 'authenticated',
      user: { username: 'system:bootstrap:foobar', groups: ['system:bootstrappers'] },
    });
  });

  it.each([
    ['', ['system:bootstrappers']],
    [
      'system:bootstrappers:foo,system:bootstrappers:bar,system:bootstrappers:bar',
      ['system:bootstrappers', 'system:bootstrappers:bar', 'system:bootstrappers:foo'],
    ],
    ['system:bootstrappers:a:b-c', ['system:bootstrappers', 'system:bootstrappers:a:b-c']],
  ])('are in the groups %j', async (extra, groups) => {
    expect(await authenticate([secretOf({ ...GOOD, 'auth-extra-groups': extra })]).answer).toMatchObject({
      user: { groups },
    });
  });

  it.each([
    'foo',
    'system:masters',
    'system:bootstrappers',
    'system:bootstrappers:',
    'system:bootstrappers:x-',
    'system:bootstrappers:X',
    'system:bootstrappers:a, system:bootstrappers:b',
    'system:bootstrappers:a\n',
  ])('are refused for the group %j', async (extra) => {
    const { answer, host } = authenticate([secretOf({ ...GOOD, 'auth-extra-groups': extra })]);
    expect(await answer).toEqual({ outcome: 'skipped' });
    expect(host.lines[0]).toContain('has invalid value for key auth-extra-groups');
  });

  it.each<[string, ReturnType<typeof secretOf>[], string]>([
    ['a missing Secret', [], 'No secret of name bootstrap-token-foobar to match bootstrap bearer token'],
    [
      'a Secret that is being deleted',
      [secretOf(GOOD, { metadata: { deletionTimestamp: '2026-11-21T12:00:00Z' } })],
      'is deleted and awaiting removal',
    ],
    [
      'a Secret of another type',
      [secretOf(GOOD, { type: 'Opaque' })],
      'has invalid type, expected bootstrap.kubernetes.io/token.',
    ],
    [
      'a Secret with another token secret',
      [secretOf({ ...GOOD, 'token-secret': '0123456789abcdee' })],
      'has invalid value for key token-secret.',
    ],
    [
      'a Secret without a token secret',
      [secretOf({ ...GOOD, 'token-secret': '' })],
      'has invalid value for key token-secret.',
    ],
    [
      'a Secret with another token id',
      [secretOf({ ...GOOD, 'token-id': 'barfoo' })],
      'has invalid value for key token-id.',
    ],
    ['an expired Secret', [secretOf({ ...GOOD, expiration: '2026-11-21T12:00:00Z' })], 'has expired.'],
    [
      'a Secret whose expiry has an offset',
      [secretOf({ ...GOOD, expiration: '2026-11-21T13:59:00+02:00' })],
      'has expired.',
    ],
    ['a Secret whose expiry is not a time', [secretOf({ ...GOOD, expiration: 'soon' })], 'has expired.'],
    [
      'a Secret without the usage',
      [secretOf({ ...GOOD, 'usage-bootstrap-authentication': 'True' })],
      'not marked usage-bootstrap-authentication=true.',
    ],
  ])('are not accepted from %s', async (_name, secrets, line) => {
    const { answer, host } = authenticate(secrets);
    expect(await answer).toEqual({ outcome: 'skipped' });
    expect(host.lines[0]).toContain(line);
  });

  it.each(['2026-11-21T12:00:01Z', '2026-11-21T14:00:01+02:00', ''])('are valid until %j', async (expiration) => {
    expect(await authenticate([secretOf({ ...GOOD, expiration })]).answer).toMatchObject({ outcome: 'authenticated' });
  });

  it.each([
    'foobar.0123456789abcde',
    'FOOBAR.0123456789abcdef',
    'foobar-0123456789abcdef',
    'foobar',
    'foobar.0123456789abcdef\n',
    ' foobar.0123456789abcdef',
    '../..x.0123456789abcdef',
  ])('are not looked up: %j', async (token) => {
    const host = hostWith({ '/secrets': [secretOf(GOOD)] });
    const authenticator = bootstrapTokens()(host);
    expect(
      'authenticateToken' in authenticator &&
        (await (authenticator.authenticateToken as (t: string) => unknown)(token)),
    ).toEqual({ outcome: 'skipped' });
    expect(host.lines).toEqual([]);
  });
});

describe.skipIf(!hasSharedData)('upstream cases (skipped where the shared data is absent)', () => {
  interface Case {
    readonly name: string;
    readonly secrets: readonly {
      readonly ObjectMeta: { readonly Name: string; readonly DeletionTimestamp?: unknown };
      readonly Data: Record<string, string>;
      readonly Type: string;
    }[];
    readonly token: string;
    readonly wantUser?: { readonly Name: string; readonly Groups: readonly string[] };
  }
  const cases: readonly Case[] = readShared('data/k8s-tables/auth-bootstrap-token.json')?.tables[0].cases ?? [];
  it.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, { secrets, token, wantUser }) => {
    const given = secrets.map(({ ObjectMeta, Data, Type }) =>
      secretOf(Data, {
        type: Type,
        name: ObjectMeta.Name,
        metadata: ObjectMeta.DeletionTimestamp ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {},
      }),
    );
    const result = await authenticate(given, token).answer;
    if (wantUser)
      expect(result).toMatchObject({
        outcome: 'authenticated',
        user: { username: wantUser.Name, groups: wantUser.Groups },
      });
    else expect(result.outcome).toBe('skipped');
  });
});

runAuthenticatorContract('bootstrap-token', () => ({
  authenticator: bootstrapTokens()(hostWith({ '/secrets': [secretOf(GOOD)] })),
  good: bearerCredentials(TOKEN),
  user: { username: 'system:bootstrap:foobar' },
  bad: {
    'another secret': bearerCredentials('foobar.aaaaaaaaaaaaaaaa'),
    'another id': bearerCredentials('barfoo.0123456789abcdef'),
  },
  badOutcome: 'skipped',
}));
