import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { FeatureGates } from '../../meta/features/gates.js';
import type { Host } from '../../meta/host.js';
import type { PersistentVolumeClaim, Service, ServiceSpec } from '../../resources/core/core-v1.types.js';
import { storageClassAnnotation } from '../../resources/core/volumes/storage-class-annotation.js';
import type { ResourceClaim } from '../../resources/resource/resource-v1alpha3.types.js';
import { formatQuantity, parseQuantity, roundQuantityUp } from '../../values/quantity.js';
import { compareAmounts } from '../amounts.js';
import { countName, type UsageEvaluator } from './evaluator.js';
import { podUsage } from './pod-usage.js';

interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/**
 * Resources of the core group whose number can also be limited under the plain resource name, such as `secrets` besides `count/secrets`.
 */
const PLAIN_NAMES = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];
// Quotas do not count events, nor resources that are not stored.
const NOT_COUNTED: Readonly<Record<string, readonly string[]>> = {
  bindings: [''],
  events: ['', 'events'],
  localsubjectaccessreviews: ['authorization'],
};

const isCounted = ({ group, resource }: GroupResource, dialect: Dialect): boolean =>
  !Object.hasOwn(NOT_COUNTED, resource) || !NOT_COUNTED[resource]?.some((stem) => groupOf(dialect, stem) === group);

/** Returns an evaluator that counts only the number of a kind's objects. */
function objectCount({ group, resource }: GroupResource): UsageEvaluator {
  const names = [countName(group, resource), ...(group === '' && PLAIN_NAMES.includes(resource) ? [resource] : [])];
  const usage = Object.freeze(Object.fromEntries(names.map((name) => [name, '1'])));
  return {
    group,
    resource,
    operations: ['CREATE'],
    matching: (requested) => requested.filter((name) => names.includes(name)),
    usage: () => usage,
  };
}

/** The usage evaluators of a server. */
export interface UsageEvaluators {
  /** Returns the evaluator of a kind; undefined for a kind that quotas do not count. */
  of(kind: GroupResource): UsageEvaluator | undefined;
  /** Returns the evaluators of all served kinds whose objects count for limits with these names. */
  matching(names: readonly string[], isServed: (kind: GroupResource) => boolean): readonly UsageEvaluator[];
}

export function usageEvaluators({ dialect, gates }: Pick<Host, 'dialect' | 'gates'>): UsageEvaluators {
  const special: readonly UsageEvaluator[] = [
    podUsage(gates),
    serviceUsage,
    claimUsage(dialect, gates),
    ...(gates.DynamicResourceAllocation ? [deviceClaimUsage(dialect)] : []),
  ];
  const counting = new Map<string, UsageEvaluator>();
  const evaluatorOf = (kind: GroupResource): UsageEvaluator | undefined => {
    const own = special.find(({ group, resource }) => group === kind.group && resource === kind.resource);
    if (own) return own;
    if (!isCounted(kind, dialect)) return undefined;
    const key = countName(kind.group, kind.resource);
    const known = counting.get(key) ?? objectCount(kind);
    counting.set(key, known);
    return known;
  };
  return {
    of: evaluatorOf,
    matching(names, isServed) {
      const kinds = [...special, ...names.flatMap(kindOf)].filter(isServed);
      const evaluators = new Set(kinds.flatMap((kind) => evaluatorOf(kind) ?? []));
      return [...evaluators].filter((evaluator) => evaluator.matching(names).length > 0);
    },
  };
}

/** Returns the kind whose objects a limit counts, as a list with one item; an empty list for a limit that does not count objects. */
function kindOf(name: string): readonly GroupResource[] {
  if (PLAIN_NAMES.includes(name)) return [{ group: '', resource: name }];
  if (!name.startsWith('count/')) return [];
  const kind = name.slice('count/'.length);
  const dot = kind.indexOf('.');
  return dot < 0 ? [{ group: '', resource: kind }] : [{ group: kind.slice(dot + 1), resource: kind.slice(0, dot) }];
}

