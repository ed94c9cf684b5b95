import type { Dialect } from '../meta/dialect.js';
import type { ApiObject } from '../meta/object-meta.js';
import { timeToMilliseconds } from '../meta/time.js';

/** Where bootstrap tokens are kept, and what the names of their secrets begin with. */
export const bootstrapNamespace = 'kube-system';
export const bootstrapSecretPrefix = 'bootstrap-token-';

/** A Secret as far as tokens need it. */
export interface SecretObject extends ApiObject {
  readonly type?: string;
  /** Bytes by key, base64. */
  readonly data?: Readonly<Record<string, string>>;
}

/** `bootstrap.orch.io/token` */
export function bootstrapSecretType({ labelDomain }: Dialect): string {
  return `bootstrap.${labelDomain}/token`;
}

/** A value of a secret as text; '' when there is none. */
export function secretText({ data }: SecretObject, key: string): string {
  const encoded = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined;
  return encoded === undefined
    ? ''
    : new TextDecoder().decode(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)));
}

/**
 * When a bootstrap token ends, in milliseconds since the epoch: never without the key `expiration` or with an empty one,
 * always already when that is no time (gap file auth, 5.3).
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
