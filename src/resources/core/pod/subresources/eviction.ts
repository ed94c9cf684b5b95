import { apiError, isApiError } from '../../../../meta/api-error.js';
import { formatTime } from '../../../../meta/clock.js';
import type { ApiObject } from '../../../../meta/object-meta.js';
import { type OtherResource, type RequestContext, withDryRun } from '../../../../registry/request-context.js';
import type { CreateSubresource, CreateSubresourceCall } from '../../../../registry/resource-definition.js';
import { requirePreconditions } from '../../../../registry/writes/delete.js';
import { type DeleteOptions, readDeleteBody } from '../../../../registry/writes/delete-options.js';
import { structSchema } from '../../../../schema/authoring.js';
import { compileSelector } from '../../../../selectors/label-selector-object.js';
import { withDisruptionAllowed } from '../../../policy/disruption-allowed.js';
import { policyV1 } from '../../../policy/policy-v1.js';
import type { Eviction, PodDisruptionBudget } from '../../../policy/policy-v1.types.js';
import type { Pod } from '../../core-v1.types.js';
import { isPodReady, withPodCondition } from './pod-condition.js';

/** Maximum number of attempts to evict a pod that other clients keep changing. */
const MAX_TRIES = 20;
/**
 * Maximum number of pods in `status.disruptedPods` of a budget. The list shrinks when the disruption controller removes pods that no longer
 * exist.
 */
const MAX_DISRUPTED = 2000;
const POD = { gvk: { group: '', version: 'v1', kind: 'Pod' } } as const;
const BUDGETS = { group: 'policy', resource: 'poddisruptionbudget' } as const;

/** The state of one eviction. */
interface Attempt {
  readonly namespace: string;
  readonly name: string;
  readonly options: DeleteOptions;
  /** The error in the delete options of the request, if there is one. */
  readonly problem?: unknown;
  readonly context: RequestContext;
  readonly pods: OtherResource;
}

/**
 * `pods/{name}/eviction`: deletes a pod unless a disruption budget forbids it.
 * @throws ApiError 404, 409, 422; 429 when the budget does not allow the eviction; 500 for a pod with two budgets, as in upstream.
 */
export const podEviction: CreateSubresource<ApiObject> = {
  create: {
    kind: 'Eviction',
    groupStem: 'policy',
    version: 'v1',
    readVersions: ['v1beta1'],
    schema: structSchema(policyV1.struct('Eviction')),
    async create(body, call, context) {
      // The body was decoded with the schema of Eviction, so the cast is safe.
      await evict(body as Eviction, call, context);
      return undefined;
    },
  },
};

async function evict(
  eviction: Eviction,
  call: CreateSubresourceCall<ApiObject>,
  context: RequestContext,
): Promise<void> {
  const { namespace, name } = call;
  if ((eviction.metadata.name ?? '') !== name)
    throw apiError.badRequest('name in URL does not match name in Eviction object');
  const bodyDryRun = eviction.deleteOptions?.dryRun ?? [];
  if (bodyDryRun.length > 0 && context.dryRun && (bodyDryRun.length > 1 || bodyDryRun[0] !== 'All'))
    throw apiError.unknown(`Non-matching dry-run options in request and content: [All] and [${bodyDryRun.join(' ')}]`);
  await call.validate(eviction);
  const pods = context.kinds.find('', 'v1', 'pods');
  if (!pods) throw apiError.noSuchResource();
  // The schema of Eviction has validated the options, so the cast is safe.
  const read = () => readDeleteBody({ ...eviction.deleteOptions } as never, context.host.dialect).options;
  const attempt = {
    namespace,
    name,
    pods,
    context: withDryRun(context, bodyDryRun.length > 0 || context.dryRun),
    ...readDeleteOptions(read),
  };
  const pod = await evictUnguarded(attempt);
  if (pod) await evictGuarded(attempt, pod);
}

/** Returns the delete options, or the error in them. This error is thrown only when the pod is deleted, after all other checks. */
function readDeleteOptions(read: () => DeleteOptions): Pick<Attempt, 'options' | 'problem'> {
  try {
    return { options: read() };
  } catch (problem) {
    return { options: {}, problem };
  }
}

const podOf = async ({ pods, namespace, name, context }: Attempt): Promise<Pod> =>
  (await pods.get(namespace, name, '', context)) as Pod; // `pods` contains only Pod objects, so the cast is safe.

const isOver = ({ status, metadata }: Pod): boolean =>
  status.phase === 'Succeeded' || status.phase === 'Failed' || (metadata.deletionTimestamp ?? null) !== null;

/**
 * Deletes the pod without a check of budgets if it is pending, has ended or is being deleted. Otherwise returns the pod, to which a budget
 * may apply.
 */
