import { isNotFound } from '../../meta/api-error.js';
import { pod as podKind } from '../../resources/core/index.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import { withPodCondition } from '../../resources/core/pod/subresources/pod-condition.js';
import type { ControllerContext } from '../controller.js';

const TYPE = 'DisruptionTarget';
/** A condition with this reason is never stale: until its node has ended the pod any time may pass. */
const BY_NODE = 'TerminationByKubelet';
const TIMEOUT = 2 * 60_000;

/**
 * The milliseconds until it is stale that a pod says it will be disrupted: by then it should be on its way out.
 * @returns 0 where it is; undefined for a pod that does not say so, is deleted or has ended.
 */
export function staleAfter({ metadata, status: { conditions = [], phase } }: Pod, now: number): number | undefined {
  const condition = conditions.find(({ type }) => type === TYPE);
  if (condition?.status !== 'True' || condition.reason === BY_NODE) return undefined;
  if (metadata.deletionTimestamp !== undefined || phase === 'Succeeded' || phase === 'Failed') return undefined;
  const since = Date.parse(condition.lastTransitionTime ?? '');
  return Number.isNaN(since) ? 0 : Math.max(0, since + TIMEOUT - now);
}

/** Says in the pod's conditions that it will not be disrupted. @throws ApiError Conflict when it changed meanwhile. */
export async function takeBack(pod: Pod, { host, client }: ControllerContext): Promise<void> {
  const next = withPodCondition(pod, { type: TYPE, status: 'False' }, host);
  await client.replace(podKind, next, { subresource: 'status' }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
