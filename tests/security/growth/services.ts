import { k8s } from '../../../src/meta/dialect.js';
import type { Service } from '../../../src/resources/core/core-v1.types.js';
import { setServiceDefaults } from '../../../src/resources/core/service/service.js';
import { dropOfOldType } from '../../../src/resources/core/service/service-allocated-values.js';
import { serviceAllocation } from '../../../src/resources/core/service/service-allocation.js';
import { validateServiceUpdate } from '../../../src/resources/core/service/service-validation.js';
import {
  addressWarnings,
  rangeWarnings,
  serviceWarnings,
} from '../../../src/resources/core/service/service-warnings.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';
import type { GrowthRow } from './measure.js';

const host = createFakeHost();
const context = { host, user: { username: 'u' }, dryRun: false, warn: () => {} };

/** Services with n ports, by the shape of the ports. */
const PORTS: Readonly<Record<string, (i: number) => object>> = {
  'others of the nodes': (i) => ({ name: `p${i}`, port: i + 1, nodePort: 30_000 + i }),
  'one of the nodes': (i) => ({ name: `p${i}`, port: i + 1, nodePort: 30_000 }),
  'any of the nodes': (i) => ({ name: `p${i}`, port: i + 1 }),
  'one port, any of the nodes': (i) => ({ name: `p${i}`, port: 80 }),
};

function serviceOf(type: string, ports: readonly object[]): Service {
  const made = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', namespace: 'default' },
    spec: { type, ports: ports.map((port) => ({ ...port })), externalIPs: ports.map((_, i) => `::${i.toString(16)}`) },
    status: { loadBalancer: {} },
  };
  setServiceDefaults(made as never);
  return made as unknown as Service; // the object has the form of a decoded one, so the cast is safe
}

const ports: readonly GrowthRow[] = Object.entries(PORTS).map(([what, port]) => ({
  name: `services, ${what}`,
  n: 500,
  prepare: (n) => {
    const all = Array.from({ length: n }, (_, i) => port(i));
    const wide = createFakeHost();
    const allocation = serviceAllocation({
      ...wide,
      serviceNetwork: { clusterIpRanges: ['10.0.0.0/24'], nodePorts: { first: 30_000, last: 30_000 + n } },
    });
    return () => {
      const old = serviceOf('ClusterIP', []);
      const next = serviceOf('NodePort', all);
      try {
        allocation.create(next as never, context).end();
        allocation.update(serviceOf('NodePort', [...all].reverse()) as never, next, context).end();
      } catch {
        /* The function may refuse its input. */
      }
      dropOfOldType(serviceOf('ClusterIP', all) as never, next, {
        AllowServiceLBStatusOnNonLB: false,
        LoadBalancerIPMode: true,
      });
      return [validateServiceUpdate(next, old, k8s), serviceWarnings(next, k8s)];
    };
  },
}));

const TEXTS: Readonly<Record<string, (n: number) => string>> = {
  dots: (n) => '.'.repeat(n),
  colons: (n) => ':'.repeat(n),
  zeros: (n) => `1.${'0'.repeat(n)}`,
  digits: (n) => `1:${'1'.repeat(n)}`,
  zones: (n) => `::1%${'%'.repeat(n)}`,
  slashes: (n) => `::1${'/'.repeat(n)}`,
};

export const rows: readonly GrowthRow[] = [
  ...ports,
  ...Object.entries(TEXTS).map(([what, make]) => ({
    name: `addresses in unusual forms, ${what}`,
    n: 10_000,
    prepare: (n: number) => {
      const text = make(n);
      return () => [addressWarnings('f', text, k8s), rangeWarnings('f', text, k8s)];
    },
  })),
];
