import {
  always,
  type Fields,
  listAtomic,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
  struct,
  time,
} from '../../schema/authoring.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { count, long, text } from '../fragments/core-struct.js';
import { byType } from '../fragments/workload.js';

/* @__NO_SIDE_EFFECTS__ */
function v2Struct<const F extends Fields>(name: string, description: string, fields: () => F) {
  return struct(`io.k8s.api.autoscaling.v2.${name}`, description, fields);
}

const typeName = (name: string) => string<string>({ typeName: `v2.${name}` });
const resourceName = string({ typeName: 'v1.ResourceName' });
const amount = quantity();

/** Names an object of some version. */
const objectReference = v2Struct('CrossVersionObjectReference', 'Names an object.', () => ({
  kind: required(text, 1, 'Kind of the object.'),
  name: required(text, 2, 'Name of the object.'),
  apiVersion: omitEmpty(text, 3, 'Group and version of the object.'),
}));

const metricIdentifier = v2Struct('MetricIdentifier', 'Names a metric.', () => ({
  name: required(text, 1, 'Name of the metric.'),
  selector: omitNull(metaV1.struct('LabelSelector'), 2, 'Picks series of the metric.'),
}));

const metricTarget = v2Struct('MetricTarget', 'The wanted value of a metric.', () => ({
  type: required(typeName('MetricTargetType'), 1, 'Utilization, Value or AverageValue.'),
  value: omitNull(amount, 2, 'The value.'),
  averageValue: omitNull(amount, 3, 'The average over all pods.'),
  averageUtilization: omitNull(count, 4, 'The average in percent of what the pods request.'),
}));

const metricValue = v2Struct('MetricValueStatus', 'The observed value of a metric.', () => ({
  value: omitNull(amount, 1, 'The value.'),
  averageValue: omitNull(amount, 2, 'The average over all pods.'),
  averageUtilization: omitNull(count, 3, 'The average in percent of what the pods request.'),
}));

const metricSpec = v2Struct('MetricSpec', 'A metric, and the value it is to have.', () => ({
  type: required(typeName('MetricSourceType'), 1, 'ContainerResource, External, Object, Pods or Resource.'),
  object: omitNull(
    v2Struct('ObjectMetricSource', 'A metric of another object.', () => ({
      describedObject: required(objectReference, 1, 'The object.'),
      target: required(metricTarget, 2, 'The wanted value.'),
      metric: required(metricIdentifier, 3, 'The metric.'),
    })),
    2,
    'A metric of another object.',
  ),
  pods: omitNull(
    v2Struct('PodsMetricSource', 'A metric of each pod.', () => ({
      metric: required(metricIdentifier, 1, 'The metric.'),
      target: required(metricTarget, 2, 'The wanted value.'),
    })),
    3,
    'A metric of each pod.',
  ),
  resource: omitNull(
    v2Struct('ResourceMetricSource', 'A resource that pods request.', () => ({
      name: required(resourceName, 1, 'Name of the resource.'),
      target: required(metricTarget, 2, 'The wanted value.'),
    })),
    4,
    'A resource that pods request.',
  ),
  containerResource: omitNull(
    v2Struct('ContainerResourceMetricSource', 'A resource that one container of each pod requests.', () => ({
      name: required(resourceName, 1, 'Name of the resource.'),
      target: required(metricTarget, 2, 'The wanted value.'),
      container: required(text, 3, 'Name of the container.'),
    })),
    7,
    'A resource that one container of each pod requests.',
  ),
  external: omitNull(
    v2Struct('ExternalMetricSource', 'A metric of nothing in here.', () => ({
      metric: required(metricIdentifier, 1, 'The metric.'),
      target: required(metricTarget, 2, 'The wanted value.'),
    })),
    5,
    'A metric of nothing in here.',
  ),
}));
export type MetricSpec = OutputOf<typeof metricSpec>;
export type MetricTarget = OutputOf<typeof metricTarget>;

