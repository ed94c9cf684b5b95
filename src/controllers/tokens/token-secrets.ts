import { type Dialect, domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Secret, ServiceAccount } from '../../resources/core/core-v1.types.js';

/** The names by which tokens kept in secrets are known (spec 14.9). */
export function tokenSecretNames(dialect: Dialect) {
  return {
    type: domainName(dialect, 'service-account-token'),
    accountName: domainName(dialect, 'service-account.name'),
    accountUid: domainName(dialect, 'service-account.uid'),
    lastUsed: domainName(dialect, 'legacy-token-last-used'),
    invalidSince: domainName(dialect, 'legacy-token-invalid-since'),
  };
}

/** Whether a secret is one that keeps a token. */
export function isTokenSecret(secret: Secret, dialect: Dialect): boolean {
  return secret.type === tokenSecretNames(dialect).type;
}

/** Whether a token secret belongs to that very account, or to whichever has its name. */
export function isSecretOf({ metadata }: Secret, account: ApiObject, dialect: Dialect): boolean {
  const { accountName, accountUid } = tokenSecretNames(dialect);
  const uid = metadata.annotations?.[accountUid] ?? '';
  return metadata.annotations?.[accountName] === account.metadata.name && (uid === '' || uid === account.metadata.uid);
}

/** Whether an account lists a secret as its own: those made with the account, in older times. */
export function listsSecret(account: ServiceAccount, secret: string): boolean {
  return account.secrets?.some(({ name }) => name === secret) ?? false;
}

/** The day of a time, UTC: `2026-01-31`. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** When a day begins, in milliseconds UTC; undefined for what `dayOf` does not write. */
export function beginOfDay(day = ''): number | undefined {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(milliseconds) || dayOf(milliseconds) !== day ? undefined : milliseconds;
}
