import { equalJson } from '../../json/equal.js';
import { isConflict, isNotFound } from '../../meta/api-error.js';
import { formatTime } from '../../meta/clock.js';
import { shorten } from '../../meta/field-error.js';
import type { Host } from '../../meta/host.js';
import { pod as podKind } from '../../resources/core/index.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import { isPodReady } from '../../resources/core/pod/subresources/pod-condition.js';
import { isConditionCurrent, withDisruptionAllowed } from '../../resources/policy/disruption-allowed.js';
import { podDisruptionBudget } from '../../resources/policy/index.js';
import type { PodDisruptionBudget } from '../../resources/policy/policy-v1.types.js';
import { printSelector } from '../../resources/shared/selected-pods.js';
import type { LabelSelector } from '../../selectors/label-selector.js';
import { compileSelector, type LabelSelectorObject, labelSelectorOf } from '../../selectors/label-selector-object.js';
import { messageOf } from '../../values/message-of.js';
import { type ControllerContext, listerOf } from '../controller.js';
import { unless } from '../unless.js';
import { type EventContent, reportOfBudget, reportOfPod } from './disruption-events.js';
import { expectedPodsOf } from './expected-pods.js';

/** Milliseconds within which an evicted pod should be deleted. Afterwards a pod that still exists counts as healthy again. */
const DELETION_TIMEOUT = 2 * 60_000;

/** Maximum length of the message for a failed computation. Validation would refuse a longer condition, and the old status would stay. */
const MAX_REASON = 8192;

type Status = PodDisruptionBudget['status'];
type DisruptedPods = NonNullable<Status['disruptedPods']>;

/** The computed status of a budget, and what else the controller has to do for it. */
interface Findings {
  readonly status: Status;
  /** Evicted pods that were not deleted in time. */
  readonly notDeleted: readonly Pod[];
  /** Milliseconds until evicted pods that still exist count as healthy again. */
  readonly recheckAfter?: number;
}

/**
 * Brings the status of a budget up to date. If the status cannot be computed, the budget allows no disruption.
 * @returns the milliseconds after which the budget must be checked again; undefined when it need not be checked before the next change.
 * @throws ApiError Conflict when the budget has changed in the meantime.
 */
export async function syncBudget(budget: PodDisruptionBudget, context: ControllerContext): Promise<number | undefined> {
  // Events are written after the status, so that a webhook that delays events does not delay the budget.
  const events: EventContent[] = [];
  let findings: Findings | undefined;
  try {
    findings = await computeStatus(budget, context, events);
    await write(budget, findings.status, context);
  } catch (error) {
    if (isConflict(error)) throw error;
    const now = formatTime(context.host.clock.now());
    const closed = { ...budget.status, disruptionsAllowed: 0 };
    await write(budget, withDisruptionAllowed(closed, now, shorten(messageOf(error), MAX_REASON)), context);
  }
  for (const each of events) await reportOfBudget(budget, each, context);
  for (const pod of findings?.notDeleted ?? []) await reportNotDeleted(pod, context);
  return findings?.recheckAfter;
}

/**
 * Computes the status of a budget. @param events receives the events to write about the budget. @throws Error when the status cannot be
 * computed.
 */
async function computeStatus(
  budget: PodDisruptionBudget,
  context: ControllerContext,
  events: EventContent[],
): Promise<Findings> {
  const { spec, metadata, status } = budget;
  const pods = selectedPods(budget, context, events);
  if (pods.length === 0) events.push({ type: 'Normal', reason: 'NoPods', message: 'No matching pods found' });
  const expected = await expectedPodsOf(budget, pods, context).catch((error: unknown) => {
    const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
    events.push({ type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message });
    throw error;
  });
  if (expected.hasUnmanaged)
    events.push({
      type: 'Warning',
      reason: 'UnmanagedPods',
      message: unmanagedMessage(printSelector(spec.selector ?? {})),
    });
  const now = context.host.clock.now();
  const { disruptedPods, notDeleted, recheckAfter } = sortDisrupted(status.disruptedPods ?? {}, pods, now);
  const { expectedPods, desiredHealthy } = expected;
  const currentHealthy = pods.filter(
    (pod) => !isDeleted(pod) && disruptedAt(disruptedPods, pod) === undefined && isPodReady(pod),
  ).length;
  // A budget without expected pods allows no disruption, so that its first pods are protected from the moment they appear.
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const next: Status = {
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    ...(status.conditions === undefined ? {} : { conditions: status.conditions }),
  };
  const isSame = equalJson(next, status) && isConditionCurrent(status);
  return {
    status: isSame ? status : withDisruptionAllowed(next, formatTime(now)),
    notDeleted,
    ...(recheckAfter === undefined ? {} : { recheckAfter }),
  };
}