async function evictUnguarded(attempt: Attempt): Promise<Pod | undefined> {
  for (let tries = 1; ; tries++) {
    const pod = await podOf(attempt);
    if (!isOver(pod) && pod.status.phase !== 'Pending') return pod;
    try {
      // A pending pod is deleted only at the resourceVersion that was read. If it has started meanwhile, a disruption budget may apply.
      await deletePod(attempt, isOver(pod) ? attempt.options : atVersion(attempt.options, pod));
      return undefined;
    } catch (error) {
      if (tries === MAX_TRIES || !isVersionConflict(error, attempt, pod)) throw error;
    }
  }
}

/** Whether a conflict comes from another client's write rather than from the preconditions of the caller. */
function isVersionConflict(error: unknown, { options: { preconditions } }: Attempt, { metadata }: Pod): boolean {
  const { uid = metadata.uid, resourceVersion } = preconditions ?? {};
  return isApiError(error) && error.reason === 'Conflict' && resourceVersion === undefined && uid === metadata.uid;
}

function atVersion(options: DeleteOptions, { metadata: { resourceVersion } }: Pod): DeleteOptions {
  const { preconditions } = options;
  if (preconditions?.resourceVersion !== undefined || resourceVersion === undefined) return options;
  return { ...options, preconditions: { ...preconditions, resourceVersion } };
}

async function evictGuarded(attempt: Attempt, pod: Pod): Promise<void> {
  const { context, namespace, name, options } = attempt;
  const [budget, another] = await budgetsOf(pod, context);
  if (another)
    throw apiError.unknown(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  if (!budget) return deletePod(attempt, options);
  if (!isPodReady(pod) && mayEvictUnready(budget)) {
    try {
      return await deletePod(attempt, atVersion(options, pod));
    } catch (error) {
      // The pod has changed and may be ready, so the client has to try again.
      if (isVersionConflict(error, attempt, pod)) throw processingError(budget.metadata.name);
      throw error;
    }
  }
  const spend = (current: PodDisruptionBudget) => budgetAfterEviction(current, name, context);
  const where = { namespace, name: budget.metadata.name ?? '' };
  if (context.dryRun || attempt.problem) spend(budget);
  // The update is a request of the server itself: validation and admission apply, and the server owns the changed fields.
  else await context.updateStatus<PodDisruptionBudget>('policy', 'poddisruptionbudgets', where, spend);
  await deletePod(attempt, options);
}

async function budgetsOf({ metadata }: Pod, context: RequestContext): Promise<readonly PodDisruptionBudget[]> {
  const { namespace = '' } = metadata;
  const all = await context.listAsServer<PodDisruptionBudget>('policy', 'poddisruptionbudgets', namespace);
  return all.filter(({ spec }) => compileSelector(spec.selector)?.matches(metadata.labels) === true);
}

/** Whether pods that are not ready may be evicted without reducing the budget. Such pods do not count as healthy. */
function mayEvictUnready({ spec, status: { currentHealthy, desiredHealthy } }: PodDisruptionBudget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

const processingError = (name = '') =>
  apiError.overBudget(`The disruption budget ${name} is still being processed by the server.`, 10);

/**
 * Returns the status of a budget after one more eviction. @throws ApiError 429 when the budget allows none, or when its status is not up to
 * date; 403 when its status is invalid.
 */
function budgetAfterEviction(budget: PodDisruptionBudget, pod: string, { host }: RequestContext): object {
  const { metadata, status } = budget;
  const { name = '', generation = 0 } = metadata;
  const { observedGeneration = 0, disruptedPods = {}, disruptionsAllowed, desiredHealthy, currentHealthy } = status;
  if (observedGeneration < generation) throw processingError(name);
  if (disruptionsAllowed < 0) throw apiError.forbidden(BUDGETS, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > MAX_DISRUPTED) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw apiError.forbidden(BUDGETS, name, why);
  }
  if (disruptionsAllowed === 0) {
    const why = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw apiError.overBudget(why);
  }
  const now = formatTime(host.clock.now());
  const next = {
    ...status,
    disruptionsAllowed: disruptionsAllowed - 1,
    disruptedPods: { ...disruptedPods, [pod]: now },
  };
  return next.disruptionsAllowed === 0 ? withDisruptionAllowed(next, now) : next;
}

/** Adds a condition with the reason of the eviction to the pod, and then deletes the pod. */
async function deletePod(attempt: Attempt, options: DeleteOptions): Promise<void> {
  const { pods, namespace, name, context, problem } = attempt;
  if (problem) throw problem;
  const { preconditions } = options;
  let deleteOptions = options;
  if (!context.dryRun) {
    const why = { type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
    const { metadata } = await pods.change(context, namespace, name, (current) => {
      requirePreconditions(POD, current, options);
      return withPodCondition(current as Pod, why, context.host); // `pods` contains only Pod objects, so the cast is safe.
    });
    const { resourceVersion } = metadata;
    if (preconditions?.resourceVersion !== undefined && resourceVersion !== undefined)
      deleteOptions = { ...options, preconditions: { ...preconditions, resourceVersion } };
  }
  await pods.deleteUnasked(context, namespace, name, deleteOptions);
}
