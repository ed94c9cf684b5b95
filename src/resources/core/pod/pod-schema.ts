import { always, type OutputOf } from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { podSpec } from './pod-spec.js';
import { podStatus } from './pod-status.js';

/** v1 Pod. */
export const podSchema = topLevel(
  'io.k8s.api.core.v1.Pod',
  {
    spec: always(podSpec, 'The desired state of the pod.'),
    status: always(podStatus, 'The observed state of the pod.'),
  },
  { description: 'Containers that run together on a node.' },
);
export type Pod = OutputOf<typeof podSchema>;
