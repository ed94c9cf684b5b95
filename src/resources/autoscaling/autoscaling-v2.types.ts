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

/** Keeps metrics of pods at some value by changing their number. */
export interface HorizontalPodAutoscaler extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The bounds and the aim. */
  readonly spec: HorizontalPodAutoscalerSpec;
  /** The observed pods and metrics. */
  readonly status: HorizontalPodAutoscalerStatus;
}

/** The bounds and the aim. */
export interface HorizontalPodAutoscalerSpec {
  /** The object to scale. */
  readonly scaleTargetRef: CrossVersionObjectReference;
  /** The least number of pods. */
  readonly minReplicas?: number;
  /** The greatest number of pods. */
  readonly maxReplicas: number;
  /** Metrics and the values they are to have. */
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

/** A metric, and the value it is to have. */
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
  /** A metric of nothing in here. */
  readonly external?: ExternalMetricSource;
}

/** A metric of another object. */
export interface ObjectMetricSource {
  /** The object. */
  readonly describedObject: CrossVersionObjectReference;
  /** The wanted value. */
  readonly target: MetricTarget;
  /** The metric. */
  readonly metric: MetricIdentifier;
}

/** The wanted value of a metric. */
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
  /** Picks series of the metric. */
  readonly selector?: meta.LabelSelector;
}

/** A metric of each pod. */
export interface PodsMetricSource {
  /** The metric. */
  readonly metric: MetricIdentifier;
  /** The wanted value. */
  readonly target: MetricTarget;
}

/** A resource that pods request. */
export interface ResourceMetricSource {
  /** Name of the resource. */
  readonly name: core.ResourceName;
  /** The wanted value. */
  readonly target: MetricTarget;
}

/** A resource that one container of each pod requests. */
export interface ContainerResourceMetricSource {
  /** Name of the resource. */
  readonly name: core.ResourceName;
  /** The wanted value. */
  readonly target: MetricTarget;
  /** Name of the container. */
  readonly container: string;
}

/** A metric of nothing in here. */
export interface ExternalMetricSource {
  /** The metric. */
  readonly metric: MetricIdentifier;
  /** The wanted value. */
  readonly target: MetricTarget;
}

/** How fast the number changes. */
export interface HorizontalPodAutoscalerBehavior {
  /** When it grows. */
  readonly scaleUp?: HPAScalingRules;
  /** When it falls. */
  readonly scaleDown?: HPAScalingRules;
}

/** How fast the number changes in one direction. */
export interface HPAScalingRules {
  /** Seconds of the past that are taken into account. */
  readonly stabilizationWindowSeconds?: number;
  /** Which policy holds: Max, Min or Disabled. */
  readonly selectPolicy?: ScalingPolicySelect;
  /** How much may change in some time. */
  readonly policies?: readonly HPAScalingPolicy[];
}

/** How much may change in some time. */
export interface HPAScalingPolicy {
  /** Pods or Percent. */
  readonly type: HPAScalingPolicyType;
  /** How much. */
  readonly value: number;
  /** Seconds. */
  readonly periodSeconds: number;
}

/** The observed pods and metrics. */
export interface HorizontalPodAutoscalerStatus extends Filled<'currentMetrics'> {
  /** The generation that was last looked at. */
  readonly observedGeneration?: number;
  /** When the number last changed. */
  readonly lastScaleTime?: string;
  /** The number of pods. */
  readonly currentReplicas?: number;
  /** The number of pods wanted. */
  readonly desiredReplicas: number;
  /** Metrics and the values they have. */
  readonly currentMetrics: readonly MetricStatus[] | null;
  /** The conditions. */
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[];
}

/** A metric, and the value it has. */
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
  /** A metric of nothing in here. */
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

/** A metric of nothing in here. */
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
