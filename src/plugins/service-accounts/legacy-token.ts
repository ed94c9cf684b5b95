import type { AuditNotes, Basis } from '../../authentication/authenticator.js';
import { parseServiceAccount, serviceAccountUser } from '../../authentication/service-account-user.js';
import { sameSecret } from '../../authentication/tokens/same-secret.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import { counter } from '../../metrics/families.js';
import type { Secret } from '../../resources/core/core-v1.types.js';
import { secretText } from '../secret-text.js';
import { findServiceAccount, tokenNote } from './bound-token.js';
import { readTexts } from './token-claims.js';

const AUTO_GENERATED =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';

/** The metrics for uses of tokens that are stored in secrets. */
export const SECRET_USES = {
  generated: counter('serviceaccount_legacy_auto_token_uses_total', 'Cumulative auto-generated legacy tokens used'),
  manual: counter('serviceaccount_legacy_manual_token_uses_total', 'Cumulative manually created legacy tokens used'),
  invalid: counter(
    'serviceaccount_invalid_legacy_auto_token_uses_total',
    'Cumulative invalid auto-generated legacy tokens used',
  ),
};

/** Called with a secret whenever its token is used. */
export type SecretUse = (namespace: string, secret: string) => void;

/** The user of a token that is stored in a secret, with warnings for the client. */
export interface LegacyTokenUser {
  readonly user: UserInfo;
  readonly warnings: readonly string[];
  readonly annotations?: AuditNotes;
  /** The secret and the service account; empty when they are not looked up. */
  readonly basis: readonly Basis[];
}

/** The claims of a token that is stored in a secret; '' for absent claims. */
export interface LegacyClaims {
  readonly subject: string;
  readonly namespace: string;
  readonly secretName: string;
  readonly name: string;
  readonly uid: string;
}

/** The error for a token that is marked invalid, with annotations for audit events. */
export class InvalidatedToken extends Error {
  readonly annotations: AuditNotes;

  constructor(message: string, annotations: AuditNotes) {
    super(message);
    this.annotations = annotations;
  }
}

/** Reads the claims of a token that is stored in a secret. @throws Error for claims of the wrong type. */
export function readLegacyClaims(claims: Readonly<Record<string, unknown>>, dialect: Dialect): LegacyClaims {
  const own = ['namespace', 'secret.name', 'service-account.name', 'service-account.uid'];
  const names = own.map((name) => domainName(dialect, `serviceaccount/${name}`));
  const [subject = '', namespace = '', secretName = '', name = '', uid = ''] = readTexts(claims, ['sub', ...names]);
  return { subject, namespace, secretName, name, uid };
}

/**
 * Returns the user of a token that is stored in a secret (spec 14.10). Such tokens have no expiry and no audience.
 * @param lookup whether the secret and the service account must still exist.
 * @param onUse called with the secret if it contains the token, even if the token is marked invalid.
 * @throws Error with the reason, as token reviews report it.
 */
export function legacyTokenUser(
  token: string,
  claims: LegacyClaims,
  host: Host,
  lookup: boolean,
  onUse?: SecretUse,
): LegacyTokenUser {
  const { subject, namespace, secretName, name, uid } = claims;
  if (subject === '') throw new Error('sub claim is missing');
  if (namespace === '') throw new Error('namespace claim is missing');
  if (secretName === '') throw new Error('secretName claim is missing');
  if (name === '') throw new Error('serviceAccountName claim is missing');
  if (uid === '') throw new Error('serviceAccountUID claim is missing');
  const named = parseServiceAccount(subject);
  if (named?.namespace !== namespace || named.name !== name) throw new Error('sub claim is invalid');
  return {
    user: serviceAccountUser({ namespace, name, uid }, host.dialect.labelDomain),
    ...(lookup ? checkLive(token, claims, host, onUse) : { warnings: [] }),
    basis: lookup
      ? [
          { group: '', resource: 'secrets', namespace, name: secretName },
          { group: '', resource: 'serviceaccounts', namespace, name },
        ]
      : [],
  };
}

function checkLive(
  token: string,
  { namespace, secretName, name, uid }: LegacyClaims,
  host: Host,
  onUse: SecretUse | undefined,
): Pick<LegacyTokenUser, 'warnings' | 'annotations'> {
  const { lister, dialect, metrics } = host;
  const secret = lister<Secret>('', 'secrets').get(namespace, secretName);
  if (!secret || secret.metadata.deletionTimestamp !== undefined) throw new Error('Token has been invalidated');
  if (!sameSecret(secretText(secret, 'token'), token)) throw new Error("Token does not match server's copy");
  const account = findServiceAccount(namespace, name, host);
  if (account.metadata.deletionTimestamp !== undefined)
    throw new Error(`ServiceAccount ${namespace}/${name} has been deleted`);
  const live = account.metadata.uid ?? '';
  if (live !== uid) throw new Error(`ServiceAccount UID (${live}) does not match claim (${uid})`);
  onUse?.(namespace, secretName);
  const label = domainName(dialect, 'legacy-token-invalid-since');
  if ((secret.metadata.labels?.[label] ?? '') !== '') {
    metrics.add(SECRET_USES.invalid, []);
    throw new InvalidatedToken(
      `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been marked invalid. ` +
        'Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the ' +
        `'${label}' label from the secret to temporarily allow use of this token`,
      tokenNote(dialect, 'legacy-token-invalidated', `${secretName}/${namespace}`),
    );
  }
  const generated = account.secrets?.some((reference) => reference.name === secretName) ?? false;
  metrics.add(SECRET_USES[generated ? 'generated' : 'manual'], []);
  const sort = generated ? 'autogenerated' : 'manual';
  return {
    warnings: generated ? [AUTO_GENERATED] : [],
    annotations: tokenNote(dialect, `legacy-token-${sort}-secret`, secretName),
  };
}
