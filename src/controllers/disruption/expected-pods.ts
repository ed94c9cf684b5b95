import { controllerOf } from '../../meta/owner-references.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import type { PodDisruptionBudget } from '../../resources/policy/policy-v1.types.js';
import { scaledValue } from '../../resources/shared/int-or-percent.js';
import { quote } from '../../values/quote.js';
import type { ControllerContext } from '../controller.js';
import { scaleOf } from './controller-scale.js';

/** The number of pods that a budget expects. */
export interface ExpectedPods {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
  /** Whether some pods have no controller although this calculation counts pods by their controllers. */
  readonly hasUnmanaged: boolean;
}

/**
 * Computes how many pods a budget expects and how many must be healthy. An absolute minAvailable counts the existing pods; every other form
 * counts the replicas that their controllers want.
 * @throws Error for pods whose controllers cannot be counted.
 */
export async function expectedPodsOf(
  { spec: { minAvailable, maxUnavailable } }: PodDisruptionBudget,
  pods: readonly Pod[],
  context: ControllerContext,
): Promise<ExpectedPods> {
  if (maxUnavailable !== undefined) {
    const { scale, hasUnmanaged } = await scaleOfAll(pods, context);
    const desiredHealthy = Math.max(0, scale - scaledValue(maxUnavailable, scale));
    return { expectedPods: scale, desiredHealthy, hasUnmanaged };
  }
  if (typeof minAvailable === 'string') {
    const { scale, hasUnmanaged } = await scaleOfAll(pods, context);
    return { expectedPods: scale, desiredHealthy: scaledValue(minAvailable, scale), hasUnmanaged };
  }
  const expectedPods = minAvailable === undefined ? 0 : pods.length;
  return { expectedPods, desiredHealthy: minAvailable ?? 0, hasUnmanaged: false };
}

/** Sums the replicas of all controllers of the pods, counting each controller once. */
async function scaleOfAll(pods: readonly Pod[], context: ControllerContext) {
  const scales = new Map<string, number>();
  let hasUnmanaged = false;
  for (const { metadata } of pods) {
    const owner = controllerOf(metadata);
    if (!owner) hasUnmanaged = true;
    if (!owner || scales.has(owner.uid)) continue;
    const found = await scaleOf(owner, metadata.namespace ?? '', context);
    if (!found) throw new Error(`found no controllers for pod ${quote(metadata.name ?? '')}`);
    scales.set(found.uid, found.replicas);
  }
  return { scale: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), hasUnmanaged };
}
