import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import { histogram } from '../../metrics/families.js';
import { isCounted } from '../../metrics/metrics.js';
import { sha256 } from '../../signatures/digest.js';
import type { AuthenticationResult } from '../authenticator.js';

const latency = histogram(
  'apiserver_authentication_jwt_authenticator_latency_seconds',
  'Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
  ['result', 'jwt_issuer_hash'],
  [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);

/** Measures how long the issuer's tokens take to authenticate. Tokens of other issuers are not measured. */
export function measuredTokens(
  { metrics, clock }: Pick<Host, 'metrics' | 'clock'>,
  issuer: string,
  authenticate: (token: string) => Promise<AuthenticationResult>,
): (token: string) => Promise<AuthenticationResult> {
  if (!isCounted(metrics)) return authenticate;
  let hash: Promise<string> | undefined;
  return async (token) => {
    const since = reading(clock);
    const result = await authenticate(token);
    if (result.outcome === 'skipped') return result;
    const seconds = (reading(clock) - since) / 1000;
    hash ??= hashOf(issuer);
    const labels = [result.outcome === 'authenticated' ? 'success' : 'failure', await hash];
    metrics.observe(latency, labels, seconds);
    return result;
  };
}

async function hashOf(text: string): Promise<string> {
  const bytes = await sha256(new TextEncoder().encode(text));
  return `sha256:${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
