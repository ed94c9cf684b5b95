import type { ServiceSpec } from '../core-v1.types.js';

type Spec = Pick<ServiceSpec, 'type' | 'externalIPs' | 'externalTrafficPolicy' | 'allocateLoadBalancerNodePorts'>;

/** Whether it has addresses in the cluster. */
export const needsAddress = ({ type }: Spec): boolean =>
  type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer';

/** Whether it may have ports on the nodes. */
export const mayHaveNodePorts = ({ type }: Spec): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Whether it gets ports on the nodes unasked. */
export const needsNodePorts = (spec: Spec): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

/** Whether it has a port that says whether a node serves. */
export const needsHealthPort = ({ type, externalTrafficPolicy }: Spec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** Whether it can be reached from outside. */
export const isExternal = (spec: Spec): boolean =>
  mayHaveNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
