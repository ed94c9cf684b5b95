import { defineRules } from '../../registry/built-in-kind.js';
import { keepSpec, keepStatus } from '../fragments/workload.js';
import { autoscalerColumns } from './horizontal-pod-autoscaler-columns.js';
import { setHorizontalPodAutoscalerDefaults } from './horizontal-pod-autoscaler-defaults.js';
import { type HorizontalPodAutoscaler, horizontalPodAutoscalerSchema } from './horizontal-pod-autoscaler-schema.js';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatus,
} from './horizontal-pod-autoscaler-validation.js';

export type { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler-schema.js';

export const horizontalPodAutoscalerRules = defineRules({
  schema: horizontalPodAutoscalerSchema,
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
