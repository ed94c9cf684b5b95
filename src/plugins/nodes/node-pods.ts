import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { equalJson } from '../../json/equal.js';
import { apiError } from '../../meta/api-error.js';
import type { Host } from '../../meta/host.js';
import type { Pod } from '../../resources/core/core-v1.types.js';
import { quote } from '../../values/quote.js';
import { referencesOf } from '../pods/pod-references.js';

const PODS = { group: '', resource: 'pods' } as const;

/** Returns why a node may not perform an action on a pod. A node creates mirror pods, and updates and deletes the pods that it runs. */
export function podProblem(
  node: string,
  attributes: AdmissionAttributes<Pod | undefined>,
  host: Host,
): string | undefined {
  const { operation, subresource, object } = attributes;
  const who = `node ${quote(node)}`;
  if (subresource === '') {
    if (operation === 'CREATE' && object) return mirrorPodProblem(node, object, host);
    if (operation === 'DELETE')
      return runsOnNode(node, attributes, host)
        ? undefined
        : `${who} can only delete pods with spec.nodeName set to itself`;
    return `unexpected operation ${quote(operation)}, ${who} can only create and delete mirror pods`;
  }
  if (subresource === 'status') return statusProblem(node, attributes);
  if (subresource === 'eviction') {
    if (operation !== 'CREATE') return `unexpected operation ${operation}`;
    const own = runsOnNode(node, attributes, host);
    return own ? undefined : `node ${node} can only evict pods with spec.nodeName set to itself`;
  }
  return `unexpected pod subresource ${quote(subresource)}, only 'status' and 'eviction' are allowed`;
}

/** Returns whether the pod runs on the node. @throws ApiError 404 when the pod does not exist. */
function runsOnNode(node: string, { namespace, name }: AdmissionAttributes, host: Host): boolean {
  const pod = host.lister<Pod>('', 'pods').get(namespace, name);
  if (!pod) throw apiError.notFound(PODS, name);
  return pod.spec.nodeName === node;
}

function statusProblem(
  node: string,
  { operation, object, oldObject: old }: AdmissionAttributes<Pod | undefined>,
): string | undefined {
  const who = `node ${quote(node)}`;
  if (!object || !old) return `unexpected operation ${quote(operation)}`;
  if (old.spec.nodeName !== node) return `${who} can only update pod status for pods with spec.nodeName set to itself`;
  if (!equalJson(object.metadata.labels ?? {}, old.metadata.labels ?? {}))
    return `${who} cannot update labels through pod status`;
  // The misspelling is the reference's.
  return equalJson(claimStatuses(object), claimStatuses(old))
    ? undefined
    : `${who} cannot update resource claim statues`;
}

/** Returns the claims made for a pod, which its node may not change because they allow it to read claims. */
const claimStatuses = ({ status }: Pod) =>
  (status.resourceClaimStatuses ?? []).map(({ name, resourceClaimName = null }) => ({ name, resourceClaimName }));

function mirrorPodProblem(node: string, pod: Pod, host: Host): string | undefined {
  const who = `node ${quote(node)}`;
  const mirror = `${host.dialect.labelDomain}/config.mirror`;
  if (pod.metadata.annotations?.[mirror] === undefined)
    return `pod does not have ${quote(mirror)} annotation, ${who} can only create mirror pods`;
  if (pod.spec.nodeName !== node) return `${who} can only create pods with spec.nodeName set to itself`;
  return ownerProblem(node, pod, host) ?? referenceProblem(who, pod);
}

function ownerProblem(node: string, { metadata }: Pod, host: Host): string | undefined {
  const who = `node ${quote(node)}`;
  const [owner, ...others] = metadata.ownerReferences ?? [];
  if (others.length > 0) return `${who} can only create pods with a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `${who} can only create pods with an owner reference set to itself`;
  if (owner.controller !== true) return `${who} can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true) return `${who} must not set blockOwnerDeletion on an owner reference`;
  const stored = host.lister('', 'nodes').get('', node);
  if (!stored) throw apiError.notFound({ group: '', resource: 'node' }, node);
  if (owner.uid === stored.metadata.uid) return undefined;
  return `node ${node} UID mismatch: expected ${owner.uid} got ${stored.metadata.uid}`;
}

const REFERRED = {
  secret: 'secrets',
  configmap: 'configmaps',
  pvc: 'persistentvolumeclaims',
  resourceclaim: 'resourceclaims',
} as const;

function referenceProblem(who: string, pod: Pod): string | undefined {
  const refuse = (what: string) => `${who} can not create pods that reference ${what}`;
  const referred = new Set(referencesOf(pod).map(({ kind }) => kind));
  if (referred.has('serviceaccount')) return refuse('a service account');
  if (referred.has('secret')) return refuse(REFERRED.secret);
  if (referred.has('configmap')) return refuse(REFERRED.configmap);
  if (
    pod.spec.volumes?.some(({ projected }) => projected?.sources?.some(({ clusterTrustBundle }) => clusterTrustBundle))
  )
    return refuse('clustertrustbundles');
  if (referred.has('pvc')) return refuse(REFERRED.pvc);
  return referred.has('resourceclaim') || (pod.spec.resourceClaims?.length ?? 0) > 0
    ? refuse(REFERRED.resourceclaim)
    : undefined;
}
