import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { deviceClass } from './device-class.js';
import { podSchedulingContext } from './pod-scheduling-context.js';
import { resourceClaim } from './resource-claim.js';
import { resourceClaimTemplate } from './resource-claim-template.js';
import { resourceSlice } from './resource-slice.js';

export type {
  DeviceClass,
  PodSchedulingContext,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from './resource-v1alpha3.types.js';
export { deviceClass, podSchedulingContext, resourceClaim, resourceClaimTemplate, resourceSlice };

/** The kinds of the group resource. */
export const resourceKinds: readonly ResourceDefinition[] = [
  deviceClass,
  resourceClaim,
  resourceClaimTemplate,
  podSchedulingContext,
  resourceSlice,
];
