import { addQuantities, compareQuantities, formatQuantity, parseQuantity } from '../../values/quantity.js';
import type { Amounts, Container, PodObject } from './pod.js';

const ofName = (amounts: Amounts, name: string): string | undefined =>
  Object.hasOwn(amounts, name) ? amounts[name] : undefined;

/** What both make, by name. */
function merge(a: Amounts, b: Amounts, of: (a: string, b: string) => string): Amounts {
  const merged: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const before = ofName(a, name);
    merged[name] = before === undefined ? amount : of(before, amount);
  }
  return merged;
}

/** The sum of two amounts. */
export const addAmounts = (a: Amounts, b: Amounts): Amounts =>
  merge(a, b, (one, other) => formatQuantity(addQuantities(parseQuantity(one), parseQuantity(other))));
const largerAmounts = (a: Amounts, b: Amounts): Amounts =>
  merge(a, b, (one, other) => (compareQuantities(parseQuantity(one), parseQuantity(other)) < 0 ? other : one));

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
