import type { Dialect } from '../../meta/dialect.js';
import { defineRules } from '../../registry/built-in-kind.js';
import { sortTexts } from '../../values/sorted.js';
import { age, nameColumn } from '../fragments/columns.js';
import { keepSpec, keepStatus } from '../fragments/workload.js';
import { type Ingress, ingressSchema } from './ingress-schema.js';
import { validateIngress, validateIngressStatus, validateIngressUpdate } from './ingress-validation.js';

export type { Ingress } from './ingress-schema.js';

/** The annotation that named the class before there was a field for it. */
const classAnnotation = ({ labelDomain }: Dialect) => `${labelDomain}/ingress.class`;

/** Hosts of the first rules; `*` where they name none. */
function hostsCell({ spec: { rules = [] } }: Ingress): string {
  const hosts = rules.slice(0, 3).flatMap(({ host }) => (host ? [host] : []));
  if (hosts.length === 0) return '*';
  return rules.length > 3 ? `${hosts.join(',')} + ${rules.length - 3} more...` : hosts.join(',');
}

function addressCell({ status }: Ingress): string {
  const places = (status.loadBalancer.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []);
  return sortTexts([...new Set(places)]).join(',');
}

export const ingressRules = defineRules({
  schema: ingressSchema,
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
      description: 'The class, and so who serves it.',
      cell: ({ spec }) => spec.ingressClassName ?? '<none>',
    },
    { name: 'Hosts', type: 'string', description: 'The hosts that the rules are for.', cell: hostsCell },
    { name: 'Address', type: 'string', description: 'Where it can be reached.', cell: addressCell },
    {
      name: 'Ports',
      type: 'string',
      description: 'The ports it serves.',
      cell: ({ spec }) => (spec.tls?.length ? '80, 443' : '80'),
    },
    age,
  ],
});
