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

/** How many pods an object has. */
export interface Scale extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The wanted number. */
  readonly spec: ScaleSpec;
  /** The observed number. */
  readonly status: ScaleStatus;
}

/** The wanted number. */
export interface ScaleSpec {
  /** The number of pods wanted. */
  readonly replicas?: number;
}

/** The observed number. */
export interface ScaleStatus {
  /** The number of pods there. */
  readonly replicas: number;
  /** Picks the pods, as text. */
  readonly selector?: string;
}

/** Keeps the processor time of pods at some value by changing their number. */
export interface HorizontalPodAutoscaler extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The bounds and the aim. */
  readonly spec: HorizontalPodAutoscalerSpec;
  /** The observed pods. */
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
  /** The processor time to keep to, in percent of the requested. */
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
  /** The generation that was last looked at. */
  readonly observedGeneration?: number;
  /** When the number last changed. */
  readonly lastScaleTime?: string;
  /** The number of pods. */
  readonly currentReplicas: number;
  /** The number of pods wanted. */
  readonly desiredReplicas: number;
  /** The observed processor time, in percent of the requested. */
  readonly currentCPUUtilizationPercentage?: number;
}
