import type { Client } from '../../client/client.js';
import { isNotFound } from '../../meta/api-error.js';
import { formatGroupResource, type GroupVersion, parseGroupVersion, printNoMatch } from '../../meta/group-version.js';
import type { ApiObject, OwnerReference } from '../../meta/object-meta.js';
import { controllerOf } from '../../meta/owner-references.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import type { PodDisruptionBudget } from '../../resources/policy/policy-v1.types.js';
import { scaledValue } from '../../resources/shared/int-or-percent.js';
import { quote } from '../../values/quote.js';
import type { ControllerContext, ControllerHost } from '../controller.js';

/** The number of pods that a budget expects, and how many of them must be healthy. */
interface ExpectedPods {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
  /**
   * Whether `expectedPods` counts the desired replicas of controllers although some of the pods have no controller. Such pods are not
   * counted.
   */
  readonly hasUnmanaged: boolean;
}

/**
 * Computes how many pods a budget expects and how many must be healthy. If minAvailable is a number, the existing pods are counted;
 * otherwise the desired replicas of their controllers.
 * @throws Error for pods whose controllers cannot be counted.
 */
export async function expectedPodsOf(
  { spec: { minAvailable, maxUnavailable } }: PodDisruptionBudget,
  pods: readonly Pod[],
  context: ControllerContext,
): Promise<ExpectedPods> {
  if (maxUnavailable !== undefined) {
    const { scale, hasUnmanaged } = await scaleOfAll(pods, context);
    const desiredHealthy = Math.max(0, scale - scaledValue(maxUnavailable, scale));
    return { expectedPods: scale, desiredHealthy, hasUnmanaged };
  }
  if (typeof minAvailable === 'string') {
    const { scale, hasUnmanaged } = await scaleOfAll(pods, context);
    return { expectedPods: scale, desiredHealthy: scaledValue(minAvailable, scale), hasUnmanaged };
  }
  const expectedPods = minAvailable === undefined ? 0 : pods.length;
  return { expectedPods, desiredHealthy: minAvailable ?? 0, hasUnmanaged: false };
}

/** Sums the replicas of all controllers of the pods, counting each controller once. */
async function scaleOfAll(pods: readonly Pod[], context: ControllerContext) {
  const scales = new Map<string, number>();
  // The scale of a ReplicaSet may be that of its Deployment, so the keys of `scales` do not show which owners have been looked up.
  const owners = new Set<string>();
  let hasUnmanaged = false;
  for (const { metadata } of pods) {
    const owner = controllerOf(metadata);
    if (!owner) hasUnmanaged = true;
    if (!owner || owners.has(owner.uid)) continue;
    owners.add(owner.uid);
    const found = await scaleOf(owner, metadata.namespace ?? '', context);
    if (!found) throw new Error(`found no controllers for pod ${quote(metadata.name ?? '')}`);
    scales.set(found.uid, found.replicas);
  }
  return { scale: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), hasUnmanaged };
}

/** The number of pods that a controller should run. */
interface ControllerScale {
  readonly uid: string;
  readonly replicas: number;
}

/** A workload, or its `scale` subresource. Both have the desired number of pods in `spec.replicas`. */
type Scaled = ApiObject & { readonly spec: { readonly replicas?: number } };

/** Workloads that are read from listers, by kind. `groups` are the API groups under which owner references may name the kind. */
const WORKLOADS: Readonly<Record<string, { readonly groups: readonly string[]; readonly resource: string }>> = {
  ReplicationController: { groups: [''], resource: 'replicationcontrollers' },
  Deployment: { groups: ['apps', 'extensions'], resource: 'deployments' },
  ReplicaSet: { groups: ['apps', 'extensions'], resource: 'replicasets' },
  StatefulSet: { groups: ['apps'], resource: 'statefulsets' },
};

/**
 * Returns the scale of a pod's controller, or of the Deployment that controls its ReplicaSet.
 * @returns undefined when the controller does not exist.
 * @throws Error for a controller that has no scale. The status of the budget shows the error's message.
 */
async function scaleOf(
  owner: OwnerReference,
  namespace: string,
  { host, client }: ControllerContext,
): Promise<ControllerScale | undefined> {
  // A Deployment is found through the ReplicaSet that it controls. If a Deployment controls a pod directly, its `scale` subresource is
  // read, as for a custom controller.
  const workload = owner.kind === 'Deployment' ? undefined : workloadOf(owner, namespace, host);
  const above = workload?.kind === 'ReplicaSet' ? controllerOf(workload.metadata) : undefined;
  const scaled = above?.kind === 'Deployment' ? workloadOf(above, namespace, host) : workload;
  return scaled ? scaleIn(scaled) : scaleSubresource(owner, namespace, host, client);
}

const scaleIn = ({ metadata, spec }: Scaled): ControllerScale => ({
  uid: metadata.uid ?? '',
  replicas: spec.replicas ?? 0,
});

/**
 * Returns the workload that an owner reference names; undefined for a kind that is not in {@link WORKLOADS}, and for a workload that does
 * not exist.
 */
function workloadOf({ apiVersion, kind, name, uid }: OwnerReference, namespace: string, host: ControllerHost) {
  const { group } = groupVersionOf(apiVersion);
  const known = Object.hasOwn(WORKLOADS, kind) ? WORKLOADS[kind] : undefined;
  if (!known?.groups.includes(group)) return undefined;
  const found = host.lister<Scaled>(known.groups[0] ?? '', known.resource).get(namespace, name);
  return found?.metadata.uid === uid ? found : undefined;
}

/** Parses an API version. @throws Error with client-go's message. */
function groupVersionOf(apiVersion: string): GroupVersion {
  const found = parseGroupVersion(apiVersion);
  if (!found) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return found;
}

/**
 * Reads the `scale` subresource of a controller in the preferred version of its kind, even if the owner reference names another version.
 */
async function scaleSubresource(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
  { kinds }: ControllerHost,
  client: Client,
): Promise<ControllerScale | undefined> {
  const { group, version } = groupVersionOf(apiVersion);
  const named = kinds.current.mapKind(group, version, kind)?.resource;
  if (!named) throw new Error(printNoMatch({ group, version, kind }));
  const { definition, namespaced } = kinds.current.preferred(group, named.gvr.resource) ?? named;
  const found = namespaced ? await readScale(client, definition, namespace, name) : undefined;
  if (found) return found.metadata.uid === uid ? scaleIn(found) : undefined;
  if (Object.hasOwn(named.definition.subresources ?? {}, 'scale')) return undefined;
  throw new Error(`${formatGroupResource(named.groupResource)} does not implement the scale subresource`);
}

async function readScale(client: Client, kind: ResourceDefinition, namespace: string, name: string) {
  try {
    return (await client.get(kind, name, { namespace, subresource: 'scale' })) as Scaled;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
