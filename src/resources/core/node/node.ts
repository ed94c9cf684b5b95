import { originalMember } from '../../../json/original-members.js';
import { apiError } from '../../../meta/api-error.js';
import { METADATA_CHECK } from '../../../meta/object-meta-validation.js';
import { originalOf } from '../../../registry/edit.js';
import { type Column, defineResource, type RelaySubresource } from '../../../registry/resource-definition.js';
import { age, nameColumn } from '../../shared/columns.js';
import { originAt, PROXY, readTarget } from '../../shared/relay-target.js';
import { roundAmounts } from '../../shared/resource-rules.js';
import { coreV1 } from '../core-v1.js';
import type { Node } from '../core-v1.types.js';
import { addressOfNode, requireProxyable } from './node-connection.js';
import { validateNode, validateNodeUpdate } from './node-validation.js';

export type { Node } from '../core-v1.types.js';

const AGENT_PORT = 10_250;

/** `/proxy`: requests to the kubelet of a node, or to another port of the node. */
const nodeProxy: RelaySubresource<Node> = {
  relay: {
    kind: 'NodeProxyOptions',
    ...PROXY,
    async answer({ name, parent }, { host }) {
      const target = readTarget(name);
      if (target === undefined) throw apiError.badRequest(`invalid node request "${name}"`);
      const node = await parent(target.name);
      const address = addressOfNode(node);
      requireProxyable(address, host.fetch);
      const agent = String(node.status.daemonEndpoints?.kubeletEndpoint?.Port || AGENT_PORT);
      if (target.port === '' || target.port === agent) return { origin: originAt('https', address, agent) };
      return { origin: originAt(target.scheme, address, target.port) };
    },
  },
};

/** v1 Node: a machine that runs pods. */
export const node = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  storedUnder: 'minions',
  shortNames: ['no'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Cluster',
  schema: coreV1.struct('Node'),
  setDefaults({ spec, status }) {
    alignRanges(spec);
    // As in upstream, an empty map of amounts differs from an absent one.
    const hasAmounts = originalMember(originalOf(status), 'allocatable') !== undefined;
    if (status.capacity && !hasAmounts) status.allocatable = { ...status.capacity };
    roundAmounts(status.capacity);
    roundAmounts(status.allocatable);
  },
  resetFields: ['status'],
  gatedFields: [
    // Unlike other gated fields, these fields are dropped even if the stored node has them, because the kubelet writes them again.
    {
      gate: ['RecursiveReadOnlyMounts', 'UserNamespacesSupport'],
      fields: ['status.runtimeHandlers'],
      usedBy: [],
      ofStatus: true,
    },
    { gate: 'SupplementalGroupsPolicy', fields: ['status.features'], usedBy: [], ofStatus: true },
  ],
  strategy: {
    prepareForCreate(draft) {
      dropConfiguration(draft);
      delete draft.status.config;
    },
    prepareForUpdate(draft, old) {
      Object.assign(draft, { status: old.status });
      dropConfiguration(draft, old);
    },
    validate: (object, { host }) => validateNode(object, host.dialect),
    // Upstream validates the new node as a whole before it validates the changes.
    validateUpdate: (next, old, { host: { dialect } }) => [
      ...validateNode(next, dialect),
      METADATA_CHECK,
      ...validateNodeUpdate(next, old, dialect),
    ],
    warnings: ({ spec }, _old, { host: { dialect } }) =>
      (spec.externalID ?? '') === ''
        ? []
        : [`spec.externalID: this field is deprecated, and is unused by ${dialect.apiTitle}`],
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: {
        prepareForUpdate(draft, old) {
          Object.assign(draft, { spec: old.spec });
          // `status.config` belongs to the removed feature DynamicKubeletConfig. It is kept only if the stored node has it.
          if (old.status.config === undefined) delete draft.status.config;
        },
        validateUpdate: (next, old, { host }) => validateNodeUpdate(next, old, host.dialect),
      },
    },
    proxy: nodeProxy,
  },
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false) },
  columns: columns(),
});

/** Drops `configSource` unless the stored node has it. The field belongs to the removed feature DynamicKubeletConfig. */
function dropConfiguration({ spec }: { spec: { configSource?: unknown } }, old?: Node): void {
  if (old?.spec.configSource === undefined) delete spec.configSource;
}

/** Keeps podCIDR equal to the first of podCIDRs. If only podCIDR is set, it becomes the only item of podCIDRs. */
function alignRanges(spec: { podCIDR?: string; podCIDRs?: string[] }): void {
  const { podCIDR, podCIDRs } = spec;
  if (podCIDR !== undefined && podCIDR !== podCIDRs?.[0]) spec.podCIDRs = [podCIDR];
  else if (podCIDRs?.[0]) spec.podCIDR = podCIDRs[0];
}

/** Returns the state of the node as a cell. If it has several conditions of type Ready, the last one counts. */
function readiness({ spec, status }: Node): string {
  const ready = status.conditions?.filter(({ type }) => type === 'Ready').at(-1);
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable ? `${state},SchedulingDisabled` : state;
}

const ROLE = /^(node-role\.)?(?:kubernetes|orch)\.io\/(.+)$/;

/** Returns the roles from labels such as `node-role.<domain>/control-plane`, and from the value of `<domain>/role`. */
function roles({ metadata }: Node): string {
  const names = Object.entries(metadata.labels ?? {}).flatMap(([label, value]) => {
    const [, before, role = ''] = ROLE.exec(label) ?? [];
    return before ? role : role === 'role' && value !== '' ? value : [];
  });
  return names.length === 0 ? '<none>' : [...new Set(names)].sort().join(',');
}

function columns(): readonly Column<Node>[] {
  const column = (name: string, description: string, cell: (node: Node) => string, priority = 0): Column<Node> => ({
    name,
    type: 'string',
    description,
    priority,
    cell,
  });
  const address = (addressType: string) => (n: Node) =>
    n.status.addresses?.find(({ type }) => type === addressType)?.address ?? '<none>';
  const info = (field: 'osImage' | 'kernelVersion' | 'containerRuntimeVersion') => (n: Node) =>
    n.status.nodeInfo[field] || '<unknown>';
  return [
    nameColumn,
    column('Status', 'Whether it is ready, and open for new pods.', readiness),
    column('Roles', 'Roles from its labels.', roles),
    age,
    column('Version', "Version of the node's agent.", (n) => n.status.nodeInfo.kubeletVersion),
    column('Internal-IP', 'Its address inside the cluster.', address('InternalIP'), 1),
    column('External-IP', 'Its address outside the cluster.', address('ExternalIP'), 1),
    column('OS-Image', 'Its operating system.', info('osImage'), 1),
    column('Kernel-Version', 'Version of its kernel.', info('kernelVersion'), 1),
    column('Container-Runtime', 'Version of its container runtime.', info('containerRuntimeVersion'), 1),
  ];
}
