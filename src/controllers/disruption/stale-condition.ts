import { isNotFound } from '../../meta/api-error.js';
import { pod as podKind } from '../../resources/core/index.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import { withPodCondition } from '../../resources/core/pod/subresources/pod-condition.js';
import type { ControllerContext } from '../controller.js';

const TYPE = 'DisruptionTarget';
/** Conditions with this reason never become stale, because the kubelet may take any time to end the pod. */
const BY_NODE = 'TerminationByKubelet';
const TIMEOUT = 2 * 60_000;

/**
 * Returns the milliseconds until a DisruptionTarget condition is stale, which is when the pod should have been deleted.
 * @returns 0 when it is stale; undefined for a pod without the condition, and for one that is deleted or has ended.
 */
export function staleAfter({ metadata, status: { conditions = [], phase } }: Pod, now: number): number | undefined {
  const condition = conditions.find(({ type }) => type === TYPE);
  if (condition?.status !== 'True' || condition.reason === BY_NODE) return undefined;
  if (metadata.deletionTimestamp !== undefined || phase === 'Succeeded' || phase === 'Failed') return undefined;
  const since = Date.parse(condition.lastTransitionTime ?? '');
  return Number.isNaN(since) ? 0 : Math.max(0, since + TIMEOUT - now);
}

/** Sets the pod's DisruptionTarget condition to False. @throws ApiError Conflict when the pod has changed meanwhile. */
export async function clearDisruptionTarget(pod: Pod, { host, client }: ControllerContext): Promise<void> {
  const next = withPodCondition(pod, { type: TYPE, status: 'False' }, host);
  await client.replace(podKind, next, { subresource: 'status' }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
