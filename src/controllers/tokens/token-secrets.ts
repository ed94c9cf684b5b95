import { type Dialect, domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Secret, ServiceAccount } from '../../resources/core/core-v1.types.js';

/** Returns the secret type and the annotation and label names of token secrets (spec 14.9). */
export function tokenSecretNames(dialect: Dialect) {
  return {
    type: domainName(dialect, 'service-account-token'),
    accountName: domainName(dialect, 'service-account.name'),
    accountUid: domainName(dialect, 'service-account.uid'),
    lastUsed: domainName(dialect, 'legacy-token-last-used'),
    invalidSince: domainName(dialect, 'legacy-token-invalid-since'),
  };
}

/** Returns whether a secret is a token secret of a service account. */
export function isTokenSecret(secret: Secret, dialect: Dialect): boolean {
  return secret.type === tokenSecretNames(dialect).type;
}

/** Returns whether a token secret belongs to this account. A secret that has no account uid belongs to any account with the right name. */
export function isSecretOf({ metadata }: Secret, account: ApiObject, dialect: Dialect): boolean {
  const { accountName, accountUid } = tokenSecretNames(dialect);
  const uid = metadata.annotations?.[accountUid] ?? '';
  return metadata.annotations?.[accountName] === account.metadata.name && (uid === '' || uid === account.metadata.uid);
}

/** Returns whether an account lists a secret in `secrets`. Older Kubernetes versions listed the token secrets that they generated there. */
export function listsSecret(account: ServiceAccount, secret: string): boolean {
  return account.secrets?.some(({ name }) => name === secret) ?? false;
}

/** Returns the day of a time in UTC: `2026-01-31`. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/**
 * Returns the beginning of a day in milliseconds since the epoch (UTC), or undefined for a string that is not in the form of {@link dayOf}.
 */
export function beginOfDay(day = ''): number | undefined {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(milliseconds) || dayOf(milliseconds) !== day ? undefined : milliseconds;
}
