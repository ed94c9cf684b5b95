import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from './autoscaling-v1.types.js';
export type { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler.js';

/** autoscaling/v2 HorizontalPodAutoscaler: changes the number of pods to keep metrics at a target. */
export const horizontalPodAutoscaler = defineKind(
  {
    groupStem: 'autoscaling',
    version: 'v2',
    knownVersions: ['v1', 'v2beta1', 'v2beta2'],
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    scope: 'Namespaced',
    subresources: { status: {} },
  },
  async () => (await import('./horizontal-pod-autoscaler.js')).horizontalPodAutoscalerRules,
);

/** autoscaling/v1 HorizontalPodAutoscaler: the objects of autoscaling/v2, with annotations for the fields that v1 does not have. */
export const horizontalPodAutoscalerV1 = defineKind(
  {
    groupStem: 'autoscaling',
    version: 'v1',
    knownVersions: ['v2', 'v2beta1', 'v2beta2'],
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    scope: 'Namespaced',
    subresources: { status: {} },
    storedAs: horizontalPodAutoscaler,
  },
  async () => (await import('./horizontal-pod-autoscaler-v1.js')).horizontalPodAutoscalerV1Rules,
);

/** The kinds of the group autoscaling. */
export const autoscalingKinds: readonly ResourceDefinition[] = [horizontalPodAutoscaler, horizontalPodAutoscalerV1];
