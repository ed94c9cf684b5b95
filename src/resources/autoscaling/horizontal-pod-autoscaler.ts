import type { Dialect } from '../../meta/dialect.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { keepSpec, keepStatus } from '../shared/workload.js';
import { autoscalingV2 } from './autoscaling-v2.js';
import type { HorizontalPodAutoscaler, HPAScalingRules, MetricSpec } from './autoscaling-v2.types.js';
import { autoscalerColumns } from './horizontal-pod-autoscaler-columns.js';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatus,
} from './horizontal-pod-autoscaler-validation.js';
import { withoutOldMetrics } from './old-metrics.js';

export type { HorizontalPodAutoscaler } from './autoscaling-v2.types.js';

/** autoscaling/v2 HorizontalPodAutoscaler: changes the number of pods to keep metrics at a target. */
export const horizontalPodAutoscaler = defineResource({
  groupStem: 'autoscaling',
  version: 'v2',
  knownVersions: ['v1', 'v2beta1', 'v2beta2'],
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  metadataChecks: ['changes'],
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

/** The default target of CPU use, as a percentage of the CPU that the pods request. */
const DEFAULT_UTILIZATION = 80;
/** Period of the default scaling policies in seconds. */
const PERIOD = 15;

/** Returns a metric for the average CPU utilization of pods in percent. */
export const processorMetric = (averageUtilization = DEFAULT_UTILIZATION): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** Sets the defaults of an autoscaler, and removes the annotations that are reserved for the conversion to autoscaling/v1. */
export function setHorizontalPodAutoscalerDefaults(draft: Draft<HorizontalPodAutoscaler>, dialect: Dialect): void {
  const { metadata, spec } = draft;
  const annotations = withoutOldMetrics(metadata.annotations, dialect);
  if (annotations === undefined) delete metadata.annotations;
  else if (annotations !== metadata.annotations) metadata.annotations = { ...annotations };
  spec.minReplicas ??= 1;
  // `processorMetric` returns a new object for each call, so the draft may contain it.
  if ((spec.metrics ?? []).length === 0) spec.metrics = [processorMetric() as Draft<MetricSpec>];
  if (!spec.behavior) return;
  spec.behavior.scaleUp = withDefaults(spec.behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    policies: [
      { type: 'Pods', value: 4, periodSeconds: PERIOD },
      { type: 'Percent', value: 100, periodSeconds: PERIOD },
    ],
  });
  spec.behavior.scaleDown = withDefaults(spec.behavior.scaleDown, {
    policies: [{ type: 'Percent', value: 100, periodSeconds: PERIOD }],
  });
}

const withDefaults = (
  rules: Draft<HPAScalingRules> | undefined,
  defaults: Draft<HPAScalingRules>,
): Draft<HPAScalingRules> => ({
  ...(defaults.stabilizationWindowSeconds === undefined
    ? {}
    : { stabilizationWindowSeconds: defaults.stabilizationWindowSeconds }),
  selectPolicy: 'Max',
  policies: defaults.policies ?? [],
  ...rules,
});
