import { defineResource } from '../../../registry/resource-definition.js';
import type { Draft } from '../../../registry/strategy.js';
import { age, nameColumn } from '../../shared/columns.js';
import { roundAmounts } from '../../shared/resource-rules.js';
import { keepSpec, keepStatus } from '../../shared/workload.js';
import { coreV1 } from '../core-v1.js';
import type { ResourceQuota } from '../core-v1.types.js';
import { validateQuota, validateQuotaStatus, validateQuotaUpdate } from './resource-quota-validation.js';

export type { ResourceQuota } from '../core-v1.types.js';

function setDefaults({ spec, status }: Draft<ResourceQuota>): void {
  for (const amounts of [spec.hard, status.hard, status.used]) roundAmounts(amounts);
}

/** Returns the used and the allowed amounts as text, either of limits or of everything else. */
function usageCell({ status: { hard = {}, used = {} } }: ResourceQuota, ofLimits: boolean): string {
  const names = Object.keys(hard).filter((name) => name.startsWith('limits.') === ofLimits);
  return names
    .sort()
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
    .join(', ');
}

/** v1 ResourceQuota: limits for all objects of a namespace together. */
export const resourceQuota = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: coreV1.struct('ResourceQuota'),
  setDefaults,
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft) {
      draft.status = {};
    },
    prepareForUpdate: keepStatus,
    validate: validateQuota,
    validateUpdate: validateQuotaUpdate,
  },
  subresources: {
    status: { resetFields: ['spec'], strategy: { prepareForUpdate: keepSpec, validateUpdate: validateQuotaStatus } },
  },
  columns: [
    nameColumn,
    age,
    {
      name: 'Request',
      type: 'string',
      description: 'What is used of each limit, but those of limits.',
      cell: (quota) => usageCell(quota, false),
    },
    {
      name: 'Limit',
      type: 'string',
      description: 'What is used of each limit of limits.',
      cell: (quota) => usageCell(quota, true),
    },
  ],
});
