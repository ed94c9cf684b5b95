import { defineRules } from '../../registry/built-in-kind.js';
import { type Binding, bindingSchema, bindPod } from './pod/subresources/binding.js';

export type { Binding } from './pod/subresources/binding.js';

export const bindingRules = defineRules({
  schema: bindingSchema,
  virtual: {
    async create(body, call, context) {
      await bindPod(body as Binding, call, context); // decoded with the schema above
      return undefined;
    },
  },
});
