import { bearerTokens, readBearerToken, tokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import { readCsv } from '../../../src/authentication/tokens/csv.js';
import { cachedTokens } from '../../../src/authentication/tokens/token-cache.js';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { bootstrapTokens } from '../../../src/plugins/bootstrap-tokens/bootstrap-token.js';
import { readTokenClaims } from '../../../src/plugins/service-accounts/token-claims.js';
import { bearerCredentials } from '../../support/bearer-credentials.js';
import { fakeHost, hostWith } from '../../support/hosts.js';
import { object, secretData } from '../../support/objects.js';
import type { GrowthRow } from './measure.js';

const row = (name: string, n: number, prepare: GrowthRow['prepare']): GrowthRow => ({ name, n, prepare });
const csv = (name: string, n: number, text: (n: number) => string) =>
  row(`a CSV of tokens: ${name}`, n, (size) => {
    const given = text(size);
    return () => [...readCsv(given)];
  });

/** A host with the Secret of a bootstrap token that has `n` groups. */
function bootstrapHost(n: number) {
  const groups = Array.from({ length: n }, (_, i) => `system:bootstrappers:g${i}`).join();
  const data = secretData({
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': groups,
  });
  const metadata = { name: 'bootstrap-token-abcdef', namespace: 'kube-system' };
  return hostWith({ '/secrets': [object('Secret', metadata, { type: 'bootstrap.kubernetes.io/token', data })] });
}

export const rows: readonly GrowthRow[] = [
  row('the Authorization header: spaces', 200_000, (n) => {
    const authorization = `Bearer${' '.repeat(n)}x${' '.repeat(n)}`;
    return () => readBearerToken(authorization);
  }),
  row('a bearer token of any length, asked of all', 500_000, (n) => {
    const host = fakeHost();
    const members = [tokenFile('a,b,c')(host), bootstrapTokens()(host)] as ReturnType<typeof tokenAuthenticator>[];
    const tokens = cachedTokens(bearerTokens('tokens', members), host);
    const credentials = bearerCredentials('x'.repeat(n));
    return () => tokens.authenticate(credentials);
  }),
  row('a bootstrap token with many groups', 2_000, (n) => {
    const authenticator = bootstrapTokens()(bootstrapHost(n));
    const credentials = bearerCredentials('abcdef.0123456789abcdef');
    return () => authenticator.authenticate(credentials);
  }),
  row('what looks like a bootstrap token', 500_000, (n) => {
    const authenticator = bootstrapTokens()(fakeHost());
    const credentials = bearerCredentials(`abcdef.${'0'.repeat(n)}`);
    return () => authenticator.authenticate(credentials);
  }),
  row('claims with many audiences', 50_000, (n) => {
    const claims = { iss: 'i', aud: Array.from({ length: n }, (_, i) => `a${i}`) };
    return () => readTokenClaims(claims, 'kubernetes.io');
  }),
  row('a token file of many rows', 2_000, (n) => {
    const text = Array.from({ length: n }, (_, i) => `token${i},user${i},${i},"a,b"`).join('\n');
    return () => tokenFile(text)(fakeHost());
  }),
  csv('many rows', 10_000, (n) => 'token,user,uid,"a,b"\n'.repeat(n)),
  csv('many columns', 50_000, (n) => 'a,'.repeat(n)),
  csv('doubled quotes', 50_000, (n) => `"${'""'.repeat(n)}",b,c`),
  csv('lines in quotes', 50_000, (n) => `"${'\r\n'.repeat(n)}",b,c`),
  csv('a quote that never ends', 10_000, (n) => `"${'x'.repeat(n)}`),
  csv('empty lines', 100_000, (n) => '\r\n'.repeat(n)),
  row('tokens that are forgotten with their account', 2_000, async (n) => {
    const changes: ((next: ApiObject | undefined, previous: ApiObject | undefined) => void)[] = [];
    const lister = {
      ...fakeHost().lister('', ''),
      onChange: (callback: (typeof changes)[0]) => changes.push(callback),
    };
    const host = { ...fakeHost(), lister: () => lister as never };
    const basis = [{ group: '', resource: 'serviceaccounts', namespace: 'n', name: 'a' }];
    const cache = cachedTokens(
      tokenAuthenticator('all', () => ({ outcome: 'authenticated', user: { username: 'u' }, basis })),
      host,
    );
    const account = { metadata: { namespace: 'n', name: 'a', uid: '1' } } as ApiObject;
    return async () => {
      for (let i = 0; i < n; i++) await cache.authenticateToken(`${i}`, undefined);
      for (const change of changes) change(undefined, account);
    };
  }),
  row('changes that concern no token', 2_000, async (n) => {
    const changes: ((next: ApiObject | undefined, previous: ApiObject | undefined) => void)[] = [];
    const lister = {
      ...fakeHost().lister('', ''),
      onChange: (callback: (typeof changes)[0]) => changes.push(callback),
    };
    const basis = [{ group: '', resource: 'pods', namespace: 'n', name: 'a' }];
    const cache = cachedTokens(
      tokenAuthenticator('all', () => ({ outcome: 'authenticated', user: { username: 'u' }, basis })),
      { ...fakeHost(), lister: () => lister as never },
    );
    // There are as many tokens as changes. If each change examined each token, the work would grow with the square of n.
    for (let i = 0; i < n; i++) await cache.authenticateToken(`${i}`, undefined);
    const other = { metadata: { namespace: 'n', name: 'b', uid: '1' } } as ApiObject;
    return () => {
      for (let i = 0; i < n; i++) for (const change of changes) change(other, other);
    };
  }),
];