const metricStatus = v2Struct('MetricStatus', 'A metric, and the value it has.', () => ({
  type: required(typeName('MetricSourceType'), 1, 'ContainerResource, External, Object, Pods or Resource.'),
  object: omitNull(
    v2Struct('ObjectMetricStatus', 'A metric of another object.', () => ({
      metric: required(metricIdentifier, 1, 'The metric.'),
      current: required(metricValue, 2, 'The observed value.'),
      describedObject: required(objectReference, 3, 'The object.'),
    })),
    2,
    'A metric of another object.',
  ),
  pods: omitNull(
    v2Struct('PodsMetricStatus', 'A metric of each pod.', () => ({
      metric: required(metricIdentifier, 1, 'The metric.'),
      current: required(metricValue, 2, 'The observed value.'),
    })),
    3,
    'A metric of each pod.',
  ),
  resource: omitNull(
    v2Struct('ResourceMetricStatus', 'A resource that pods request.', () => ({
      name: required(resourceName, 1, 'Name of the resource.'),
      current: required(metricValue, 2, 'The observed value.'),
    })),
    4,
    'A resource that pods request.',
  ),
  containerResource: omitNull(
    v2Struct('ContainerResourceMetricStatus', 'A resource that one container of each pod requests.', () => ({
      name: required(resourceName, 1, 'Name of the resource.'),
      current: required(metricValue, 2, 'The observed value.'),
      container: required(text, 3, 'Name of the container.'),
    })),
    7,
    'A resource that one container of each pod requests.',
  ),
  external: omitNull(
    v2Struct('ExternalMetricStatus', 'A metric of nothing in here.', () => ({
      metric: required(metricIdentifier, 1, 'The metric.'),
      current: required(metricValue, 2, 'The observed value.'),
    })),
    5,
    'A metric of nothing in here.',
  ),
}));
export type MetricStatus = OutputOf<typeof metricStatus>;

const scalingPolicy = v2Struct('HPAScalingPolicy', 'How much may change in some time.', () => ({
  type: required(typeName('HPAScalingPolicyType'), 1, 'Pods or Percent.'),
  value: required(count, 2, 'How much.'),
  periodSeconds: required(count, 3, 'Seconds.'),
}));

const scalingRules = v2Struct('HPAScalingRules', 'How fast the number changes in one direction.', () => ({
  stabilizationWindowSeconds: omitNull(count, 3, 'Seconds of the past that are taken into account.'),
  selectPolicy: omitNull(typeName('ScalingPolicySelect'), 1, 'Which policy holds: Max, Min or Disabled.'),
  // An empty list is not none: it is refused, and gets no defaults.
  policies: omitNull(listAtomic(scalingPolicy), 2, 'How much may change in some time.'),
}));
export type ScalingRules = OutputOf<typeof scalingRules>;

export const behavior = v2Struct('HorizontalPodAutoscalerBehavior', 'How fast the number changes.', () => ({
  scaleUp: omitNull(scalingRules, 1, 'When it grows.'),
  scaleDown: omitNull(scalingRules, 2, 'When it falls.'),
}));

const condition = v2Struct('HorizontalPodAutoscalerCondition', 'A condition of the autoscaler.', () => ({
  type: required(typeName('HorizontalPodAutoscalerConditionType'), 1, 'Type of the condition.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  lastTransitionTime: always(time(), 3, 'When its status last changed.'),
  reason: omitEmpty(text, 4, 'The reason, in one word.'),
  message: omitEmpty(text, 5, 'The reason, for people.'),
}));

const _status = v2Struct('HorizontalPodAutoscalerStatus', 'The observed pods and metrics.', () => ({
  observedGeneration: omitNull(long, 1, 'The generation that was last looked at.'),
  lastScaleTime: omitNull(time(), 2, 'When the number last changed.'),
  currentReplicas: omitEmpty(count, 3, 'The number of pods.'),
  desiredReplicas: required(count, 4, 'The number of pods wanted.'),
  currentMetrics: always(listAtomic(metricStatus), 5, 'Metrics and the values they have.'),
  conditions: omitEmpty(listMap(condition, ['type']), 6, 'The conditions.', byType),
}));
