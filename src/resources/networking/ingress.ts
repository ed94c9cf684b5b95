import type { Dialect } from '../../meta/dialect.js';
import { defineResource } from '../../registry/resource-definition.js';
import { sortTexts } from '../../values/sorted.js';
import { age, nameColumn } from '../shared/columns.js';
import { keepSpec, keepStatus } from '../shared/workload.js';
import { validateIngress, validateIngressStatus, validateIngressUpdate } from './ingress-validation.js';
import { networkingV1 } from './networking-v1.js';
import type { Ingress } from './networking-v1.types.js';

/** Returns the key of the annotation that names the class of an ingress. The annotation is older than the field `ingressClassName`. */
const classAnnotation = ({ labelDomain }: Dialect) => `${labelDomain}/ingress.class`;

const SHOWN = 3;

/**
 * Returns the first hosts as a cell; `*` when there are none. Like upstream, it counts all rules after these hosts, with or without a host.
 */
function hostsCell({ spec: { rules = [] } }: Ingress): string {
  const places = rules.flatMap(({ host }, i) => (host ? [i] : [])).slice(0, SHOWN);
  if (places.length === 0) return '*';
  const hosts = places.map((i) => rules[i]?.host).join(',');
  const more = places.length === SHOWN && (places.at(-1) ?? 0) + 1 < rules.length;
  return more ? `${hosts} + ${rules.length - SHOWN} more...` : hosts;
}

function addressCell({ status }: Ingress): string {
  const places = (status.loadBalancer.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []);
  return sortTexts([...new Set(places)]).join(',');
}

/** networking/v1 Ingress: routes external requests to services. */
export const ingress = defineResource({
  groupStem: 'networking',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  storedUnder: 'ingress',
  shortNames: ['ing'],
  scope: 'Namespaced',
  tracksGeneration: true,
  schema: networkingV1.struct('Ingress'),
  resetFields: ['status'],
  strategy: {
    prepareForCreate: (draft) => void Object.assign(draft, { status: { loadBalancer: {} } }),
    prepareForUpdate: keepStatus,
    validate: (object, { host }) => validateIngress(object, classAnnotation(host.dialect)),
    validateUpdate: validateIngressUpdate,
    warnings({ metadata, spec }, old, { host }) {
      const annotation = classAnnotation(host.dialect);
      if (old || metadata.annotations?.[annotation] === undefined || spec.ingressClassName !== undefined) return [];
      return [`annotation "${annotation}" is deprecated, please use 'spec.ingressClassName' instead`];
    },
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: { prepareForUpdate: keepSpec, validateUpdate: validateIngressStatus },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Class',
      type: 'string',
      description: 'The class, which determines the controller.',
      cell: ({ spec }) => spec.ingressClassName ?? '<none>',
    },
    { name: 'Hosts', type: 'string', description: 'The hosts that the rules are for.', cell: hostsCell },
    { name: 'Address', type: 'string', description: 'The addresses of the load balancer.', cell: addressCell },
    {
      name: 'Ports',
      type: 'string',
      description: 'The served ports.',
      cell: ({ spec }) => (spec.tls?.length ? '80, 443' : '80'),
    },
    age,
  ],
});
