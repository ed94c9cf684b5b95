// Made by `npm run api-types` of autoscaling-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface AutoscalingV1 {
  Scale: Scale;
  ScaleSpec: ScaleSpec;
  ScaleStatus: ScaleStatus;
  HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  HorizontalPodAutoscalerSpec: HorizontalPodAutoscalerSpec;
  CrossVersionObjectReference: CrossVersionObjectReference;
  HorizontalPodAutoscalerStatus: HorizontalPodAutoscalerStatus;
}

/** The number of pods of an object. */
export interface Scale extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired number. */
  readonly spec: ScaleSpec;
  /** The observed number. */
  readonly status: ScaleStatus;
}

/** The desired number. */
export interface ScaleSpec {
  /** The desired number of pods. */
  readonly replicas?: number;
}

/** The observed number. */
export interface ScaleStatus {
  /** The current number of pods. */
  readonly replicas: number;
  /** Selects the pods, as a string. */
  readonly selector?: string;
}

/** Changes the number of pods to keep their CPU usage near a target. */
export interface HorizontalPodAutoscaler extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The limits and the targets. */
  readonly spec: HorizontalPodAutoscalerSpec;
  /** The observed pods. */
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
  /** The target of the CPU usage, in percent of the requests. */
  readonly targetCPUUtilizationPercentage?: number;
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

/** The observed pods. */
export interface HorizontalPodAutoscalerStatus {
  /** The generation that was last processed. */
  readonly observedGeneration?: number;
  /** When the number of pods last changed. */
  readonly lastScaleTime?: string;
  /** The number of pods. */
  readonly currentReplicas: number;
  /** The desired number of pods. */
  readonly desiredReplicas: number;
  /** The observed CPU usage, in percent of the requests. */
  readonly currentCPUUtilizationPercentage?: number;
}
