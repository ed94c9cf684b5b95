import type { Host, Lister } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import { timeToMilliseconds } from '../meta/time.js';
import type { UserInfo } from '../meta/user-info.js';
import { serviceAccountUser } from './service-account-user.js';
import type { ObjectClaim, TokenClaims } from './token-claims.js';

/** Clocks may differ by this much, in milliseconds; what is being deleted stays good as long. */
const LEEWAY = 60_000;

/**
 * Whom a token of the token endpoint stands for: it must be in its time, and the account and the object it is bound to must
 * still be there (gap file auth, 5.2.6).
 * @throws Error with the reason, as token reviews tell it.
 */
export function boundTokenUser(claims: TokenClaims, host: Host): UserInfo {
  checkTimes(claims, host.clock.now());
  const { namespace, serviceAccount, pod, secret, node } = claims.bound;
  const { name } = serviceAccount;
  const uid = liveAccount(namespace, serviceAccount, host);
  if (secret) checkBound('secret', secret, host.lister('', 'secrets'), namespace, host);
  if (pod) checkBound('pod', pod, host.lister('', 'pods'), namespace, host);
  // The node of a pod may be gone before the pod is.
  if (node && !pod) checkBound('node', node, host.lister('', 'nodes'), '', host);
  return serviceAccountUser(
    {
      namespace,
      name,
      uid,
      extra: {
        'credential-id': claims.id === '' ? undefined : `JTI=${claims.id}`,
        'pod-name': pod?.name,
        'pod-uid': pod?.uid,
        'node-name': node?.name,
        'node-uid': node?.name === '' ? undefined : node?.uid,
      },
    },
    host.dialect.labelDomain,
  );
}

function checkTimes({ notBefore, expires, issuedAt }: TokenClaims, now: number): void {
  if (notBefore !== undefined && now + LEEWAY < notBefore * 1000)
    throw new Error('service account token is not valid yet');
  if (expires !== undefined && now - LEEWAY > expires * 1000) throw new Error('service account token has expired');
  if (issuedAt !== undefined && now + LEEWAY < issuedAt * 1000)
    throw new Error('service account token is issued in the future');
}

/** The uid of the account, which must be the one the token was made for. */
function liveAccount(namespace: string, { name, uid }: ObjectClaim, host: Host): string {
  if (name === '') throw new Error('resource name may not be empty');
  const account = host.lister('', 'serviceaccounts').get(namespace, name);
  if (!account) throw new Error(`serviceaccounts "${name}" not found`);
  const live = account.metadata.uid ?? '';
  if (live !== uid) throw new Error(`service account UID (${live}) does not match claim (${uid})`);
  if (isLongDeleted(account, host)) throw new Error(`service account ${namespace}/${name} has been deleted`);
  return live;
}

function checkBound(
  kind: 'secret' | 'pod' | 'node',
  { name, uid }: ObjectClaim,
  lister: Lister,
  namespace: string,
  host: Host,
): void {
  const object = name === '' ? undefined : lister.get(namespace, name);
  if (!object || isLongDeleted(object, host)) throw new Error('service account token has been invalidated');
  const live = object.metadata.uid ?? '';
  if (live !== uid) throw new Error(`${kind} UID (${live}) does not match service account ${kind} ref claim (${uid})`);
}

function isLongDeleted({ metadata: { deletionTimestamp } }: ApiObject, { clock }: Host): boolean {
  return typeof deletionTimestamp === 'string' && timeToMilliseconds(deletionTimestamp) < clock.now() - LEEWAY;
}
