import type { Dialect } from '../../meta/dialect.js';
import type { Secret } from '../../resources/core/core-v1.types.js';
import { timeToMilliseconds } from '../../values/time.js';
import { secretText } from '../secret-text.js';

/** The namespace of bootstrap token secrets and the prefix of their names. */
export const bootstrapNamespace = 'kube-system';
export const bootstrapSecretPrefix = 'bootstrap-token-';

/** Returns the type of bootstrap token secrets, such as `bootstrap.orch.io/token`. */
export function bootstrapSecretType({ labelDomain }: Dialect): string {
  return `bootstrap.${labelDomain}/token`;
}

/**
 * Returns when a bootstrap token expires, in milliseconds since the epoch. A token whose key `expiration` is absent or empty never expires;
 * one whose `expiration` cannot be parsed counts as expired (spec 11.11).
 */
export function bootstrapExpiration(secret: Secret): number {
  const text = secretText(secret, 'expiration');
  if (text === '') return Number.POSITIVE_INFINITY;
  try {
    return timeToMilliseconds(text);
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}
