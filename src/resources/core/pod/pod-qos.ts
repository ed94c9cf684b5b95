import { compareQuantities, parseQuantity } from '../../../values/quantity.js';
import type { PodSpec } from '../core-v1.types.js';

const COUNTED = ['cpu', 'memory'] as const;
type Amounts = Readonly<Record<string, string>>;

/** Returns a positive amount; zero counts as absent. */
function amount(amounts: Amounts | undefined, name: string) {
  const text = amounts?.[name];
  if (text === undefined) return undefined;
  const quantity = parseQuantity(text);
  return quantity.unscaled > 0n ? quantity : undefined;
}

/**
 * Returns the QoS class of a pod: Guaranteed when the limits of every container equal its requests, BestEffort when no container has
 * either.
 */
export function podQosClass({ containers, initContainers = [] }: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  let hasRequests = false;
  let exact = true;
  for (const { resources } of [...initContainers, ...(containers ?? [])]) {
    for (const name of COUNTED) {
      const request = amount(resources.requests, name);
      const limit = amount(resources.limits, name);
      if (request || limit) hasRequests = true;
      if (!limit || !request || compareQuantities(request, limit) !== 0) exact = false;
    }
  }
  return hasRequests ? (exact ? 'Guaranteed' : 'Burstable') : 'BestEffort';
}
