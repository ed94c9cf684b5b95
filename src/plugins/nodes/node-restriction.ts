import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { CUSTOM_TYPE, forbiddenRequest } from '../../admission/refusal.js';
import { equalJson } from '../../json/equal.js';
import { apiError } from '../../meta/api-error.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import { wellKnownSigners } from '../../meta/signers.js';
import { parseCertificateRequest } from '../../pki/parse-request.js';
import type { TokenRequest } from '../../resources/authentication/authentication-v1.types.js';
import type { CertificateSigningRequest } from '../../resources/certificates/certificates-v1.types.js';
import type { Node, PersistentVolumeClaim, Pod } from '../../resources/core/core-v1.types.js';
import type { ResourceSlice } from '../../resources/resource/resource-v1alpha3.types.js';
import { decodeBase64Text } from '../../values/base64.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { referencesOf } from '../pods/pod-references.js';
import { nodeOf } from './node-authorizer.js';

/** The check for one resource. It may assume that the objects in requests have the type of that resource. */
interface Check {
  /**
   * Returns why a node may not make the request; undefined when it may. @throws ApiError 404 when the request refers to a missing object.
   */
  problem(node: string, attributes: AdmissionAttributes, host: Host): string | undefined | Promise<string | undefined>;
}

const NODE_LEASES = 'kube-node-lease';
/** The resource in the 404 for a missing pod. Upstream's pod lister produces this error, and names the resource in the singular. */
const POD = { group: '', resource: 'pod' } as const;
/** The error for a custom resource whose group and plural are those of a built-in kind that nodes write (Lease, CSINode, ResourceSlice). */
const UNEXPECTED = `unexpected type ${CUSTOM_TYPE}`;

/**
 * Restricts nodes to their own Node, pods, leases and tokens (spec 17.3), because RBAC rules cannot express that. It is not one of the
 * default plug-ins.
 */
export const nodeRestriction: AdmissionPluginFactory = (host) => {
  const group = (stem: string) => groupOf(host.dialect, stem);
  const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
    ['/pods', { problem: podProblem }],
    ['/nodes', { problem: nodeProblem }],
    ['/persistentvolumeclaims', { problem: volumeClaimProblem }],
    ['/serviceaccounts', { problem: tokenProblem }],
    [`${group('coordination')}/leases`, { problem: leaseProblem }],
    [`${group('storage')}/csinodes`, { problem: csiNodeProblem }],
    [`${group('resource')}/resourceslices`, { problem: sliceProblem }],
    [`${group('certificates')}/certificatesigningrequests`, { problem: requestProblem }],
  ]);
  const check = (attributes: AdmissionAttributes): undefined | Promise<undefined> => {
    const { user, resource } = attributes;
    const node = nodeOf(user);
    if (node === undefined) return undefined;
    if (node === '') throw forbiddenRequest(attributes, `could not determine node from user ${quote(user.username)}`);
    const decide = (problem: string | undefined): undefined => {
      if (problem !== undefined) throw forbiddenRequest(attributes, problem);
    };
    const problem = checks.get(`${resource.group}/${resource.resource}`)?.problem(node, attributes, host);
    return problem instanceof Promise ? problem.then(decide) : decide(problem);
  };
  return {
    name: 'NodeRestriction',
    handles: ({ user }) => nodeOf(user) !== undefined,
    admit: check,
    // Deletions are checked in the validating phase, because they have no mutating phase.
    validate: (attributes) => (attributes.operation === 'DELETE' ? check(attributes) : undefined),
  };
};

