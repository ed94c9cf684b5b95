import type { ServiceSpec } from '../core-v1.types.js';

type Spec = Pick<ServiceSpec, 'type' | 'externalIPs' | 'externalTrafficPolicy' | 'allocateLoadBalancerNodePorts'>;

/** Whether a service needs cluster addresses. */
export const needsAddress = ({ type }: Spec): boolean =>
  type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer';

/** Whether a service may have node ports. */
export const mayHaveNodePorts = ({ type }: Spec): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Whether a service gets node ports by default. */
export const needsNodePorts = (spec: Spec): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

/** Whether a service needs a node port for health checks. */
export const needsHealthPort = ({ type, externalTrafficPolicy }: Spec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** Whether a service can be reached from outside the cluster. */
export const isExternal = (spec: Spec): boolean =>
  mayHaveNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
