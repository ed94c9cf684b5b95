import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { coreV1 } from '../core/core-v1.js';
import type { AutoscalingV2 } from './autoscaling-v2.types.js';

/** The structs of autoscaling/v2. */
export const autoscalingV2 = /* @__PURE__ */ fieldTable<AutoscalingV2>(
  'io.k8s.api.autoscaling.v2',
  { core: coreV1, meta: metaV1 },
  `
MetricSourceType = string
MetricTargetType = string
ScalingPolicySelect = string
HPAScalingPolicyType = string
HorizontalPodAutoscalerConditionType = string

HorizontalPodAutoscaler kind                Changes the number of pods to keep metrics near their targets.
  spec    2  HorizontalPodAutoscalerSpec    The limits and the targets.
  status  3  HorizontalPodAutoscalerStatus  The observed pods and metrics.

HorizontalPodAutoscalerSpec                            The limits and the targets.
  scaleTargetRef  1  CrossVersionObjectReference!      The object to scale.
  minReplicas     2  int32*                            The minimum number of pods.
  maxReplicas     3  int32!                            The maximum number of pods.
  metrics         4  []MetricSpec atomic?              The metrics and their targets.
  behavior        5  HorizontalPodAutoscalerBehavior*  How fast the number changes.

CrossVersionObjectReference  Names an object.
  kind        1  string!  Kind of the object.
  name        2  string!  Name of the object.
  apiVersion  3  string?  Group and version of the object.

MetricSpec                                              A metric and its target.
  type               1  MetricSourceType!               ContainerResource, External, Object, Pods or Resource.
  object             2  ObjectMetricSource*             A metric of another object.
  pods               3  PodsMetricSource*               A metric of each pod.
  resource           4  ResourceMetricSource*           A resource that pods request.
  containerResource  7  ContainerResourceMetricSource*  A resource that one container of each pod requests.
  external           5  ExternalMetricSource*           A metric from outside the cluster.

ObjectMetricSource                                  A metric of another object.
  describedObject  1  CrossVersionObjectReference!  The object.
  target           2  MetricTarget!                 The target value.
  metric           3  MetricIdentifier!             The metric.

MetricTarget                                The target value of a metric.
  type                1  MetricTargetType!  Utilization, Value or AverageValue.
  value               2  Quantity*          The value.
  averageValue        3  Quantity*          The average over all pods.
  averageUtilization  4  int32*             The average in percent of what the pods request.

MetricIdentifier                    Names a metric.
  name      1  string!              Name of the metric.
  selector  2  meta.LabelSelector*  Selects series of the metric.

PodsMetricSource                A metric of each pod.
  metric  1  MetricIdentifier!  The metric.
  target  2  MetricTarget!      The target value.

ResourceMetricSource             A resource that pods request.
  name    1  core.ResourceName!  Name of the resource.
  target  2  MetricTarget!       The target value.

ContainerResourceMetricSource       A resource that one container of each pod requests.
  name       1  core.ResourceName!  Name of the resource.
  target     2  MetricTarget!       The target value.
  container  3  string!             Name of the container.

ExternalMetricSource            A metric from outside the cluster.
  metric  1  MetricIdentifier!  The metric.
  target  2  MetricTarget!      The target value.

HorizontalPodAutoscalerBehavior   How fast the number changes.
  scaleUp    1  HPAScalingRules*  How fast the number increases.
  scaleDown  2  HPAScalingRules*  How fast the number decreases.

HPAScalingRules                                              How fast the number changes in one direction.
  stabilizationWindowSeconds  3  int32*                      The seconds of past recommendations that are considered.
  selectPolicy                1  ScalingPolicySelect*        The policy that is used: Max, Min or Disabled.
  policies                    2  []HPAScalingPolicy atomic*  The maximum change within a period.

HPAScalingPolicy                           The maximum change within a period.
  type           1  HPAScalingPolicyType!  Pods or Percent.
  value          2  int32!                 The maximum change.
  periodSeconds  3  int32!                 The length of the period, in seconds.

HorizontalPodAutoscalerStatus                                          The observed pods and metrics.
  observedGeneration  1  int64*                                        The generation that was last processed.
  lastScaleTime       2  Time*                                         When the number of pods last changed.
  currentReplicas     3  int32?                                        The number of pods.
  desiredReplicas     4  int32!                                        The desired number of pods.
  currentMetrics      5  []MetricStatus atomic                         The metrics and their current values.
  conditions          6  []HorizontalPodAutoscalerCondition by(type)? merge key(type)  The conditions.

MetricStatus                                            A metric and its current value.
  type               1  MetricSourceType!               ContainerResource, External, Object, Pods or Resource.
  object             2  ObjectMetricStatus*             A metric of another object.
  pods               3  PodsMetricStatus*               A metric of each pod.
  resource           4  ResourceMetricStatus*           A resource that pods request.
  containerResource  7  ContainerResourceMetricStatus*  A resource that one container of each pod requests.
  external           5  ExternalMetricStatus*           A metric from outside the cluster.

ObjectMetricStatus                                  A metric of another object.
  metric           1  MetricIdentifier!             The metric.
  current          2  MetricValueStatus!            The observed value.
  describedObject  3  CrossVersionObjectReference!  The object.

MetricValueStatus                   The observed value of a metric.
  value               1  Quantity*  The value.
  averageValue        2  Quantity*  The average over all pods.
  averageUtilization  3  int32*     The average in percent of what the pods request.

PodsMetricStatus                  A metric of each pod.
  metric   1  MetricIdentifier!   The metric.
  current  2  MetricValueStatus!  The observed value.

ResourceMetricStatus              A resource that pods request.
  name     1  core.ResourceName!  Name of the resource.
  current  2  MetricValueStatus!  The observed value.

ContainerResourceMetricStatus       A resource that one container of each pod requests.
  name       1  core.ResourceName!  Name of the resource.
  current    2  MetricValueStatus!  The observed value.
  container  3  string!             Name of the container.

ExternalMetricStatus              A metric from outside the cluster.
  metric   1  MetricIdentifier!   The metric.
  current  2  MetricValueStatus!  The observed value.

HorizontalPodAutoscalerCondition                                A condition of the autoscaler.
  type                1  HorizontalPodAutoscalerConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!                  True, False or Unknown.
  lastTransitionTime  3  Time                                   When its status last changed.
  reason              4  string?                                The reason, in one word.
  message             5  string?                                The reason, for people.
`,
);
