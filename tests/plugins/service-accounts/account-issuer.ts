import type { AuthenticationResult } from '../../../src/authentication/authenticator.js';
import { bearerTokens, isTokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import type { MetricFamily } from '../../../src/metrics/metrics.js';
import { noMetrics } from '../../../src/metrics/metrics.js';
import { generateKey } from '../../../src/pki/private-key.js';
import { serviceAccountTokens } from '../../../src/plugins/service-accounts/service-account-token.js';
import { createTokenIssuer } from '../../../src/tokens/account-tokens.js';
import { hostWith } from '../../support/hosts.js';
import { object } from '../../support/objects.js';

export const ISSUER = 'https://kubernetes.default.svc';
export const START = '2026-11-21T12:00:00Z';
export const pem = (await generateKey()).pem;
export const issuer = createTokenIssuer({ issuer: ISSUER, key: pem });
export const keys = async () => [await issuer.key()];

export const account = (extra: object = {}) =>
  object('ServiceAccount', { name: 'app', namespace: 'ns', uid: 'u-1' }, extra);

export function ask(
  token: string,
  objects: Parameters<typeof hostWith>[0] = { '/serviceaccounts': [account()] },
  audiences?: readonly string[],
  lookup = true,
) {
  const member = serviceAccountTokens({ issuers: [ISSUER], keys, lookup })(hostWith(objects, START));
  const tokens = bearerTokens('bearer-token', isTokenAuthenticator(member) ? [member] : [], [ISSUER]);
  return tokens.authenticateToken(token, audiences);
}

/** A host that records the names of incremented counters. */
export function countingHost(objects: Parameters<typeof hostWith>[0]) {
  const counted: string[] = [];
  const add = ({ name }: MetricFamily) => void counted.push(name);
  return { counted, host: { ...hostWith(objects, START), metrics: { ...noMetrics, add } } };
}
export const told = (result: AuthenticationResult) =>
  result.outcome === 'rejected' ? result.error.message : result.outcome;
export const refusal = (reason: string) => `[invalid bearer token, ${reason}]`;
