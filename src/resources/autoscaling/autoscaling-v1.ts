import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { AutoscalingV1 } from './autoscaling-v1.types.js';

/** The structs of autoscaling/v1. */
export const autoscalingV1 = /* @__PURE__ */ fieldTable<AutoscalingV1>(
  'io.k8s.api.autoscaling.v1',
  { meta: metaV1 },
  `
Scale kind                How many pods an object has.
  spec    2  ScaleSpec    The wanted number.
  status  3  ScaleStatus  The observed number.

ScaleSpec              The wanted number.
  replicas  1  int32?  The number of pods wanted.

ScaleStatus             The observed number.
  replicas  1  int32!   The number of pods there.
  selector  2  string?  Picks the pods, as text.

HorizontalPodAutoscaler kind                Keeps the processor time of pods at some value by changing their number.
  spec    2  HorizontalPodAutoscalerSpec    The bounds and the aim.
  status  3  HorizontalPodAutoscalerStatus  The observed pods.

HorizontalPodAutoscalerSpec                                        The bounds and the aim.
  scaleTargetRef                  1  CrossVersionObjectReference!  The object to scale.
  minReplicas                     2  int32*                        The least number of pods.
  maxReplicas                     3  int32!                        The greatest number of pods.
  targetCPUUtilizationPercentage  4  int32*                        The processor time to keep to, in percent of the requested.

CrossVersionObjectReference atomic  Names an object.
  kind        1  string!  Kind of the object.
  name        2  string!  Name of the object.
  apiVersion  3  string?  Group and version of the object.

HorizontalPodAutoscalerStatus                 The observed pods.
  observedGeneration               1  int64*  The generation that was last looked at.
  lastScaleTime                    2  Time*   When the number last changed.
  currentReplicas                  3  int32!  The number of pods.
  desiredReplicas                  4  int32!  The number of pods wanted.
  currentCPUUtilizationPercentage  5  int32*  The observed processor time, in percent of the requested.
`,
);
