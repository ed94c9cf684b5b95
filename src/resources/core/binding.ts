import { defineRules } from '../../registry/built-in-kind.js';
import { coreV1 } from './core-v1.js';
import type { Binding } from './core-v1.types.js';
import { bindPod } from './pod/subresources/binding.js';

export type { Binding } from './core-v1.types.js';

export const bindingRules = defineRules({
  schema: coreV1.struct('Binding'),
  virtual: {
    async create(body, call, context) {
      await bindPod(body as Binding, call, context); // decoded with the schema above
      return undefined;
    },
  },
});
