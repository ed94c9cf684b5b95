import { always, type OutputOf } from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { podSpec } from './pod-spec.js';
import { podStatus } from './pod-status.js';

/** v1 Pod. */
export const podSchema = topLevel(
  'io.k8s.api.core.v1.Pod',
  { spec: always(podSpec, 'How the pod is to be.'), status: always(podStatus, 'How the pod is.') },
  { description: 'Containers that run together on a node.' },
);
export type Pod = OutputOf<typeof podSchema>;
