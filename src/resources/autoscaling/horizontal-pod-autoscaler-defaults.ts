import type { Dialect } from '../../meta/dialect.js';
import type { Draft } from '../../registry/strategy.js';
import type { HorizontalPodAutoscaler, HPAScalingRules, MetricSpec } from './autoscaling-v2.types.js';
import { withoutOldMetrics } from './old-metrics.js';

/** Percentage of the CPU that the pods request. */
const DEFAULT_UTILIZATION = 80;
/** Period of the default scaling policies in seconds. */
const PERIOD = 15;

/** Returns a metric for the average CPU utilization of pods in percent. */
export const processorMetric = (averageUtilization = DEFAULT_UTILIZATION): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** Sets the defaults of an autoscaler, and removes the annotations that autoscaling/v1 uses itself. */
export function setHorizontalPodAutoscalerDefaults(draft: Draft<HorizontalPodAutoscaler>, dialect: Dialect): void {
  const { metadata, spec } = draft;
  const annotations = withoutOldMetrics(metadata.annotations, dialect);
  if (annotations === undefined) delete metadata.annotations;
  else if (annotations !== metadata.annotations) metadata.annotations = { ...annotations };
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) spec.metrics = [processorMetric() as Draft<MetricSpec>]; // a new object
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
