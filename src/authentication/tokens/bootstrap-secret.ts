import type { Dialect } from '../../meta/dialect.js';
import { timeToMilliseconds } from '../../values/time.js';
import { type SecretObject, secretText } from './secret-object.js';

/** Where bootstrap tokens are kept, and what the names of their secrets begin with. */
export const bootstrapNamespace = 'kube-system';
export const bootstrapSecretPrefix = 'bootstrap-token-';

/** `bootstrap.orch.io/token` */
export function bootstrapSecretType({ labelDomain }: Dialect): string {
  return `bootstrap.${labelDomain}/token`;
}

/**
 * When a bootstrap token ends, in milliseconds since the epoch: never without the key `expiration` or with an empty one,
 * always where that is not a time (spec 11.11).
 */
export function bootstrapExpiration(secret: SecretObject): number {
  const text = secretText(secret, 'expiration');
  if (text === '') return Number.POSITIVE_INFINITY;
  try {
    return timeToMilliseconds(text);
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}
