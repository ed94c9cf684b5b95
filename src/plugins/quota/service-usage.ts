import type { ApiObject } from '../../meta/object-meta.js';
import type { UsageEvaluator } from './evaluator.js';

interface ServiceObject extends ApiObject {
  readonly spec: {
    readonly type?: string;
    readonly ports?: readonly { readonly nodePort?: number }[];
    readonly allocateLoadBalancerNodePorts?: boolean;
  };
}

const NAMES = ['services', 'services.nodeports', 'services.loadbalancers', 'count/services'];

/** Returns the usage of services: their number, their node ports and their load balancers. */
export const serviceUsage: UsageEvaluator = {
  group: '',
  resource: 'services',
  // An update can change the type of a service.
  operations: ['CREATE', 'UPDATE'],
  matching: (names) => names.filter((name) => NAMES.includes(name)),
  usage(object) {
    const { spec } = object as ServiceObject; // of its kind
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
function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts: allocates }: ServiceObject['spec']): number {
  if (type === 'NodePort' || allocates !== false) return ports.length;
  return ports.filter(({ nodePort = 0 }) => nodePort !== 0).length;
}
