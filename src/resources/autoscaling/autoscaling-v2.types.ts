// Made by `npm run api-types` of autoscaling-v2.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as core from '../core/core-v1.types.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface AutoscalingV2 {
  HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  HorizontalPodAutoscalerSpec: HorizontalPodAutoscalerSpec;
  CrossVersionObjectReference: CrossVersionObjectReference;
  MetricSpec: MetricSpec;
  ObjectMetricSource: ObjectMetricSource;
  MetricTarget: MetricTarget;
  MetricIdentifier: MetricIdentifier;
  PodsMetricSource: PodsMetricSource;
  ResourceMetricSource: ResourceMetricSource;
  ContainerResourceMetricSource: ContainerResourceMetricSource;
  ExternalMetricSource: ExternalMetricSource;
  HorizontalPodAutoscalerBehavior: HorizontalPodAutoscalerBehavior;
  HPAScalingRules: HPAScalingRules;
  HPAScalingPolicy: HPAScalingPolicy;
  HorizontalPodAutoscalerStatus: HorizontalPodAutoscalerStatus;
  MetricStatus: MetricStatus;
  ObjectMetricStatus: ObjectMetricStatus;
  MetricValueStatus: MetricValueStatus;
  PodsMetricStatus: PodsMetricStatus;
  ResourceMetricStatus: ResourceMetricStatus;
  ContainerResourceMetricStatus: ContainerResourceMetricStatus;
  ExternalMetricStatus: ExternalMetricStatus;
  HorizontalPodAutoscalerCondition: HorizontalPodAutoscalerCondition;
}

export type MetricSourceType = string;

export type MetricTargetType = string;

export type ScalingPolicySelect = string;

export type HPAScalingPolicyType = string;

export type HorizontalPodAutoscalerConditionType = string;

/** Changes the number of pods to keep metrics near their targets. */
export interface HorizontalPodAutoscaler extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The limits and the targets. */
  readonly spec: HorizontalPodAutoscalerSpec;
  /** The observed pods and metrics. */
  readonly status: HorizontalPodAutoscalerStatus;
}

/** The limits and the targets. */
export interface HorizontalPodAutoscalerSpec {
  /** The object to scale. */
  readonly scaleTargetRef: CrossVersionObjectReference;
  /** The minimum number of pods. */
  readonly minReplicas?: number;
  /** The maximum number of pods. */
  readonly maxReplicas: number;
  /** The metrics and their targets. */
  readonly metrics?: readonly MetricSpec[];
  /** How fast the number changes. */
  readonly behavior?: HorizontalPodAutoscalerBehavior;
}

/** Names an object. */
export interface CrossVersionObjectReference {
  /** Kind of the object. */
  readonly kind: string;
  /** Name of the object. */
  readonly name: string;
  /** Group and version of the object. */
  readonly apiVersion?: string;
}

/** A metric and its target. */
export interface MetricSpec {
  /** ContainerResource, External, Object, Pods or Resource. */
  readonly type: MetricSourceType;
  /** A metric of another object. */
  readonly object?: ObjectMetricSource;
  /** A metric of each pod. */
  readonly pods?: PodsMetricSource;
  /** A resource that pods request. */
  readonly resource?: ResourceMetricSource;
  /** A resource that one container of each pod requests. */
  readonly containerResource?: ContainerResourceMetricSource;
  /** A metric from outside the cluster. */
  readonly external?: ExternalMetricSource;
}

/** A metric of another object. */
export interface ObjectMetricSource {
  /** The object. */
  readonly describedObject: CrossVersionObjectReference;
  /** The target value. */
  readonly target: MetricTarget;
  /** The metric. */
  readonly metric: MetricIdentifier;
}

/** The target value of a metric. */
export interface MetricTarget {
  /** Utilization, Value or AverageValue. */
  readonly type: MetricTargetType;
  /** The value. */
  readonly value?: string;
  /** The average over all pods. */
  readonly averageValue?: string;
  /** The average in percent of what the pods request. */
  readonly averageUtilization?: number;
}

/** Names a metric. */
export interface MetricIdentifier {
  /** Name of the metric. */
  readonly name: string;
  /** Selects series of the metric. */
  readonly selector?: meta.LabelSelector;
}

/** A metric of each pod. */
export interface PodsMetricSource {
  /** The metric. */
  readonly metric: MetricIdentifier;
  /** The target value. */
  readonly target: MetricTarget;
}

