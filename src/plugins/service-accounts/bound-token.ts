import type { AuditNotes, Basis } from '../../authentication/authenticator.js';
import { serviceAccountUser } from '../../authentication/service-account-user.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import { pathSegment } from '../../meta/names.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { ServiceAccount } from '../../resources/core/core-v1.types.js';
import { quote } from '../../values/quote.js';
import { timeToMilliseconds } from '../../values/time.js';
import type { ObjectClaim, TokenClaims } from './token-claims.js';

/**
 * The tolerated difference between clocks, in milliseconds. A token also stays valid for this time after the deletion of an object that it
 * is bound to.
 */
const LEEWAY = 60_000;
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
  checkTimes(claims, host.clock.now());
  const { namespace, serviceAccount, pod, secret } = claims.bound;
  const node = nodeOf(claims, host);
  const { name } = serviceAccount;
  const account = liveAccount(namespace, serviceAccount, host);
  const live = [
    account,
    ...(secret ? [checkBound('secret', secret, namespace, host)] : []),
    ...(pod ? [checkBound('pod', pod, namespace, host)] : []),
    // A Node may be deleted before its pods, so it is checked only if the token is not bound to a pod.
    ...(node && !pod ? [checkBound('node', node, '', host)] : []),
  ];
  const extra = {
    'credential-id': claims.id !== '' && host.gates.ServiceAccountTokenJTI ? `JTI=${claims.id}` : undefined,
    'pod-name': pod?.name,
    'pod-uid': pod?.uid,
    'node-name': node?.name,
    'node-uid': node?.name === '' ? undefined : node?.uid,
  };
  const uid = account.object.metadata.uid ?? '';
  const annotations = staleNote(claims, host);
  return {
    ...(annotations ? { annotations } : {}),
    user: serviceAccountUser({ namespace, name, uid, extra }, host.dialect.labelDomain),
    basis: live.map(({ basis }) => basis),
    until: Math.min(expiry(claims), ...live.map(({ object }) => deletionOf(object) + LEEWAY)),
  };
}

/**
 * Returns the node that a token names. For a token that is bound to a pod, the node is only used for the user's extra fields.
 * @throws Error for a token that is bound to a node alone, when the feature gate for such tokens is off.
 */
function nodeOf({ bound: { node, pod } }: TokenClaims, { gates }: Host): ObjectClaim | undefined {
  if (node && pod) return gates.ServiceAccountTokenPodNodeInfo ? node : undefined;
  if (node && !gates.ServiceAccountTokenNodeBindingValidation)
    throw new Error(
      'token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled',
    );
  return node;
}

function checkTimes(claims: TokenClaims, now: number): void {
  const { notBefore, issuedAt } = claims;
  if (notBefore !== undefined && now + LEEWAY < notBefore * 1000)
    throw new Error('service account token is not valid yet');
  if (now > expiry(claims)) throw new Error('service account token has expired');
  if (issuedAt !== undefined && now + LEEWAY < issuedAt * 1000)
    throw new Error('service account token is issued in the future');
}

/**
 * Returns the audit annotation for a token with an extended lifetime that is used after the lifetime that was originally requested (spec
 * 14.6).
 */
function staleNote({ warnAfter, subject }: TokenClaims, { clock, dialect }: Host): AuditNotes | undefined {
  if (warnAfter === undefined || warnAfter === 0) return undefined;
  const now = clock.now() / 1000;
  if (now <= warnAfter) return undefined;
  const seconds = Math.floor(now) - warnAfter;
  return tokenNote(dialect, 'stale-token', `subject: ${subject}, seconds after warning threshold: ${seconds}`);
}

/** Returns an audit annotation that describes the use of a token. */
export const tokenNote = (dialect: Dialect, name: string, text: string): AuditNotes => ({
  [`${groupOf(dialect, 'authentication')}/${name}`]: text,
});

function expiry({ expires }: TokenClaims): number {
  return expires === undefined ? Number.POSITIVE_INFINITY : expires * 1000 + LEEWAY;
}

/** An existing object, with its group, resource, namespace and name. */
interface Live {
  readonly object: ApiObject;
  readonly basis: Basis;
}

/** Returns the service account of a token. @throws Error when it does not exist or its uid is not the one in the token. */
function liveAccount(namespace: string, { name, uid }: ObjectClaim, host: Host): Live {
  const object = findServiceAccount(namespace, name, host);
  const live = object.metadata.uid ?? '';
  if (live !== uid) throw new Error(`service account UID (${live}) does not match claim (${uid})`);
  if (isLongDeleted(object, host)) throw new Error(`service account ${namespace}/${name} has been deleted`);
  return { object, basis: { group: '', resource: 'serviceaccounts', namespace, name, part: 'existence' } };
}

function checkBound(kind: 'secret' | 'pod' | 'node', { name, uid }: ObjectClaim, namespace: string, host: Host): Live {
  const resource = `${kind}s`;
  const object = name === '' ? undefined : host.lister('', resource).get(namespace, name);
  if (!object) throw new Error(INVALIDATED);
  const live = object.metadata.uid ?? '';
  if (live !== uid) throw new Error(`${kind} UID (${live}) does not match service account ${kind} ref claim (${uid})`);
  if (isLongDeleted(object, host)) throw new Error(INVALIDATED);
  return { object, basis: { group: '', resource, namespace, name, part: 'existence' } };
}

function isLongDeleted(object: ApiObject, { clock }: Host): boolean {
  return deletionOf(object) < clock.now() - LEEWAY;
}

/** Returns the deletion timestamp in milliseconds since the epoch; infinity when the object is not being deleted. */
function deletionOf({ metadata: { deletionTimestamp } }: ApiObject): number {
  return typeof deletionTimestamp === 'string' ? timeToMilliseconds(deletionTimestamp) : Number.POSITIVE_INFINITY;
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
