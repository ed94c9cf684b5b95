import {
  always,
  type Fields,
  int32,
  list,
  type OutputOf,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
  struct,
  structSchema,
  time,
} from '../../schema/authoring.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { autoscalingV2 } from './autoscaling-v2.js';

const text = string();
const count = int32();

/* The structs of metrics in the form in which autoscaling/v1 stores them in annotations, because it has no fields for them. The members
   are in wire order. */

/* @__NO_SIDE_EFFECTS__ */
function v1Struct<const F extends Fields>(name: string, fields: () => F) {
  return struct(`io.k8s.api.autoscaling.v1.${name}`, '', fields);
}

const amount = quantity();

const objectReference = v1Struct('CrossVersionObjectReference', () => ({
  kind: required(text),
  name: required(text),
  apiVersion: omitEmpty(text),
}));

const metricSpec = v1Struct('MetricSpec', () => ({
  type: required(text),
  object: omitNull(
    v1Struct('ObjectMetricSource', () => ({
      target: required(objectReference),
      metricName: required(text),
      targetValue: required(amount),
      selector: omitNull(metaV1.struct('LabelSelector')),
      averageValue: omitNull(amount),
    })),
  ),
  pods: omitNull(
    v1Struct('PodsMetricSource', () => ({
      metricName: required(text),
      targetAverageValue: required(amount),
      selector: omitNull(metaV1.struct('LabelSelector')),
    })),
  ),
  resource: omitNull(
    v1Struct('ResourceMetricSource', () => ({
      name: required(text),
      targetAverageUtilization: omitNull(count),
      targetAverageValue: omitNull(amount),
    })),
  ),
  containerResource: omitNull(
    v1Struct('ContainerResourceMetricSource', () => ({
      name: required(text),
      targetAverageUtilization: omitNull(count),
      targetAverageValue: omitNull(amount),
      container: required(text),
    })),
  ),
  external: omitNull(
    v1Struct('ExternalMetricSource', () => ({
      metricName: required(text),
      metricSelector: omitNull(metaV1.struct('LabelSelector')),
      targetValue: omitNull(amount),
      targetAverageValue: omitNull(amount),
    })),
  ),
}));
export type OldMetricSpec = OutputOf<typeof metricSpec>;

const metricStatus = v1Struct('MetricStatus', () => ({
  type: required(text),
  object: omitNull(
    v1Struct('ObjectMetricStatus', () => ({
      target: required(objectReference),
      metricName: required(text),
      currentValue: required(amount),
      selector: omitNull(metaV1.struct('LabelSelector')),
      averageValue: omitNull(amount),
    })),
  ),
  pods: omitNull(
    v1Struct('PodsMetricStatus', () => ({
      metricName: required(text),
      currentAverageValue: required(amount),
      selector: omitNull(metaV1.struct('LabelSelector')),
    })),
  ),
  resource: omitNull(
    v1Struct('ResourceMetricStatus', () => ({
      name: required(text),
      currentAverageUtilization: omitNull(count),
      currentAverageValue: required(amount),
    })),
  ),
  containerResource: omitNull(
    v1Struct('ContainerResourceMetricStatus', () => ({
      name: required(text),
      currentAverageUtilization: omitNull(count),
      currentAverageValue: required(amount),
      container: required(text),
    })),
  ),
  external: omitNull(
    v1Struct('ExternalMetricStatus', () => ({
      metricName: required(text),
      metricSelector: omitNull(metaV1.struct('LabelSelector')),
      currentValue: required(amount),
      currentAverageValue: omitNull(amount),
    })),
  ),
}));
export type OldMetricStatus = OutputOf<typeof metricStatus>;

const condition = v1Struct('HorizontalPodAutoscalerCondition', () => ({
  type: required(text),
  status: required(text),
  lastTransitionTime: always(time()),
  reason: omitEmpty(text),
  message: omitEmpty(text),
}));

/** A struct with one member for each of the four annotations. */
const oldMetrics = v1Struct('Annotations', () => ({
  metrics: omitEmpty(list(metricSpec)),
  'current-metrics': omitEmpty(list(metricStatus)),
  conditions: omitEmpty(list(condition)),
  behavior: omitNull(autoscalingV2.struct('HorizontalPodAutoscalerBehavior')),
}));
export type OldMetrics = OutputOf<typeof oldMetrics>;
export const oldMetricsSchema = structSchema(oldMetrics);
