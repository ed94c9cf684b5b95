import { always, type OutputOf } from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { nodeSpec, nodeStatus } from './node-status.js';

export const nodeSchema = topLevel('io.k8s.api.core.v1.Node', 'A machine that runs pods.', () => ({
  spec: always(nodeSpec, 2, 'The desired state of the node.'),
  status: always(nodeStatus, 3, 'The observed state of the node.'),
}));
export type Node = OutputOf<typeof nodeSchema>;