function nodeProblem(
  node: string,
  { operation, subresource, name, object, oldObject }: AdmissionAttributes<Node | undefined>,
  { dialect }: Host,
): string | undefined {
  if (name !== node) return `node ${quote(node)} is not allowed to modify node ${quote(name)}`;
  const labels = object?.metadata.labels;
  const configSource = object?.spec.configSource;
  if (operation === 'CREATE' && subresource === '') {
    if (configSource) return `node ${quote(node)} is not allowed to create pods with a non-nil configSource`;
    const forbidden = forbiddenNodeLabels(dialect, labels, undefined);
    if (forbidden.length > 0)
      return `node ${quote(node)} is not allowed to set the following labels: ${forbidden.join(', ')}`;
  }
  if (operation !== 'UPDATE' || !object || !oldObject) return undefined;
  // Older kubelets omit `configSource` when they update their status, so its removal is allowed.
  if (configSource && !equalJson(configSource, oldObject.spec.configSource))
    return `node ${quote(node)} is not allowed to update configSource to a new non-nil configSource`;
  if (!equalJson(object.spec.taints ?? [], oldObject.spec.taints ?? []))
    return `node ${quote(node)} is not allowed to modify taints`;
  if (!equalJson(object.metadata.ownerReferences ?? [], oldObject.metadata.ownerReferences ?? []))
    return `node ${quote(node)} is not allowed to modify ownerReferences`;
  const forbidden = forbiddenNodeLabels(dialect, labels, oldObject.metadata.labels);
  return forbidden.length > 0 ? `is not allowed to modify labels: ${forbidden.join(', ')}` : undefined;
}

