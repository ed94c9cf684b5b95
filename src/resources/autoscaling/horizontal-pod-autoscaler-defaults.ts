import type { Dialect } from '../../meta/dialect.js';
import type { Draft } from '../../registry/strategy.js';
import type { HorizontalPodAutoscaler, HPAScalingRules, MetricSpec } from './autoscaling-v2.types.js';
import { withoutOldMetrics } from './old-metrics.js';

/** Percent of the processor time that pods request. */
const DEFAULT_UTILIZATION = 80;
/** Seconds in which the default policies look at changes. */
const PERIOD = 15;

/** The processor time of pods, as a metric to keep at a number of percent. */
export const processorMetric = (averageUtilization = DEFAULT_UTILIZATION): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** Fills in what the author of an autoscaler left open; annotations that autoscaling/v1 keeps for itself go. */
export function setHorizontalPodAutoscalerDefaults(draft: Draft<HorizontalPodAutoscaler>, dialect: Dialect): void {
  const { metadata, spec } = draft;
  const annotations = withoutOldMetrics(metadata.annotations, dialect);
  if (annotations === undefined) delete metadata.annotations;
  else if (annotations !== metadata.annotations) metadata.annotations = { ...annotations };
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) spec.metrics = [processorMetric() as Draft<MetricSpec>]; // made for this
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
