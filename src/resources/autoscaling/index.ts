import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.js';
import { horizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler-v1.js';

export { type HorizontalPodAutoscaler, horizontalPodAutoscaler } from './horizontal-pod-autoscaler.js';
export { type HorizontalPodAutoscalerV1, horizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler-v1.js';

/** The kinds of the group autoscaling. */
export const autoscalingKinds: readonly ResourceDefinition[] = [horizontalPodAutoscaler, horizontalPodAutoscalerV1];
