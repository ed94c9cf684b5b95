import { defineResource } from '../../registry/resource-definition.js';
import { keepSpec, keepStatus } from '../shared/workload.js';
import { autoscalingV2 } from './autoscaling-v2.js';
import type { HorizontalPodAutoscaler } from './autoscaling-v2.types.js';
import { autoscalerColumns } from './horizontal-pod-autoscaler-columns.js';
import { setHorizontalPodAutoscalerDefaults } from './horizontal-pod-autoscaler-defaults.js';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatus,
} from './horizontal-pod-autoscaler-validation.js';

export type { HorizontalPodAutoscaler } from './autoscaling-v2.types.js';

/** autoscaling/v2 HorizontalPodAutoscaler: changes the number of pods to keep metrics at a target. */
export const horizontalPodAutoscaler = defineResource({
  groupStem: 'autoscaling',
  version: 'v2',
  knownVersions: ['v1', 'v2beta1', 'v2beta2'],
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  scope: 'Namespaced',
  schema: autoscalingV2.struct('HorizontalPodAutoscaler'),
  setDefaults: setHorizontalPodAutoscalerDefaults,
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft) {
      draft.status = { desiredReplicas: 0, currentMetrics: null };
    },
    prepareForUpdate: keepStatus,
    validate: (object, { host: { gates } }) => validateHorizontalPodAutoscaler(object, undefined, gates),
    validateUpdate: (next, old, { host: { gates } }) => validateHorizontalPodAutoscaler(next, old, gates),
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: { prepareForUpdate: keepSpec, validateUpdate: validateHorizontalPodAutoscalerStatus },
    },
  },
  columns: autoscalerColumns<HorizontalPodAutoscaler>((object) => object),
});
