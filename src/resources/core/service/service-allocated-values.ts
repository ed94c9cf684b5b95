import type { FeatureGates } from '../../../meta/features/gates.js';
import type { Draft } from '../../../registry/strategy.js';
import type { Service, ServiceSpec } from '../core-v1.types.js';

/** The feature gates that allow a load balancer status on services of other types than LoadBalancer, and `ipMode` in this status. */
export type LoadBalancerGates = Pick<FeatureGates, 'AllowServiceLBStatusOnNonLB' | 'LoadBalancerIPMode'>;

type Spec = ServiceSpec | Draft<ServiceSpec>;

const same = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

export const sameAddresses = (a: Spec, b: Spec): boolean => same(a.clusterIPs, b.clusterIPs);
export const sameFamilies = (a: Spec, b: Spec): boolean => same(a.ipFamilies, b.ipFamilies);

const nodePortsOf = ({ ports = [] }: Spec): ReadonlySet<number> =>
  new Set(ports.flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort])));
/** Whether a service can have addresses, unlike an ExternalName. */
export const hasAddresses = ({ type }: Spec): boolean => type !== 'ExternalName';

/** Copies allocated values of the stored service into an update that does not set them. */
export function keepAllocatedValues({ spec: next }: Draft<Service>, { spec: old }: Service): void {
  if (hasAddresses(old) && hasAddresses(next)) {
    if (!next.clusterIP && old.clusterIP) next.clusterIP = old.clusterIP;
    if ((next.clusterIPs ?? []).length === 0 && (old.clusterIPs ?? []).length > 0)
      next.clusterIPs = [...(old.clusterIPs ?? [])];
  }
  if (mayHaveNodePorts(old) && mayHaveNodePorts(next)) keepNodePorts(next, old);
  if (needsHealthPort(old) && needsHealthPort(next) && !next.healthCheckNodePort && old.healthCheckNodePort)
    next.healthCheckNodePort = old.healthCheckNodePort;
}

/** Keeps the node ports of ports whose name has not changed, unless the update assigns the number to another port. */
function keepNodePorts(next: Draft<ServiceSpec>, old: ServiceSpec): void {
  const named = nodePortsOf(next);
  const byName = new Map((old.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of next.ports ?? []) {
    const before = byName.get(port.name ?? '') ?? 0;
    if (!port.nodePort && before !== 0 && !named.has(before)) port.nodePort = before;
  }
}

/** Keeps clusterIP and clusterIPs consistent when a client has changed only one of them. */
export function alignAddresses({ spec: next }: Draft<Service>, old: Service | undefined): void {
  const { clusterIP: now = '', clusterIPs: list = [] } = next;
  if (!old) {
    if (now !== '' && list.length === 0) next.clusterIPs = [now];
    return;
  }
  const { clusterIP: before = '', clusterIPs: listBefore = [] } = old.spec;
  if (now === before) {
    if (listBefore.length > 0 && list.length === 0) next.clusterIPs = [...listBefore];
    return;
  }
  if (!same(list, listBefore)) return;
  if (now === '') delete next.clusterIPs;
  else next.clusterIPs = [now];
}

/** Drops values that belong to the former type of a service but not to its new type, if the update has not changed them. */
export function dropOfOldType(draft: Draft<Service>, { spec: old }: Service, gates: LoadBalancerGates): void {
  const { spec: next } = draft;
  if (hasAddresses(old) && !hasAddresses(next)) {
    if (next.clusterIP === old.clusterIP && sameAddresses(next, old)) {
      delete next.clusterIP;
      delete next.clusterIPs;
    }
    if (sameFamilies(next, old)) delete next.ipFamilies;
    if (next.ipFamilyPolicy === old.ipFamilyPolicy) delete next.ipFamilyPolicy;
  }
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(next)) {
    const before = nodePortsOf(old);
    if ([...nodePortsOf(next)].every((port) => before.has(port)))
      for (const port of next.ports ?? []) delete port.nodePort;
  }
  if (needsHealthPort(old) && !needsHealthPort(next) && next.healthCheckNodePort === old.healthCheckNodePort)
    delete next.healthCheckNodePort;
  if (old.type === 'LoadBalancer' && next.type !== 'LoadBalancer') {
    if (next.allocateLoadBalancerNodePorts === old.allocateLoadBalancerNodePorts)
      delete next.allocateLoadBalancerNodePorts;
    if (next.loadBalancerClass === old.loadBalancerClass) delete next.loadBalancerClass;
  }
  if (isExternal(old) && !isExternal(next) && next.externalTrafficPolicy === old.externalTrafficPolicy)
    delete next.externalTrafficPolicy;
  if (!gates.AllowServiceLBStatusOnNonLB && next.type !== 'LoadBalancer' && draft.status.loadBalancer.ingress)
    draft.status = { ...draft.status, loadBalancer: {} };
}

/** The fields that decide how a service can be reached. */
type Exposure = Pick<ServiceSpec, 'type' | 'externalIPs' | 'externalTrafficPolicy' | 'allocateLoadBalancerNodePorts'>;

/** Whether a service needs cluster addresses. */
export const needsAddress = ({ type }: Exposure): boolean =>
  type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer';

/** Whether a service may have node ports. */
export const mayHaveNodePorts = ({ type }: Exposure): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Whether a service gets node ports by default. */
export const needsNodePorts = (spec: Exposure): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

/** Whether a service needs a node port for health checks. */
export const needsHealthPort = ({ type, externalTrafficPolicy }: Exposure): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** Whether a service can be reached from outside the cluster. */
export const isExternal = (spec: Exposure): boolean =>
  mayHaveNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
