import { equalJson } from '../../../json/equal.js';
import { type FieldError, fieldError, isFull, printed } from '../../../meta/field-error.js';
import { labelValue, qualifiedName } from '../../../meta/names.js';
import { type Column, defineResource } from '../../../registry/resource-definition.js';
import { always, type OutputOf } from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { quote } from '../../../values/quote.js';
import { age, nameColumn } from '../../fragments/columns.js';
import { nodeSpec, nodeStatus } from './node-status.js';

const schema = topLevel('io.k8s.api.core.v1.Node', 'A machine that runs pods.', () => ({
  spec: always(nodeSpec, 2, 'The desired state of the node.'),
  status: always(nodeStatus, 3, 'The observed state of the node.'),
}));
export type Node = OutputOf<typeof schema>;

/** v1 Node: a machine that runs pods. */
export const node = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  storedUnder: 'minions',
  shortNames: ['no'],
  scope: 'Cluster',
  schema,
  setDefaults({ spec, status }) {
    alignRanges(spec);
    if (status.capacity && !status.allocatable) status.allocatable = { ...status.capacity };
  },
  resetFields: ['status'],
  strategy: {
    prepareForUpdate: (draft, old) => void Object.assign(draft, { status: old.status }),
    validate: ({ spec }) => validateSpec(spec),
    validateUpdate: (next, old) => [...validateSpec(next.spec), ...validateChange(next.spec, old.spec)],
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: { prepareForUpdate: (draft, old) => void Object.assign(draft, { spec: old.spec }) },
    },
  },
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false) },
  columns: columns(),
});

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

type Taint = NonNullable<Node['spec']['taints']>[number];

function validateSpec({ taints = [] }: Node['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    if (isFull(errors)) break;
    const { key, value = '', effect } = taint;
    // Where the wire says they are.
    const path = `metadata.taints[${i}]`;
    for (const message of qualifiedName(key)) errors.push(fieldError.invalid(`${path}.key`, key, message));
    const problems = labelValue(value);
    if (problems.length > 0) errors.push(fieldError.invalid(`${path}.value`, value, problems.join(';')));
    if (effect === '') errors.push(fieldError.required(`${path}.effect`));
    else if (!EFFECTS.includes(effect)) errors.push(fieldError.notSupported(`${path}.effect`, effect, EFFECTS));
    // One key may bear several effects, each once.
    if (seen.has(`${effect} ${key}`))
      errors.push({
        ...fieldError.duplicate(path, printed(shownTaint(taint))),
        detail: 'taints must be unique by key and effect pair',
      });
    seen.add(`${effect} ${key}`);
  }
  return errors;
}

function shownTaint({ key, value = '', effect, timeAdded }: Taint): string {
  const added = timeAdded === undefined ? '(*v1.Time)(nil)' : timeAdded;
  return `core.Taint{Key:${quote(key)}, Value:${quote(value)}, Effect:${quote(effect)}, TimeAdded:${added}}`;
}

/** What is set once stays: addresses, the provider's id, the id of old. */
function validateChange(next: Node['spec'], old: Node['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const fixed = (field: 'podCIDRs' | 'providerID', why: string) => {
    const before = old[field];
    if (before !== undefined && !equalJson(next[field], before))
      errors.push(fieldError.forbidden(`spec.${field}`, why));
  };
  fixed('podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  fixed('providerID', 'node updates may not change providerID except from "" to valid');
  if ((next.externalID ?? '') !== (old.externalID ?? ''))
    errors.push(fieldError.forbidden('spec.externalID', 'may not be updated'));
  return errors;
}

/** The first of a node's ranges also shows alone; given alone, it is the only one. */
function alignRanges(spec: { podCIDR?: string; podCIDRs?: string[] }): void {
  const { podCIDR, podCIDRs } = spec;
  if (podCIDR !== undefined && podCIDR !== podCIDRs?.[0]) spec.podCIDRs = [podCIDR];
  else if (podCIDRs?.[0] !== undefined) spec.podCIDR = podCIDRs[0];
}

function readiness({ spec, status }: Node): string {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable ? `${state},SchedulingDisabled` : state;
}

/** The roles that labels such as `node-role.<domain>/control-plane` name. */
function roles({ metadata }: Node): string {
  const found = Object.keys(metadata.labels ?? {}).flatMap(
    (label) => /^node-role\.[^/]+\/(.+)$/.exec(label)?.[1] ?? [],
  );
  return found.length === 0 ? '<none>' : found.sort().join(',');
}

function columns(): readonly Column<Node>[] {
  const column = (name: string, description: string, cell: (node: Node) => string, priority = 0): Column<Node> => ({
    name,
    type: 'string',
    description,
    priority,
    cell,
  });
  const address = (wanted: string) => (n: Node) =>
    n.status.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';
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
