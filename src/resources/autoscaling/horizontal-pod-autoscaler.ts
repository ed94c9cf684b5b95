import { defineRules } from '../../registry/built-in-kind.js';
import { keepSpec, keepStatus } from '../fragments/workload.js';
import { autoscalingV2 } from './autoscaling-v2.js';
import type { HorizontalPodAutoscaler } from './autoscaling-v2.types.js';
import { autoscalerColumns } from './horizontal-pod-autoscaler-columns.js';
import { setHorizontalPodAutoscalerDefaults } from './horizontal-pod-autoscaler-defaults.js';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatus,
} from './horizontal-pod-autoscaler-validation.js';

export type { HorizontalPodAutoscaler } from './autoscaling-v2.types.js';

export const horizontalPodAutoscalerRules = defineRules({
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
