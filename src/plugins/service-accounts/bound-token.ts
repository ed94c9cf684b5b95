import type { AuditNotes, Basis } from '../../authentication/authenticator.js';
import { serviceAccountUser } from '../../authentication/service-account-user.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import { pathSegment } from '../../meta/names.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { UserInfo } from '../../meta/user-info.js';
import { counter } from '../../metrics/families.js';
import type { ServiceAccount } from '../../resources/core/core-v1.types.js';
import { quote } from '../../values/quote.js';
import { timeToMilliseconds } from '../../values/time.js';
import type { ObjectClaim, TokenClaims } from './token-claims.js';

/**
 * The tolerated difference between clocks, in milliseconds. A token also stays valid for this time after the deletion of an object that it
 * is bound to.
 */
const LEEWAY = 60_000;
/** The counters of tokens with an extended lifetime. A use counts as stale after the lifetime that was originally requested. */
export const BOUND_USES = {
  stale: counter('serviceaccount_stale_tokens_total', 'Cumulative stale projected service account tokens used'),
  valid: counter('serviceaccount_valid_tokens_total', 'Cumulative valid projected service account tokens used'),
};

const INVALIDATED = 'service account token has been invalidated';

/** The user that a bound token authenticates, and how long this result may be cached. */
export interface BoundTokenUser {
  readonly user: UserInfo;
  /** The service account and the objects that the token is bound to. */
  readonly basis: readonly Basis[];
  /** The last millisecond since the epoch at which the token is valid. */
  readonly until: number;
  readonly annotations?: AuditNotes;
}

/**
 * Returns the user of a token that was created by a TokenRequest. The current time must be within the token's validity period. The service
 * account and the objects that the token is bound to must still exist (spec 14.7).
 * @throws Error with the reason, as token reviews report it.
 */
export function boundTokenUser(claims: TokenClaims, host: Host): BoundTokenUser {
  const expiry = checkTimes(claims, host.clock.now());
  const { namespace, serviceAccount, pod, secret } = claims.bound;
  const node = claims.bound.node && nodeOf(claims.bound.node, pod, host);
  const { name, uid } = serviceAccount;
  const live = [
    liveAccount(namespace, serviceAccount, host),
    ...(secret ? [liveObject('secret', secret, namespace, host)] : []),
    ...(pod ? [liveObject('pod', pod, namespace, host)] : []),
    // A Node may be deleted before its pods, so it is checked only if the token is not bound to a pod.
    ...(node && !pod ? [liveObject('node', node, '', host)] : []),
  ];
  const extra = {
    'credential-id': claims.id !== '' && host.gates.ServiceAccountTokenJTI ? `JTI=${claims.id}` : undefined,
    'pod-name': pod?.name,
    'pod-uid': pod?.uid,
    'node-name': node?.name,
    'node-uid': node?.name === '' ? undefined : node?.uid,
  };
  const annotations = claims.warnAfter ? noteExtendedUse(claims.subject, claims.warnAfter, host) : undefined;
  return {
    ...(annotations ? { annotations } : {}),
    user: serviceAccountUser({ namespace, name, uid, extra }, host.dialect.labelDomain),
    basis: live.map(({ basis }) => basis),
    until: Math.min(expiry, ...live.map(({ until }) => until)),
  };
}

/**
 * Returns the node that a token names. For a token that is bound to a pod, the node is only used for the user's extra fields.
 * @throws Error for a token that is bound to a node alone, when the feature gate for such tokens is off.
 */
function nodeOf(node: ObjectClaim, pod: ObjectClaim | undefined, { gates }: Host): ObjectClaim | undefined {
  if (pod) return gates.ServiceAccountTokenPodNodeInfo ? node : undefined;
  if (gates.ServiceAccountTokenNodeBindingValidation) return node;
  throw new Error(
    'token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled',
  );
}

/**
 * Returns the last millisecond since the epoch at which a token is valid.
 * @throws Error when the current time is outside its validity period.
 */
