import { randomUuid } from '../../../meta/random.js';
import { defineResource } from '../../../registry/resource-definition.js';
import type { Draft } from '../../../registry/strategy.js';
import { roundAmounts } from '../../shared/resource-rules.js';
import { coreV1 } from '../core-v1.js';
import type { LimitRange } from '../core-v1.types.js';
import { validateLimitRange } from './limit-range-validation.js';

export type { LimitRange } from '../core-v1.types.js';

function setDefaults({ spec }: Draft<LimitRange>): void {
  for (const limit of spec.limits ?? []) {
    for (const amounts of [limit.max, limit.min, limit.default, limit.defaultRequest, limit.maxLimitRequestRatio])
      roundAmounts(amounts);
    if (limit.type !== 'Container') continue;
    // An absent default limit is the maximum, and an absent default request is the default limit or else the minimum.
    limit.default = { ...limit.max, ...limit.default };
    limit.defaultRequest = { ...limit.min, ...limit.default, ...limit.defaultRequest };
    for (const member of ['default', 'defaultRequest'] as const)
      if (Object.keys(limit[member] ?? {}).length === 0) delete limit[member];
  }
}

/** v1 LimitRange: limits for single pods, containers and claims of a namespace, and their default amounts. */
export const limitRange = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  schema: coreV1.struct('LimitRange'),
  setDefaults,
  strategy: {
    prepareForCreate({ metadata }, { host }) {
      metadata.name ||= randomUuid(host.random);
    },
    validate: validateLimitRange,
  },
});
