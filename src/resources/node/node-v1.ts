import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { coreV1 } from '../core/core-v1.js';
import type { NodeV1 } from './node-v1.types.js';

/** The structs of node/v1. */
export const nodeV1 = /* @__PURE__ */ fieldTable<NodeV1>(
  'io.k8s.api.node.v1',
  { core: coreV1, meta: metaV1 },
  `
RuntimeClass kind             A way to run containers.
  handler     2  string!      The name of the handler on nodes; immutable.
  overhead    3  Overhead*    The resources of a pod in addition to those of its containers.
  scheduling  4  Scheduling*  The nodes that can run it.

Overhead                           The resources of a pod in addition to those of its containers.
  podFixed  1  core.ResourceList?  The overhead of each pod.

Scheduling                                    The nodes that can run it.
  nodeSelector  1  map(string) atomic?        Labels that nodes must have.
  tolerations   2  []core.Toleration atomic?  Taints that its pods tolerate.
`,
);
