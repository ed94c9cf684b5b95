import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { AutoscalingV1 } from './autoscaling-v1.types.js';

/** The structs of autoscaling/v1. */
export const autoscalingV1 = /* @__PURE__ */ fieldTable<AutoscalingV1>(
  'io.k8s.api.autoscaling.v1',
  { meta: metaV1 },
  `
Scale kind                The number of pods of an object.
  spec    2  ScaleSpec    The desired number.
  status  3  ScaleStatus  The observed number.

ScaleSpec              The desired number.
  replicas  1  int32?  The desired number of pods.

ScaleStatus             The observed number.
  replicas  1  int32!   The current number of pods.
  selector  2  string?  Selects the pods, as a string.

HorizontalPodAutoscaler kind                Changes the number of pods to keep their CPU usage near a target.
  spec    2  HorizontalPodAutoscalerSpec    The limits and the targets.
  status  3  HorizontalPodAutoscalerStatus  The observed pods.

HorizontalPodAutoscalerSpec                                        The limits and the targets.
  scaleTargetRef                  1  CrossVersionObjectReference!  The object to scale.
  minReplicas                     2  int32*                        The minimum number of pods.
  maxReplicas                     3  int32!                        The maximum number of pods.
  targetCPUUtilizationPercentage  4  int32*                        The target of the CPU usage, in percent of the requests.

CrossVersionObjectReference atomic  Names an object.
  kind        1  string!  Kind of the object.
  name        2  string!  Name of the object.
  apiVersion  3  string?  Group and version of the object.

HorizontalPodAutoscalerStatus                 The observed pods.
  observedGeneration               1  int64*  The generation that was last processed.
  lastScaleTime                    2  Time*   When the number of pods last changed.
  currentReplicas                  3  int32!  The number of pods.
  desiredReplicas                  4  int32!  The desired number of pods.
  currentCPUUtilizationPercentage  5  int32*  The observed CPU usage, in percent of the requests.
`,
);
