import { isNotFound } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { pod as podKind } from '../../resources/core/index.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import { withPodCondition } from '../../resources/core/pod/subresources/pod-condition.js';
import { podDisruptionBudget } from '../../resources/policy/index.js';
import { type ControllerContext, type ControllerDefinition, listerOf, stopAll } from '../controller.js';
import { unless } from '../unless.js';
import { reportShared } from './disruption-events.js';
import { selectingBudgets, syncBudget } from './sync-budget.js';

/**
 * The kind of work that a key requests: updating the status of a budget, reporting a pod that several budgets select, checking whether a
 * pod's condition is stale, or queueing all budgets.
 */
type Sort = 'budget' | 'shared' | 'stale' | 'all';

/**
 * Milliseconds after which all budgets are checked again. This is needed because a change of a controller's scale alone queues no budget.
 */
const RESYNC = 12 * 3_600_000;
const ALL = 'all//';

/**
 * Keeps the status of disruption budgets up to date, because evictions rely on it. Resets the DisruptionTarget condition of pods that were
 * not disrupted in time (spec 16.10).
 */
export const disruptionController: ControllerDefinition = {
  name: 'disruption-controller',
  switchedBy: ['disruption-controller', 'disruption'],
  follow(context) {
    const { host, queue } = context;
    const budgets = listerOf(host, podDisruptionBudget);
    const pods = listerOf(host, podKind);
    const look = (pod: Pod) => {
      const selecting = selectingBudgets(pod, host);
      for (const budget of selecting) queue.add(keyOf('budget', budget));
      if (selecting.length > 1) queue.add(keyOf('shared', pod));
    };
    queue.add(ALL);
    for (const pod of pods.list()) {
      look(pod);
      queueStaleCheck(pod, context);
    }
    const stopBudgets = budgets.onChange((next) => next && queue.add(keyOf('budget', next)));
    const stopPods = pods.onChange((next, previous) => {
      // Budgets that selected the pod only by its old labels have to be updated, too.
      if (previous && next?.metadata.labels !== previous.metadata.labels) look(previous);
      if (!next) return;
      look(next);
      queueStaleCheck(next, context);
    });
    return stopAll([stopBudgets, stopPods]);
  },
  async reconcile(key, context) {
    const [sort, namespace = '', name = ''] = key.split('/');
    await RECONCILE[sort as Sort](namespace, name, context);
  },
};

const keyOf = (sort: Sort, { metadata: { namespace = '', name = '' } }: ApiObject) => `${sort}/${namespace}/${name}`;

const RECONCILE: Readonly<
  Record<Sort, (namespace: string, name: string, context: ControllerContext) => void | Promise<void>>
> = {
  all(_namespace, _name, { host, queue }) {
    for (const budget of listerOf(host, podDisruptionBudget).list()) queue.add(keyOf('budget', budget));
    queue.addAfter(ALL, RESYNC);
  },
  async budget(namespace, name, context) {
    const budget = listerOf(context.host, podDisruptionBudget).get(namespace, name);
    if (!budget) return;
    const recheckAfter = await syncBudget(budget, context);
    if (recheckAfter !== undefined) context.queue.addAfter(keyOf('budget', budget), recheckAfter);
  },
  async shared(namespace, name, context) {
    const pod = listerOf(context.host, podKind).get(namespace, name);
    const [first, second] = pod ? selectingBudgets(pod, context.host) : [];
    if (!pod || !first || !second) return;
    await reportShared(pod, first, context);
  },
  async stale(namespace, name, context) {
    const { host } = context;
    const pod = listerOf(host, podKind).get(namespace, name);
    if (!pod) return;
    if (staleAfter(pod, host.clock.now()) === 0) await clearDisruptionTarget(pod, context);
    else queueStaleCheck(pod, context);
  },
};

function queueStaleCheck(pod: Pod, { host, queue }: ControllerContext): void {
  const wait = staleAfter(pod, host.clock.now());
  const key = keyOf('stale', pod);
  if (wait === 0) queue.add(key);
  else if (wait !== undefined) queue.addAfter(key, wait);
}

const TYPE = 'DisruptionTarget';
/** The reason of a DisruptionTarget condition that never becomes stale, because the kubelet may take any time to end the pod. */
const BY_NODE = 'TerminationByKubelet';
const TIMEOUT = 2 * 60_000;

/**
 * Returns the milliseconds until the DisruptionTarget condition of a pod is stale. It becomes stale two minutes after it was set, unless
 * the pod is deleted by then.
 * @returns 0 when it is stale; undefined for a pod without the condition, and for a pod that is being deleted or has ended.
 */
function staleAfter({ metadata, status: { conditions = [], phase } }: Pod, now: number): number | undefined {
  const condition = conditions.find(({ type }) => type === TYPE);
  if (condition?.status !== 'True' || condition.reason === BY_NODE) return undefined;
  if (metadata.deletionTimestamp !== undefined || phase === 'Succeeded' || phase === 'Failed') return undefined;
  const since = Date.parse(condition.lastTransitionTime ?? '');
  return Number.isNaN(since) ? 0 : Math.max(0, since + TIMEOUT - now);
}

/** Sets the pod's DisruptionTarget condition to False. @throws ApiError Conflict when the pod has changed in the meantime. */
async function clearDisruptionTarget(pod: Pod, { host, client }: ControllerContext): Promise<void> {
  const next = withPodCondition(pod, { type: TYPE, status: 'False' }, host);
  await client.replace(podKind, next, { subresource: 'status' }).catch(unless(isNotFound));
}
