import { always, type OutputOf, omitEmpty, omitNull, required, struct, time } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { count, long, text } from '../fragments/core-struct.js';

const V1 = 'io.k8s.api.autoscaling.v1';

const objectReference = struct(
  `${V1}.CrossVersionObjectReference`,
  'Names an object.',
  () => ({
    kind: required(text, 1, 'Kind of the object.'),
    name: required(text, 2, 'Name of the object.'),
    apiVersion: omitEmpty(text, 3, 'Group and version of the object.'),
  }),
  { mapType: 'atomic' },
);

const spec = struct(`${V1}.HorizontalPodAutoscalerSpec`, 'The bounds and the aim.', () => ({
  scaleTargetRef: required(objectReference, 1, 'The object to scale.'),
  minReplicas: omitNull(count, 2, 'The least number of pods.'),
  maxReplicas: required(count, 3, 'The greatest number of pods.'),
  targetCPUUtilizationPercentage: omitNull(count, 4, 'The processor time to keep to, in percent of the requested.'),
}));

const status = struct(`${V1}.HorizontalPodAutoscalerStatus`, 'The observed pods.', () => ({
  observedGeneration: omitNull(long, 1, 'The generation that was last looked at.'),
  lastScaleTime: omitNull(time(), 2, 'When the number last changed.'),
  currentReplicas: required(count, 3, 'The number of pods.'),
  desiredReplicas: required(count, 4, 'The number of pods wanted.'),
  currentCPUUtilizationPercentage: omitNull(count, 5, 'The observed processor time, in percent of the requested.'),
}));

/** autoscaling/v1 HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerV1Schema = topLevel(
  `${V1}.HorizontalPodAutoscaler`,
  'Keeps the processor time of pods at some value by changing their number.',
  () => ({
    spec: always(spec, 2, 'The bounds and the aim.'),
    status: always(status, 3, 'The observed pods.'),
  }),
);
export type HorizontalPodAutoscalerV1 = OutputOf<typeof horizontalPodAutoscalerV1Schema>;
