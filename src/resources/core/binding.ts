import { defineResource } from '../../registry/resource-definition.js';
import { coreV1 } from './core-v1.js';
import type { Binding } from './core-v1.types.js';
import { bindPod } from './pod/subresources/binding.js';

export type { Binding } from './core-v1.types.js';

/** v1 Binding: assigns a pod to a node. It is the older form of the pod's subresource `binding`. */
export const binding = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  scope: 'Namespaced',
  schema: coreV1.struct('Binding'),
  virtual: {
    async create(body, call, context) {
      // The body was decoded with the schema of Binding, so the cast is safe.
      await bindPod(body as Binding, call, context);
      return undefined;
    },
  },
});