/** A resource that pods request. */
export interface ResourceMetricSource {
  /** Name of the resource. */
  readonly name: core.ResourceName;
  /** The target value. */
  readonly target: MetricTarget;
}

/** A resource that one container of each pod requests. */
export interface ContainerResourceMetricSource {
  /** Name of the resource. */
  readonly name: core.ResourceName;
  /** The target value. */
  readonly target: MetricTarget;
  /** Name of the container. */
  readonly container: string;
}

/** A metric from outside the cluster. */
export interface ExternalMetricSource {
  /** The metric. */
  readonly metric: MetricIdentifier;
  /** The target value. */
  readonly target: MetricTarget;
}

/** How fast the number changes. */
export interface HorizontalPodAutoscalerBehavior {
  /** How fast the number increases. */
  readonly scaleUp?: HPAScalingRules;
  /** How fast the number decreases. */
  readonly scaleDown?: HPAScalingRules;
}

/** How fast the number changes in one direction. */
export interface HPAScalingRules {
  /** The seconds of past recommendations that are considered. */
  readonly stabilizationWindowSeconds?: number;
  /** The policy that is used: Max, Min or Disabled. */
  readonly selectPolicy?: ScalingPolicySelect;
  /** The maximum change within a period. */
  readonly policies?: readonly HPAScalingPolicy[];
}

/** The maximum change within a period. */
export interface HPAScalingPolicy {
  /** Pods or Percent. */
  readonly type: HPAScalingPolicyType;
  /** The maximum change. */
  readonly value: number;
  /** The length of the period, in seconds. */
  readonly periodSeconds: number;
}

/** The observed pods and metrics. */
export interface HorizontalPodAutoscalerStatus extends Filled<'currentMetrics'> {
  /** The generation that was last processed. */
  readonly observedGeneration?: number;
  /** When the number of pods last changed. */
  readonly lastScaleTime?: string;
  /** The number of pods. */
  readonly currentReplicas?: number;
  /** The desired number of pods. */
  readonly desiredReplicas: number;
  /** The metrics and their current values. */
  readonly currentMetrics: readonly MetricStatus[] | null;
  /** The conditions. */
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[];
}

/** A metric and its current value. */
export interface MetricStatus {
  /** ContainerResource, External, Object, Pods or Resource. */
  readonly type: MetricSourceType;
  /** A metric of another object. */
  readonly object?: ObjectMetricStatus;
  /** A metric of each pod. */
  readonly pods?: PodsMetricStatus;
  /** A resource that pods request. */
  readonly resource?: ResourceMetricStatus;
  /** A resource that one container of each pod requests. */
  readonly containerResource?: ContainerResourceMetricStatus;
  /** A metric from outside the cluster. */
  readonly external?: ExternalMetricStatus;
}

/** A metric of another object. */
export interface ObjectMetricStatus {
  /** The metric. */
  readonly metric: MetricIdentifier;
  /** The observed value. */
  readonly current: MetricValueStatus;
  /** The object. */
  readonly describedObject: CrossVersionObjectReference;
}

/** The observed value of a metric. */
export interface MetricValueStatus {
  /** The value. */
  readonly value?: string;
  /** The average over all pods. */
  readonly averageValue?: string;
  /** The average in percent of what the pods request. */
  readonly averageUtilization?: number;
}

/** A metric of each pod. */
export interface PodsMetricStatus {
  /** The metric. */
  readonly metric: MetricIdentifier;
  /** The observed value. */
  readonly current: MetricValueStatus;
}

/** A resource that pods request. */
export interface ResourceMetricStatus {
  /** Name of the resource. */
  readonly name: core.ResourceName;
  /** The observed value. */
  readonly current: MetricValueStatus;
}

/** A resource that one container of each pod requests. */
export interface ContainerResourceMetricStatus {
  /** Name of the resource. */
  readonly name: core.ResourceName;
  /** The observed value. */
  readonly current: MetricValueStatus;
  /** Name of the container. */
  readonly container: string;
}

/** A metric from outside the cluster. */
export interface ExternalMetricStatus {
  /** The metric. */
  readonly metric: MetricIdentifier;
  /** The observed value. */
  readonly current: MetricValueStatus;
}

/** A condition of the autoscaler. */
export interface HorizontalPodAutoscalerCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: HorizontalPodAutoscalerConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}
