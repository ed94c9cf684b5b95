import type { Host } from '../../meta/host.js';
import { counter } from '../../metrics/families.js';

const FAMILIES = {
  legacy: counter('serviceaccount_legacy_tokens_total', 'Cumulative legacy service account tokens used'),
  stale: counter('serviceaccount_stale_tokens_total', 'Cumulative stale projected service account tokens used'),
  valid: counter('serviceaccount_valid_tokens_total', 'Cumulative valid projected service account tokens used'),
};

const BY_SECRET = {
  generated: counter('serviceaccount_legacy_auto_token_uses_total', 'Cumulative auto-generated legacy tokens used'),
  manual: counter('serviceaccount_legacy_manual_token_uses_total', 'Cumulative manually created legacy tokens used'),
};

/** Counts the use of a token kept in a secret. @param generated whether the account lists the secret */
export function countSecretUse({ metrics }: Pick<Host, 'metrics'>, generated: boolean): void {
  metrics.add(BY_SECRET[generated ? 'generated' : 'manual'], []);
}

/** Exposes the counters from the start, before a token is used. */
export function declareTokenUses({ metrics }: Pick<Host, 'metrics'>): void {
  metrics.declare(...Object.values(FAMILIES), ...Object.values(BY_SECRET));
}

/**
 * Counts the use of a token. A token with an extended lifetime is stale after the lifetime that was requested (spec 14.6).
 * @param isLegacy whether it is kept in a secret.
 */
export function countTokenUse(
  { metrics, clock, dialect }: Pick<Host, 'metrics' | 'clock' | 'dialect'>,
  claims: Readonly<Record<string, unknown>>,
  isLegacy: boolean,
): void {
  const own = Object(claims[dialect.tokenPrivateClaim]) as { readonly warnafter?: unknown };
  const { warnafter = 0 } = own;
  const isStale = typeof warnafter === 'number' && warnafter !== 0 && clock.now() / 1000 > warnafter;
  metrics.add(FAMILIES[isLegacy ? 'legacy' : isStale ? 'stale' : 'valid'], []);
}
