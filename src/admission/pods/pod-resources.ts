import { type Amounts, addAmounts, largerAmounts } from '../amounts.js';
import type { Container, PodObject } from './pod.js';

/**
 * What a pod asks for in all: the sum of its containers, or what one container of the start needs while it runs. Those of
 * the start that never end count with the others.
 */
export function podResources(
  { containers = [], initContainers = [] }: PodObject['spec'],
  of: 'requests' | 'limits',
): Amounts {
  const amountsOf = ({ resources }: Container): Amounts => resources?.[of] ?? {};
  let running = containers.map(amountsOf).reduce(addAmounts, {});
  let started: Amounts = {};
  let starting: Amounts = {};
  for (const container of initContainers) {
    const amounts = amountsOf(container);
    const all = addAmounts(started, amounts);
    if (container.restartPolicy === 'Always') {
      running = addAmounts(running, amounts);
      started = all;
    }
    starting = largerAmounts(starting, all);
  }
  return largerAmounts(running, starting);
}
