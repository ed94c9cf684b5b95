import { defineResource } from '../../../registry/resource-definition.js';
import type { Draft } from '../../../registry/strategy.js';
import { roundAmounts } from '../../fragments/resource-rules.js';
import { type LimitRange, limitRangeSchema } from './limit-range-schema.js';
import { validateLimitRange } from './limit-range-validation.js';

export type { LimitRange } from './limit-range-schema.js';

function setDefaults({ spec }: Draft<LimitRange>): void {
  for (const limit of spec.limits ?? []) {
    for (const amounts of [limit.max, limit.min, limit.default, limit.defaultRequest, limit.maxLimitRequestRatio])
      roundAmounts(amounts);
    if (limit.type !== 'Container') continue;
    // The largest amount is the default limit, that is the default request, and that is at least the smallest amount.
    limit.default = { ...limit.max, ...limit.default };
    limit.defaultRequest = { ...limit.min, ...limit.default, ...limit.defaultRequest };
    for (const member of ['default', 'defaultRequest'] as const)
      if (Object.keys(limit[member] ?? {}).length === 0) delete limit[member];
  }
}

/** v1 LimitRange: the limits of single pods, containers and claims of a namespace, and what they get unasked. */
export const limitRange = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  schema: limitRangeSchema,
  setDefaults,
  strategy: { validate: validateLimitRange },
});