/** Returns the pods that the budget selects. @throws ParseError for an invalid selector. */
function selectedPods({ metadata, spec }: PodDisruptionBudget, { host }: ControllerContext, events: EventContent[]) {
  try {
    const selector = labelSelectorOf(spec.selector);
    return listerOf(host, podKind)
      .list(metadata.namespace)
      .filter(({ metadata: { labels } }) => selector.matches(labels));
  } catch (error) {
    events.push({ type: 'Warning', reason: 'NoPods', message: `Failed to get pods: ${messageOf(error)}` });
    throw error;
  }
}

const unmanagedMessage = (selector: string): string =>
  [
    `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged.`,
    'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.',
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
  ].join(' ');

const isDeleted = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

/** Returns the time when a pod was evicted, or undefined when it was not. */
const disruptedAt = (disrupted: DisruptedPods, { metadata: { name = '' } }: Pod): string | null | undefined =>
  Object.hasOwn(disrupted, name) ? disrupted[name] : undefined;

/** Separates evicted pods that may still be deleted in time from those that were not deleted in time. */
function sortDisrupted(before: DisruptedPods, pods: readonly Pod[], now: number) {
  const disruptedPods: Record<string, string | null> = {};
  const notDeleted: Pod[] = [];
  let recheckAfter: number | undefined;
  for (const pod of pods) {
    const time = disruptedAt(before, pod);
    if (time === undefined || isDeleted(pod)) continue;
    const left = Date.parse(time ?? '') + DELETION_TIMEOUT - now;
    if (left >= 0) {
      disruptedPods[pod.metadata.name ?? ''] = time;
      // The extra millisecond is needed because a pod whose deletion timeout ends exactly now still counts as disrupted.
      recheckAfter = Math.min(recheckAfter ?? left + 1, left + 1);
    } else notDeleted.push(pod);
  }
  return { disruptedPods, notDeleted, recheckAfter };
}

/** Writes the status if it has changed. If the budget has changed in the meantime, the write fails with a conflict. */
async function write(budget: PodDisruptionBudget, status: Status, { client }: ControllerContext): Promise<void> {
  if (equalJson(status, budget.status)) return;
  await client.replace(podDisruptionBudget, { ...budget, status }, { subresource: 'status' }).catch(unless(isNotFound));
}

/**
 * Writes an event about an evicted pod that was not deleted. As in upstream, the message names the namespace twice instead of the budget.
 */
function reportNotDeleted(pod: Pod, context: ControllerContext): Promise<void> {
  const { namespace = '' } = pod.metadata;
  const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
  return reportOfPod(pod, { type: 'Warning', reason: 'NotDeleted', message }, context);
}

/** Returns the budgets in a pod's namespace that select the pod. */
export function selectingBudgets({ metadata }: Pod, host: Host): readonly PodDisruptionBudget[] {
  const { namespace = '', labels } = metadata;
  return listerOf(host, podDisruptionBudget)
    .list(namespace)
    .filter(({ spec: { selector } }) => selector && parseOnce(selector)?.matches(labels));
}

// Every changed pod is matched against the selectors of all budgets in its namespace, so compiled selectors are cached. The key is the
// selector object of the budget's spec: it is frozen, and a status update keeps the same object.
const selectors = new WeakMap<LabelSelectorObject, { readonly selector: LabelSelector | undefined }>();

function parseOnce(selector: LabelSelectorObject): LabelSelector | undefined {
  let known = selectors.get(selector);
  if (!known) selectors.set(selector, (known = { selector: compileSelector(selector) }));
  return known.selector;
}
