import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.js';
import { horizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler-v1.js';

export type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from './autoscaling-v1.types.js';
export type { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler.js';
export { horizontalPodAutoscaler, horizontalPodAutoscalerV1 };

/** The kinds of the group autoscaling. */
export const autoscalingKinds: readonly ResourceDefinition[] = [horizontalPodAutoscaler, horizontalPodAutoscalerV1];
