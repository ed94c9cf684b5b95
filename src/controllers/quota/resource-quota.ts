import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { type Amounts, AmountTotals, areEqualAmounts, compareAmounts, maskAmounts } from '../../plugins/amounts.js';
import { isInScopes, type UsageEvaluator } from '../../plugins/quota/evaluator.js';
import { type UsageEvaluators, usageEvaluators } from '../../plugins/quota/evaluators.js';
import { scopeRequirements } from '../../plugins/quota/quota.js';
import { resourceQuota } from '../../resources/core/index.js';
import type { ResourceQuota } from '../../resources/core/limits/resource-quota.js';
import type { ControllerContext, ControllerDefinition } from '../controller.js';

const EVERY = 5 * 60_000;
const VERBS = ['create', 'list', 'watch', 'delete'] as const;

/**
 * Recounts the usage of quotas that are new or changed, when a counted object is deleted or uses less, and every five minutes. Usage that
 * grows is counted by the admission plug-in.
 */
export const resourceQuotaController: ControllerDefinition = {
  name: 'resourcequota-controller',
  switchedBy: ['resourcequota-controller', 'resourcequota'],
  follow(context) {
    const { host, client, queue } = context;
    const quotas = quotasOf(host);
    const evaluators = usageEvaluators(host);
    const following = new Map<string, () => void>();
    const add = (quota: ResourceQuota) => {
      queue.add(keyOf(quota));
      for (const evaluator of evaluatorsOf(context, evaluators, quota)) {
        const { group, resource } = evaluator;
        const key = `${group}/${resource}`;
        if (!following.has(key))
          following.set(
            key,
            followKind(host, evaluator, (each) => queue.add(keyOf(each))),
          );
      }
    };
    const addAll = () => {
      for (const quota of quotas.list()) add(quota);
    };
    addAll();
    const stopQuotas = quotas.onChange((next, previous) => {
      if (next && !(previous && areEqualAmounts(next.spec.hard, previous.spec.hard))) add(next);
    });
    const stopKinds = client.onResourcesChange(addAll);
    return () => {
      stopQuotas();
      stopKinds();
      for (const stop of following.values()) stop();
    };
  },
  async reconcile(key, context) {
    const { host, client, queue } = context;
    const slash = key.indexOf('/');
    const quota = quotasOf(host).get(key.slice(0, slash), key.slice(slash + 1));
    if (!quota) return;
    const { spec, status } = quota;
    const hard = spec.hard ?? {};
    const counted = maskAmounts({ ...status.used, ...count(context, quota) }, Object.keys(hard));
    queue.addAfter(key, EVERY);
    const isSame =
      status.hard && status.used && areEqualAmounts(status.hard, hard) && areEqualAmounts(status.used, counted);
    if (isSame) return;
    await client.replace(resourceQuota, { ...quota, status: { hard, used: counted } }, { subresource: 'status' });
  },
};

const quotasOf = ({ lister }: Host) => lister<ResourceQuota>('', 'resourcequotas');
const keyOf = ({ metadata }: ApiObject): string => `${metadata.namespace}/${metadata.name}`;

/** The evaluators for the kinds that a quota counts. */
function evaluatorsOf(
  { client }: ControllerContext,
  evaluators: UsageEvaluators,
  { spec }: ResourceQuota,
): readonly UsageEvaluator[] {
  const served = client.resources();
  return evaluators.matching(Object.keys(spec.hard ?? {}), ({ group, resource }) =>
    served.some(
      ({ gvr, namespaced, verbs }) =>
        gvr.group === group && gvr.resource === resource && namespaced && VERBS.every((verb) => verbs.has(verb)),
    ),
  );
}

/** Calls back with the quotas that count a kind when one of its objects is deleted or uses less. */
function followKind(host: Host, evaluator: UsageEvaluator, onFree: (quota: ResourceQuota) => void): () => void {
  const quotas = quotasOf(host);
  return host.lister(evaluator.group, evaluator.resource).onChange((next, previous) => {
    if (!previous) return;
    const counting = quotas
      .list(previous.metadata.namespace)
      .filter(({ spec }) => evaluator.matching(Object.keys(spec.hard ?? {})).length > 0);
    if (counting.length === 0) return;
    const now = host.clock.now();
    if (!next || usesLess(evaluator.usage(next, now), evaluator.usage(previous, now))) counting.forEach(onFree);
  });
}

const usesLess = (next: Amounts, previous: Amounts): boolean =>
  next !== previous && Object.entries(previous).some(([name, amount]) => compareAmounts(next[name] ?? '0', amount) < 0);

/** Computes how much the objects of the namespace use of each limit of the quota. */
function count(context: ControllerContext, quota: ResourceQuota): Amounts {
  const { host } = context;
  const requirements = scopeRequirements(quota);
  const now = host.clock.now();
  const used = new AmountTotals();
  for (const evaluator of evaluatorsOf(context, usageEvaluators(host), quota)) {
    const names = new Set(evaluator.matching(Object.keys(quota.spec.hard ?? {})));
    for (const name of names) used.add(name, '0');
    for (const object of host.lister(evaluator.group, evaluator.resource).list(quota.metadata.namespace))
      if (isInScopes(evaluator, object, requirements))
        for (const [name, amount] of Object.entries(evaluator.usage(object, now)))
          if (names.has(name)) used.add(name, amount);
  }
  return used.amounts();
}
