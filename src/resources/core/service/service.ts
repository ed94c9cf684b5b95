import { nameIsDns1035Label } from '../../../meta/names.js';
import { defineResource } from '../../../registry/resource-definition.js';
import type { Draft } from '../../../registry/strategy.js';
import { sortTexts } from '../../../values/sorted.js';
import { age, nameColumn } from '../../shared/columns.js';
import { labelsCell } from '../../shared/pod-columns.js';
import { keepSpec, keepStatus } from '../../shared/workload.js';
import { coreV1 } from '../core-v1.js';
import type { Service } from '../core-v1.types.js';
import { alignAddresses, dropOfOldType, hasAddresses, isExternal, needsAddress } from './service-allocated-values.js';
import { completeFamilies, serviceAllocation } from './service-allocation.js';
import { serviceProxy } from './service-proxy.js';
import { validateService, validateServiceStatus, validateServiceUpdate } from './service-validation.js';
import { serviceWarnings } from './service-warnings.js';

export type { Service } from '../core-v1.types.js';

function externalCell({ spec, status }: Service): string {
  const own = spec.externalIPs ?? [];
  if (spec.type === 'ExternalName') return spec.externalName ?? '';
  if (spec.type !== 'LoadBalancer') return own.join(',') || '<none>';
  const places = (status.loadBalancer.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []);
  return [...sortTexts([...new Set(places)]), ...own].join(',') || '<pending>';
}

function portsCell({ spec: { ports = [] } }: Service): string {
  const shown = ports.map(({ port, nodePort, protocol }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return shown.join(',') || '<none>';
}

/** Drops internalTrafficPolicy from an ExternalName service, to which it does not apply. The field is validated before it is dropped. */
function dropInside({ spec }: Draft<Service>): void {
  if (!hasAddresses(spec)) delete spec.internalTrafficPolicy;
}

/** core/v1 Service: a name and an address for a set of pods. */
export const service = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  storedUnder: 'services/specs',
  shortNames: ['svc'],
  categories: ['all'],
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  returnsDeletedObject: true,
  cascadesTo: [{ groupStem: '', version: 'v1', plural: 'endpoints' }],
  nameRule: nameIsDns1035Label,
  schema: coreV1.struct('Service'),
  setDefaults: setServiceDefaults,
  resetFields: ['status'],
  selectableFields: { 'spec.clusterIP': ({ spec }) => spec.clusterIP, 'spec.type': ({ spec }) => spec.type },
  gatedFields: [
    { gate: 'ServiceTrafficDistribution', fields: ['spec.trafficDistribution'] },
    { gate: 'LoadBalancerIPMode', fields: ['status.loadBalancer.ingress.ipMode'] },
  ],
  strategy: {
    prepareForCreate(draft) {
      draft.status = { loadBalancer: {} };
    },
    prepareForUpdate(draft, old, { host: { gates } }) {
      keepStatus(draft, old);
      dropOfOldType(draft, old, gates);
    },
    completeStored(draft, { serviceNetwork }) {
      alignAddresses(draft, undefined);
      completeFamilies(draft.spec, serviceNetwork);
      dropInside(draft);
    },
    canonicalize: dropInside,
    validate: (object, { host }) => validateService(object, host.dialect),
    validateUpdate: (next, old, { host }) => validateServiceUpdate(next, old, host.dialect),
    warnings: (object, _old, { host }) => serviceWarnings(object, host.dialect),
  },
  allocation: serviceAllocation,
  subresources: {
    proxy: serviceProxy,
    status: {
      resetFields: ['spec'],
      strategy: {
        prepareForUpdate: keepSpec,
        validateUpdate: (next, _old, { host: { gates } }) => validateServiceStatus(next, gates),
      },
    },
  },
  columns: [
    nameColumn,
    { name: 'Type', type: 'string', description: 'The type of the service.', cell: ({ spec }) => spec.type ?? '' },
    {
      name: 'Cluster-IP',
      type: 'string',
      description: 'The address in the cluster.',
      cell: ({ spec }) => spec.clusterIPs?.[0] ?? '<none>',
    },
    { name: 'External-IP', type: 'string', description: 'The addresses outside of the cluster.', cell: externalCell },
    { name: 'Port(s)', type: 'string', description: 'The ports, and the node ports.', cell: portsCell },
    age,
    {
      name: 'Selector',
      type: 'string',
      priority: 1,
      description: 'The labels of the selected pods.',
      cell: ({ spec }) => labelsCell(spec.selector),
    },
  ],
});

const AFFINITY_SECONDS = 10_800;

/** Sets the defaults of a service. */
export function setServiceDefaults({ spec, status }: Draft<Service>): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined)
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  if (isExternal(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (needsAddress(spec)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const place of status.loadBalancer.ingress ?? []) if (place.ip) place.ipMode ??= 'VIP';
}