function checkTimes({ notBefore, expires, issuedAt }: TokenClaims, now: number): number {
  if (notBefore !== undefined && now + LEEWAY < notBefore * 1000)
    throw new Error('service account token is not valid yet');
  const expiry = expires === undefined ? Number.POSITIVE_INFINITY : expires * 1000 + LEEWAY;
  if (now > expiry) throw new Error('service account token has expired');
  if (issuedAt !== undefined && now + LEEWAY < issuedAt * 1000)
    throw new Error('service account token is issued in the future');
  return expiry;
}

/**
 * Counts a use of a token with an extended lifetime. Returns an audit annotation if the lifetime that was originally requested is over
 * (spec 14.6). As in upstream, uses of other bound tokens are not counted.
 */
function noteExtendedUse(
  subject: string,
  warnAfter: number,
  { clock, dialect, metrics }: Host,
): AuditNotes | undefined {
  const now = clock.now() / 1000;
  const isStale = now > warnAfter;
  metrics.add(isStale ? BOUND_USES.stale : BOUND_USES.valid, []);
  if (!isStale) return undefined;
  const seconds = Math.floor(now) - warnAfter;
  return tokenNote(dialect, 'stale-token', `subject: ${subject}, seconds after warning threshold: ${seconds}`);
}

/** Returns an audit annotation that describes the use of a token. */
export const tokenNote = (dialect: Dialect, name: string, text: string): AuditNotes => ({
  [`${groupOf(dialect, 'authentication')}/${name}`]: text,
});

/** An existing object that a token depends on. */
interface Live {
  readonly basis: Basis;
  /** The last millisecond since the epoch at which the object counts as existing. Infinity when it is not being deleted. */
  readonly until: number;
}

/** Returns the service account of a token. @throws Error when it does not exist or its uid is not the one in the token. */
function liveAccount(namespace: string, { name, uid }: ObjectClaim, host: Host): Live {
  const { metadata } = findServiceAccount(namespace, name, host);
  const live = metadata.uid ?? '';
  if (live !== uid) throw new Error(`service account UID (${live}) does not match claim (${uid})`);
  const gone = `service account ${namespace}/${name} has been deleted`;
  const basis = { group: '', resource: 'serviceaccounts', namespace, name, part: 'existence' } as const;
  return { basis, until: endOf(metadata, gone, host) };
}

/** Returns an object that a token is bound to. @throws Error when it does not exist or its uid is not the one in the token. */
function liveObject(kind: 'secret' | 'pod' | 'node', { name, uid }: ObjectClaim, namespace: string, host: Host): Live {
  const resource = `${kind}s`;
  const object = name === '' ? undefined : host.lister('', resource).get(namespace, name);
  if (!object) throw new Error(INVALIDATED);
  const { metadata } = object;
  const live = metadata.uid ?? '';
  if (live !== uid) throw new Error(`${kind} UID (${live}) does not match service account ${kind} ref claim (${uid})`);
  const basis = { group: '', resource, namespace, name, part: 'existence' } as const;
  return { basis, until: endOf(metadata, INVALIDATED, host) };
}

/** Returns the last millisecond at which an object counts as existing. @throws Error with the message `gone` when that is over. */
function endOf({ deletionTimestamp }: ApiObject['metadata'], gone: string, { clock }: Host): number {
  if (typeof deletionTimestamp !== 'string') return Number.POSITIVE_INFINITY;
  const end = timeToMilliseconds(deletionTimestamp) + LEEWAY;
  if (end < clock.now()) throw new Error(gone);
  return end;
}

/**
 * Returns the service account that a token names.
 * @throws Error with client-go's message. Client-go checks names before it sends a request.
 */
export function findServiceAccount(namespace: string, name: string, { lister }: Pick<Host, 'lister'>): ServiceAccount {
  const object = lister<ServiceAccount>('', 'serviceaccounts').get(namespace, name);
  if (object) return object;
  for (const [what, value] of [
    ['namespace', namespace],
    ['resource name', name],
  ] as const) {
    if (what !== 'namespace' && value === '') throw new Error('resource name may not be empty');
    const problems = pathSegment(value);
    if (problems.length > 0) throw new Error(`invalid ${what} ${quote(value)}: [${problems.join(' ')}]`);
  }
  if (namespace === '') throw new Error('an empty namespace may not be set when a resource name is provided');
  throw new Error(`serviceaccounts ${quote(name)} not found`);
}
