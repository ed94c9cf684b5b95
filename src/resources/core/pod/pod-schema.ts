import { always, type OutputOf } from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { podSpec } from './pod-spec.js';
import { podStatus } from './pod-status.js';

/** v1 Pod. */
export const podSchema = topLevel('io.k8s.api.core.v1.Pod', 'Containers that run together on a node.', () => ({
  spec: always(podSpec, 2, 'The desired state of the pod.'),
  status: always(podStatus, 3, 'The observed state of the pod.'),
}));
export type Pod = OutputOf<typeof podSchema>;
