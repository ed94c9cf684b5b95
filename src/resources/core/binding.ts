import { defineResource } from '../../registry/resource-definition.js';
import { type Binding, bindingSchema, bindPod } from './pod/subresources/binding.js';

export type { Binding } from './pod/subresources/binding.js';

/** v1 Binding: gives a pod to a node. The same as the pod's own subresource, in its old place. */
export const binding = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  scope: 'Namespaced',
  schema: bindingSchema,
  virtual: {
    async create(body, call, context) {
      await bindPod(body as Binding, call, context); // decoded with the schema above
      return undefined;
    },
  },
});
