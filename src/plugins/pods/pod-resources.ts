import type { PodSpec } from '../../resources/core/core-v1.types.js';
import { type Amounts, AmountTotals, largerAmounts } from '../amounts.js';

/**
 * Returns the total requests or limits of a pod. For each resource this is the sum over the containers or, if larger, the maximum that is
 * needed while an init container runs. Sidecars (init containers with the restart policy Always) count as containers.
 */
export function podResources({ containers = [], initContainers = [] }: PodSpec, of: 'requests' | 'limits'): Amounts {
  const [running, started, starting] = [new AmountTotals(), new AmountTotals(), new AmountTotals()];
  for (const { resources } of containers) running.addAll(resources?.[of]);
  for (const { resources, restartPolicy } of initContainers) {
    for (const [name, amount] of Object.entries(resources?.[of] ?? {})) {
      starting.raise(name, started.with(name, amount));
      if (restartPolicy !== 'Always') continue;
      running.add(name, amount);
      started.add(name, amount);
    }
  }
  return largerAmounts(running.amounts(), starting.amounts());
}
