import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { deviceClass } from './device-class.js';
import { podSchedulingContext } from './pod-scheduling-context.js';
import { resourceClaim } from './resource-claim.js';
import { resourceClaimTemplate } from './resource-claim-template.js';
import { resourceSlice } from './resource-slice.js';

export { type DeviceClass, deviceClass } from './device-class.js';
export { type PodSchedulingContext, podSchedulingContext } from './pod-scheduling-context.js';
export { type ResourceClaim, resourceClaim } from './resource-claim.js';
export { type ResourceClaimTemplate, resourceClaimTemplate } from './resource-claim-template.js';
export { type ResourceSlice, resourceSlice } from './resource-slice.js';

/** The kinds of the group resource. */
export const resourceKinds: readonly ResourceDefinition[] = [
  deviceClass,
  resourceClaim,
  resourceClaimTemplate,
  podSchedulingContext,
  resourceSlice,
];