function volumeClaimProblem(
  node: string,
  { operation, subresource, object, oldObject }: AdmissionAttributes<PersistentVolumeClaim | undefined>,
  { gates }: Host,
): string | undefined {
  if (subresource !== 'status') return 'may only update PVC status';
  if (!object || !oldObject) return `unexpected operation ${quote(operation)}`;
  const recovery = gates.RecoverVolumeExpansionFailure ? ['allocatedResourceStatuses', 'allocatedResources'] : [];
  const own = ['capacity', 'conditions', ...recovery];
  const withoutOwnStatus = ({ metadata, status, ...rest }: PersistentVolumeClaim) => {
    const { resourceVersion: _version, managedFields: _fields, ...kept } = metadata;
    const others = Object.entries(status).filter(([member]) => !own.includes(member));
    return { ...rest, metadata: kept, status: Object.fromEntries(others) };
  };
  return equalJson(withoutOwnStatus(object), withoutOwnStatus(oldObject))
    ? undefined
    : `node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}

function tokenProblem(
  node: string,
  { operation, subresource, namespace, object }: AdmissionAttributes<TokenRequest | undefined>,
  host: Host,
): string | undefined {
  if (operation !== 'CREATE' || subresource !== 'token') return undefined;
  const bound = object?.spec.boundObjectRef;
  if (bound?.apiVersion !== 'v1' || bound.kind !== 'Pod' || !bound.name)
    return 'node requested token not bound to a pod';
  if (!bound.uid) return 'node requested token with a pod binding without a uid';
  const pod = host.lister<Pod>('', 'pods').get(namespace, bound.name);
  if (!pod) throw apiError.notFound(POD, bound.name);
  if (bound.uid !== pod.metadata.uid)
    return (
      `the UID in the bound object reference (${bound.uid}) does not match the UID in record. ` +
      'The object might have been deleted and then recreated'
    );
  return pod.spec.nodeName === node ? undefined : 'node requested token bound to a pod scheduled on a different node';
}

function leaseProblem(node: string, { namespace, name, operation, isCustom }: AdmissionAttributes): string | undefined {
  if (namespace !== NODE_LEASES) return `can only access leases in the "${NODE_LEASES}" system namespace`;
  if (isCustom && operation === 'CREATE') return UNEXPECTED;
  return name === node ? undefined : 'can only access node lease with the same name as the requesting node';
}

function csiNodeProblem(node: string, { name }: AdmissionAttributes): string | undefined {
  return name === node ? undefined : 'can only access CSINode with the same name as the requesting node';
}

function sliceProblem(
  node: string,
  { operation, object, oldObject, isCustom }: AdmissionAttributes<ResourceSlice | undefined>,
): string | undefined {
  if (isCustom && operation !== 'UPDATE') return UNEXPECTED;
  const slice = operation === 'CREATE' ? object : oldObject;
  if (operation === 'UPDATE' || slice?.spec.nodeName === node) return undefined;
  return operation === 'CREATE'
    ? 'can only create ResourceSlice with the same NodeName as the requesting node'
    : 'can only delete ResourceSlice with the same NodeName as the requesting node';
}

async function requestProblem(
  node: string,
  { operation, subresource, object, isCustom }: AdmissionAttributes<CertificateSigningRequest | undefined>,
  { dialect, gates }: Host,
): Promise<string | undefined> {
  if (!object || operation !== 'CREATE' || subresource !== '') return undefined;
  if (gates.AllowInsecureKubeletCertificateSigningRequests) return undefined;
  if (isCustom) return UNEXPECTED;
  const { signerName, request } = object.spec;
  const { nodeClient, nodeServing } = wellKnownSigners(dialect);
  if (signerName !== nodeClient && signerName !== nodeServing) return undefined;
  try {
    const { subject } = await parseCertificateRequest(decodeBase64Text(request));
    return subject.commonName === `system:node:${node}`
      ? undefined
      : `can only create a node CSR with CN=system:node:${node}`;
  } catch (error) {
    return `unable to parse csr: ${messageOf(error)}`;
  }
}

type Labels = Readonly<Record<string, string>> | undefined;

/** Returns the sorted names of changed labels that a node may not set on itself, because they are in reserved domains (spec 17.4). */
export function forbiddenNodeLabels(dialect: Dialect, next: Labels = {}, old: Labels = {}): string[] {
  const names = new Set([...Object.keys(next), ...Object.keys(old)]);
  return [...names].filter((name) => labelOf(next, name) !== labelOf(old, name) && !nodeMaySet(dialect, name)).sort();
}

const labelOf = (labels: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(labels, name) ? labels[name] : undefined;

/** Returns the names of labels in reserved domains that describe a node. A node may set them on itself. */
const ownLabels = (domain: string): ReadonlySet<string> =>
  new Set([
    `${domain}/hostname`,
    `${domain}/os`,
    `${domain}/arch`,
    `topology.${domain}/zone`,
    `topology.${domain}/region`,
    `failure-domain.beta.${domain}/zone`,
    `failure-domain.beta.${domain}/region`,
    `node.${domain}/instance-type`,
    `beta.${domain}/instance-type`,
    `beta.${domain}/os`,
    `beta.${domain}/arch`,
  ]);

function nodeMaySet({ labelDomain, bareDomain, nodeAgent }: Dialect, name: string): boolean {
  const slash = name.indexOf('/');
  if (slash < 0) return true;
  const prefix = name.slice(0, slash);
  const within = (domain: string) => prefix === domain || prefix.endsWith(`.${domain}`);
  if (within(`node-restriction.${labelDomain}`)) return false;
  if (!within(labelDomain) && !within(bareDomain)) return true;
  return ownLabels(labelDomain).has(name) || within(`${nodeAgent}.${labelDomain}`) || within(`node.${labelDomain}`);
}

/**
 * Returns why a node may not perform an action on a pod; undefined when it may. A node may create mirror pods. It may delete and evict pods
 * that run on it, and update their status.
 */
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
  if (!pod) throw apiError.notFound(POD, name);
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
  // The misspelling is upstream's.
  return equalJson(claimStatuses(object), claimStatuses(old))
    ? undefined
    : `${who} cannot update resource claim statues`;
}

/**
 * Returns the claims that a pod's status names. A node may not change them, because it may read every claim that the status of one of its
 * pods names.
 */
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
  // The claim of an ephemeral volume does not exist yet, so it is no reference.
  if (pod.spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim)) return refuse(REFERRED.pvc);
  return referred.has('resourceclaim') || (pod.spec.resourceClaims?.length ?? 0) > 0
    ? refuse(REFERRED.resourceclaim)
    : undefined;
}
