import { type Amounts, AmountTotals, largerAmounts } from '../amounts.js';
import type { PodObject } from './pod.js';

/**
 * Returns the total amounts of a pod: the sum of its containers, or the largest need while an init container runs. Init containers that
 * keep running count with the other containers.
 */
export function podResources(
  { containers = [], initContainers = [] }: PodObject['spec'],
  of: 'requests' | 'limits',
): Amounts {
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
