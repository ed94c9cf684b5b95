import type { FeatureGates } from '../../meta/features/gates.js';
import type { Container, Pod, PodSpec } from '../../resources/core/core-v1.types.js';
import { isNativeResource } from '../../resources/shared/resource-rules.js';
import { type LabelOperator, labelRequirement } from '../../selectors/label-requirement.js';
import { labelSelector } from '../../selectors/label-selector.js';
import { type Amounts, addAmounts, amountOf, compareAmounts, largerAmounts } from '../amounts.js';
import { podResources } from '../pods/pod-resources.js';
import type { UsageEvaluator } from './evaluator.js';
import type { ScopeRequirement } from './quota.js';

const PLAIN = ['cpu', 'memory', 'ephemeral-storage'];
const NAMES: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...PLAIN.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/**
 * The limits that require a value for their resource in every container. A quota with such a limit refuses pods in which a container lacks
 * the value.
 */
const ASKED_FOR: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);
const HUGE_PAGES = 'hugepages-';

const isLimit = (name: string): boolean =>
  NAMES.has(name) ||
  name.startsWith(HUGE_PAGES) ||
  name.startsWith(`requests.${HUGE_PAGES}`) ||
  (name.startsWith('requests.') && !isNativeResource(name));

/** Returns the usage of a pod by the names of limits in quotas. */
function limitNames(requests: Amounts, limits: Amounts): Amounts {
  const usage: Record<string, string> = {};
  for (const [name, amount] of Object.entries(requests)) {
    if (PLAIN.includes(name) || name.startsWith(HUGE_PAGES)) usage[name] = amount;
    if (PLAIN.includes(name) || name.startsWith(HUGE_PAGES) || !isNativeResource(name))
      usage[`requests.${name}`] = amount;
  }
  for (const name of PLAIN) {
    const amount = amountOf(limits, name);
    if (amount !== undefined) usage[`limits.${name}`] = amount;
  }
  return usage;
}

/** Returns whether a pod counts as using resources: it has not ended, and its deletion is not overdue. */
function isActive({ metadata, status }: Pod, now: number): boolean {
  if (status.phase === 'Failed' || status.phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

/**
 * Returns a pod's spec in which the requests of containers include the resources that are already allocated to them: the larger of request
 * and allocation or, if the resize is infeasible, only the allocation.
 */
function asResized(pod: Pod): PodSpec {
  const { resize, containerStatuses = [] } = pod.status;
  const allocatedByName = new Map(
    containerStatuses.map(({ name, allocatedResources = {} }) => [name, allocatedResources]),
  );
  const containers = (pod.spec.containers ?? []).map((container) => {
    const allocated = allocatedByName.get(container.name);
    if (!allocated) return container;
    const requests =
      resize === 'Infeasible' ? allocated : largerAmounts(container.resources?.requests ?? {}, allocated);
    return { ...container, resources: { ...container.resources, requests } };
  });
  return { ...pod.spec, containers };
}

/** Returns the evaluator of pods: their number, and the requests and limits of their containers until the pods end. */
export const podUsage = ({ InPlacePodVerticalScaling: resizes }: FeatureGates): UsageEvaluator<Pod> => ({
  group: '',
  resource: 'pods',
  operations: resizes ? ['CREATE', 'UPDATE'] : ['CREATE'],
  matching: (names) => names.filter(isLimit),
  usage(pod, now) {
    if (!isActive(pod, now)) return { 'count/pods': '1' };
    const { overhead = {} } = pod.spec;
    const limits = podResources(pod.spec, 'limits');
    // The overhead is added to the limits only for resources that have a limit.
    const isLimited = (name: string) => compareAmounts(amountOf(limits, name) ?? '0', '0') !== 0;
    const ofLimited = Object.fromEntries(Object.entries(overhead).filter(([name]) => isLimited(name)));
    const requests = addAmounts(podResources(resizes ? asResized(pod) : pod.spec, 'requests'), overhead);
    return { 'count/pods': '1', pods: '1', ...limitNames(requests, addAmounts(limits, ofLimited)) };
  },
  isInScope,
  missing({ spec }, names) {
    const { containers = [], initContainers = [] } = spec;
    const requiredNames = names.filter((name) => ASKED_FOR.has(name)).sort();
    const all = [...containers, ...initContainers];
    const problems = requiredNames.flatMap((name) => {
      const without = new Set(
        all.filter((container) => !hasAmount(container, name)).map((container) => container.name),
      );
      return without.size === 0 ? [] : [`${name} for: ${[...without].sort().join(',')}`];
    });
    return problems.length === 0 ? undefined : `must specify ${problems.join('; ')}`;
  },
});

const hasAmount = ({ resources }: Container, name: string): boolean =>
  Object.hasOwn(limitNames(resources?.requests ?? {}, resources?.limits ?? {}), name);

function isInScope(pod: Pod, requirement: ScopeRequirement): boolean {
  const isTerminating = (pod.spec.activeDeadlineSeconds ?? -1) >= 0;
  switch (requirement.scopeName) {
    case 'Terminating':
      return isTerminating;
    case 'NotTerminating':
      return !isTerminating;
    case 'BestEffort':
      return pod.status.qosClass === 'BestEffort';
    case 'NotBestEffort':
      return pod.status.qosClass !== 'BestEffort';
    case 'PriorityClass':
      return hasPriorityClass(pod, requirement);
    case 'CrossNamespacePodAffinity':
      return hasCrossNamespaceAffinity(pod);
    default:
      return false;
  }
}

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

function hasPriorityClass({ spec }: Pod, { scopeName, operator, values = [] }: ScopeRequirement): boolean {
  const { priorityClassName = '' } = spec;
  const compiled = OPERATORS[operator];
  if (compiled === undefined) return false;
  const selector = labelSelector([labelRequirement(scopeName, compiled, values)]);
  return selector.matches(priorityClassName === '' ? {} : { [scopeName]: priorityClassName });
}

/** Returns whether the pod affinity of a pod selects pods in other namespaces. */
function hasCrossNamespaceAffinity({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) => {
    const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return [...required, ...preferred.map(({ podAffinityTerm }) => podAffinityTerm)].some(
      ({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined,
    );
  });
}
