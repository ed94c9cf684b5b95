import type { Service, ServiceSpec } from '../../resources/core/core-v1.types.js';
import type { UsageEvaluator } from './evaluator.js';

const NAMES = ['services', 'services.nodeports', 'services.loadbalancers', 'count/services'];

/** Returns the usage of services: their number, their node ports and their load balancers. */
export const serviceUsage: UsageEvaluator<Service> = {
  group: '',
  resource: 'services',
  // An update can change the type of a service.
  operations: ['CREATE', 'UPDATE'],
  matching: (names) => names.filter((name) => NAMES.includes(name)),
  usage({ spec }) {
    const isBalanced = spec.type === 'LoadBalancer';
    return {
      services: '1',
      'count/services': '1',
      'services.nodeports': String(spec.type === 'NodePort' || isBalanced ? nodePorts(spec) : 0),
      'services.loadbalancers': isBalanced ? '1' : '0',
    };
  },
};

/** Returns the number of node ports that a service will get. They are not allocated yet at this point. */
function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts: allocates }: ServiceSpec): number {
  if (type === 'NodePort' || allocates !== false) return ports.length;
  return ports.filter(({ nodePort = 0 }) => nodePort !== 0).length;
}