const SERVICE_NAMES = ['services', 'services.nodeports', 'services.loadbalancers', 'count/services'];

/** Evaluates services: their number, their node ports and their load balancers. */
const serviceUsage: UsageEvaluator<Service> = {
  group: '',
  resource: 'services',
  // An update can change the type of a service and so increase its usage.
  operations: ['CREATE', 'UPDATE'],
  matching: (names) => names.filter((name) => SERVICE_NAMES.includes(name)),
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

/** Returns the number of node ports that will be allocated to a service. Admission runs before they are allocated. */
function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts: allocates }: ServiceSpec): number {
  if (type === 'NodePort' || allocates !== false) return ports.length;
  return ports.filter(({ nodePort = 0 }) => nodePort !== 0).length;
}

/** The maximum number of devices that can be allocated to one resource claim. */
const MOST_DEVICES = 32;

/**
 * Returns the evaluator of resource claims: their number, and the number of requested devices by device class. Requests with admin access
 * count, too.
 */
function deviceClaimUsage(dialect: Dialect): UsageEvaluator<ResourceClaim> {
  const group = groupOf(dialect, 'resource');
  const resource = 'resourceclaims';
  const count = countName(group, resource);
  const ofClass = `.deviceclass.${group}/devices`;
  return {
    group,
    resource,
    operations: ['CREATE', 'UPDATE'],
    matching: (names) => names.filter((name) => name === count || name.endsWith(ofClass)),
    usage({ spec }) {
      const { requests = [] } = spec.devices;
      const devices = new Map<string, number>();
      for (const { deviceClassName, allocationMode, count: requestedCount = 0 } of requests) {
        const name = deviceClassName + ofClass;
        // An unknown allocation mode counts as zero devices.
        const most = allocationMode === 'All' ? MOST_DEVICES : allocationMode === 'ExactCount' ? requestedCount : 0;
        devices.set(name, (devices.get(name) ?? 0) + most);
      }
      return { [count]: '1', ...Object.fromEntries([...devices].map(([name, number]) => [name, String(number)])) };
    },
  };
}

const CLAIM_NAMES = ['persistentvolumeclaims', 'requests.storage', 'count/persistentvolumeclaims'];
const OF_CLASSES = ['requests.storage', 'persistentvolumeclaims'];

/** Rounds a size up to whole bytes. */
const roundSize = (size: string): string => formatQuantity(roundQuantityUp(parseQuantity(size), 0));

/** Returns the evaluator of persistent volume claims: their number and requested storage, in total and by storage class. */
function claimUsage(dialect: Dialect, gates: FeatureGates): UsageEvaluator<PersistentVolumeClaim> {
  const infix = `.storageclass.${groupOf(dialect, 'storage')}/`;
  const annotation = storageClassAnnotation(dialect);
  return {
    group: '',
    resource: 'persistentvolumeclaims',
    // An update can increase the requested storage of a claim.
    operations: ['CREATE', 'UPDATE'],
    matching: (names) =>
      names.filter((name) => CLAIM_NAMES.includes(name) || OF_CLASSES.some((end) => name.endsWith(infix + end))),
    usage({ metadata, spec, status }) {
      const name = metadata.annotations?.[annotation] ?? spec.storageClassName ?? '';
      const size = spec.resources.requests?.['storage'];
      let amount = size === undefined ? undefined : roundSize(size);
      // An earlier, larger request may already have been allocated, so the larger of the request and the allocation counts.
      const allocated = gates.RecoverVolumeExpansionFailure ? status.allocatedResources?.['storage'] : undefined;
      if (amount !== undefined && allocated !== undefined && compareAmounts(allocated, amount) > 0)
        amount = roundSize(allocated);
      return {
        persistentvolumeclaims: '1',
        'count/persistentvolumeclaims': '1',
        ...(amount === undefined ? {} : { 'requests.storage': amount }),
        ...(name === '' ? {} : { [`${name}${infix}persistentvolumeclaims`]: '1' }),
        ...(name === '' || amount === undefined ? {} : { [`${name}${infix}requests.storage`]: amount }),
      };
    },
  };
}
