import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { ResourceClaim } from '../../resources/resource/resource-v1alpha3.types.js';
import { countName, type UsageEvaluator } from './evaluator.js';

/** The most devices that one claim can get. */
const MOST_DEVICES = 32;

/** Returns the usage of device claims: their number, and the devices that they request by class. Requests with admin access count, too. */
export function deviceClaimUsage(dialect: Dialect): UsageEvaluator<ResourceClaim> {
  const group = groupOf(dialect, 'resource');
  const resource = 'resourceclaims';
  const count = countName(group, resource);
  const ofClass = `.deviceclass.${group}/devices`;
  return {
    group,
    resource,
    operations: ['CREATE', 'UPDATE'],
    matching: (names) => names.filter((name) => name === count || name.endsWith(ofClass)),
    usage({ spec }) {
      const { requests = [] } = spec.devices;
      const devices = new Map<string, number>();
      for (const { deviceClassName, allocationMode, count: requestedCount = 0 } of requests) {
        const name = deviceClassName + ofClass;
        // An unknown allocation mode counts as zero devices.
        const most = allocationMode === 'All' ? MOST_DEVICES : allocationMode === 'ExactCount' ? requestedCount : 0;
        devices.set(name, (devices.get(name) ?? 0) + most);
      }
      return { [count]: '1', ...Object.fromEntries([...devices].map(([name, number]) => [name, String(number)])) };
    },
  };
}
