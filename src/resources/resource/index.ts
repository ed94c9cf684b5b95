import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type {
  DeviceClass,
  PodSchedulingContext,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from './resource-v1alpha3.types.js';

/** resource/v1alpha3 DeviceClass: a class of devices that claims can request. */
export const deviceClass = defineKind(
  {
    groupStem: 'resource',
    version: 'v1alpha3',
    kind: 'DeviceClass',
    plural: 'deviceclasses',
    scope: 'Cluster',
    tracksGeneration: true,
    returnsDeletedObject: true,
  },
  async () => (await import('./device-class.js')).deviceClassRules,
);

/** resource/v1alpha3 PodSchedulingContext: how drivers and the scheduler agree on a node for a pod with claims. */
export const podSchedulingContext = defineKind(
  {
    groupStem: 'resource',
    version: 'v1alpha3',
    kind: 'PodSchedulingContext',
    plural: 'podschedulingcontexts',
    scope: 'Namespaced',
    returnsDeletedObject: true,
    subresources: { status: {} },
  },
  async () => (await import('./pod-scheduling-context.js')).podSchedulingContextRules,
);

/** resource/v1alpha3 ResourceClaimTemplate: a template for the claims of pods. */
export const resourceClaimTemplate = defineKind(
  {
    groupStem: 'resource',
    version: 'v1alpha3',
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    scope: 'Namespaced',
    returnsDeletedObject: true,
  },
  async () => (await import('./resource-claim-template.js')).resourceClaimTemplateRules,
);

/** resource/v1alpha3 ResourceClaim: a request for devices. */
export const resourceClaim = defineKind(
  {
    groupStem: 'resource',
    version: 'v1alpha3',
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    scope: 'Namespaced',
    returnsDeletedObject: true,
    subresources: { status: {} },
  },
  async () => (await import('./resource-claim.js')).resourceClaimRules,
);

/** resource/v1alpha3 ResourceSlice: devices of one driver in a pool. */
export const resourceSlice = defineKind(
  {
    groupStem: 'resource',
    version: 'v1alpha3',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    scope: 'Cluster',
    tracksGeneration: true,
    returnsDeletedObject: true,
  },
  async () => (await import('./resource-slice.js')).resourceSliceRules,
);

/** The kinds of the group resource. */
export const resourceKinds: readonly ResourceDefinition[] = [
  deviceClass,
  resourceClaim,
  resourceClaimTemplate,
  podSchedulingContext,
  resourceSlice,
];
