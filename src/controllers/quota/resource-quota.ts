import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { type Amounts, areEqualAmounts, compareAmounts, maskAmounts } from '../../plugins/amounts.js';
import { isInScopes, type UsageEvaluator } from '../../plugins/quota/evaluator.js';
import { type UsageEvaluators, usageEvaluators } from '../../plugins/quota/evaluators.js';
import { type ScopeRequirement, scopeRequirements } from '../../plugins/quota/quota.js';
import { resourceQuota } from '../../resources/core/index.js';
import type { ResourceQuota } from '../../resources/core/limits/resource-quota.js';
import { once } from '../../values/memoize.js';
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../values/quantity.js';
import { type ControllerContext, type ControllerDefinition, type ControllerHost, listerOf } from '../controller.js';

const EVERY = 5 * 60_000;
const VERBS = ['create', 'list', 'watch', 'delete'] as const;

/** The running counts of each server's quotas, by `namespace/name` of the quota. */
const counts = new WeakMap<ControllerContext, Map<string, QuotaCount>>();

/**
 * Updates the usage in the status of quotas: when a quota is created or changed, when a counted object is deleted or uses less, and every
 * five minutes. Increases of usage are counted by the admission plug-in.
 */
export const resourceQuotaController: ControllerDefinition = {
  name: 'resourcequota-controller',
  switchedBy: ['resourcequota-controller', 'resourcequota'],
  follow(context) {
    const { host, queue } = context;
    const quotas = listerOf(host, resourceQuota);
    // Few servers have quotas, so nothing is prepared or followed for them before the first one.
    const evaluators = once(() => usageEvaluators(host));
    const counted = new Map<string, QuotaCount>();
    counts.set(context, counted);
    const following = new Map<string, () => void>();
    let stopKinds: (() => void) | undefined;
    const add = (quota: ResourceQuota) => {
      queue.add(keyOf(quota));
      stopKinds ??= host.kinds.onChange(() => {
        counted.clear();
        addAll();
      });
      for (const evaluator of evaluatorsOf(host, evaluators(), quota)) {
        const { group, resource } = evaluator;
        const key = `${group}/${resource}`;
        if (!following.has(key))
          following.set(
            key,
            followKind(host, evaluator, counted, (each) => queue.add(keyOf(each))),
          );
      }
    };
    const addAll = () => {
      for (const quota of quotas.list()) add(quota);
    };
    addAll();
    const stopQuotas = quotas.onChange((next, previous) => {
      if (!next && previous) counted.delete(keyOf(previous));
      if (next && !(previous && areEqualAmounts(next.spec.hard, previous.spec.hard))) add(next);
    });
    return () => {
      stopQuotas();
      stopKinds?.();
      for (const stop of following.values()) stop();
    };
  },
  async reconcile(key, context) {
    const { host, client, queue } = context;
    const slash = key.indexOf('/');
    const quota = listerOf(host, resourceQuota).get(key.slice(0, slash), key.slice(slash + 1));
    if (!quota) return;
    const { spec, status } = quota;
    const hard = spec.hard ?? {};
    const counted = maskAmounts({ ...status.used, ...usageOf(context, key, quota) }, Object.keys(hard));
    queue.addAfter(key, EVERY);
    const isSame =
      status.hard && status.used && areEqualAmounts(status.hard, hard) && areEqualAmounts(status.used, counted);
    if (isSame) return;
    await client.replace(resourceQuota, { ...quota, status: { hard, used: counted } }, { subresource: 'status' });
  },
};

const keyOf = ({ metadata }: ApiObject): string => `${metadata.namespace}/${metadata.name}`;

/** Returns the evaluators for the kinds that a quota counts. */
function evaluatorsOf(
  { kinds }: ControllerHost,
  evaluators: UsageEvaluators,
  { spec }: ResourceQuota,
): readonly UsageEvaluator[] {
  const served = kinds.current.stored();
  return evaluators.matching(Object.keys(spec.hard ?? {}), ({ group, resource }) =>
    served.some(
      ({ gvr, namespaced, verbs }) =>
        gvr.group === group && gvr.resource === resource && namespaced && VERBS.every((verb) => verbs.has(verb)),
    ),
  );
}

/**
 * Updates the running counts whenever an object of one kind changes. If an object is deleted or uses less, `onFree` is called with each
 * quota that counts the object.
 */
function followKind(
  host: Host,
  evaluator: UsageEvaluator,
  counted: ReadonlyMap<string, QuotaCount>,
  onFree: (quota: ResourceQuota) => void,
): () => void {
  const { group, resource } = evaluator;
  const quotas = listerOf(host, resourceQuota);
  return host.lister(group, resource).onChange((next, previous) => {
    const counting = quotas
      .list((next ?? previous)?.metadata.namespace)
      .filter(({ spec }) => evaluator.matching(Object.keys(spec.hard ?? {})).length > 0);
    for (const quota of counting) counted.get(keyOf(quota))?.change(group, resource, next, previous);
    if (!previous || counting.length === 0) return;
    const now = host.clock.now();
    if (!next || usesLess(evaluator.usage(next, now), evaluator.usage(previous, now))) counting.forEach(onFree);
  });
}

const usesLess = (next: Amounts, previous: Amounts): boolean =>
  next !== previous && Object.entries(previous).some(([name, amount]) => compareAmounts(next[name] ?? '0', amount) < 0);

/** Returns the usage of a quota's namespace, by the names of the quota's limits. The objects are counted anew every five minutes. */
function usageOf(context: ControllerContext, key: string, quota: ResourceQuota): Amounts {
  const { host } = context;
  const known = counts.get(context);
  let count = known?.get(key);
  const isCurrent = count?.isExact && count.quota.spec === quota.spec && host.clock.now() < count.since + EVERY;
  if (!count || !isCurrent) {
    count = new QuotaCount(host, quota, evaluatorsOf(context.host, usageEvaluators(host), quota));
    known?.set(key, count);
  }
  return count.amounts();
}

const NOTHING: Amounts = Object.freeze({});
const ZERO = parseQuantity('0');

/**
 * Counts the usage of the objects in a quota's namespace. It reads all objects once and then follows their changes, so that the cost of
 * deleting a pod does not depend on the number of other pods.
 */
export class QuotaCount {
  readonly quota: ResourceQuota;
  /** The time at which all objects were counted, in milliseconds since the epoch. */
  readonly since: number;
  readonly #host: Host;
  readonly #requirements: readonly ScopeRequirement[];
  /** The names of the quota's limits to which each evaluator contributes. */
  readonly #names: ReadonlyMap<UsageEvaluator, readonly string[]>;
  readonly #totals = new Map<string, Quantity>();
  /** The usage that each object contributes to the totals, by uid. */
  readonly #counted = new Map<string, Amounts>();
  /**
   * Objects that are being deleted, by uid. They are evaluated again at every read, because their usage ends when their deletion is
   * overdue.
   */
  readonly #ending = new Map<string, { readonly evaluator: UsageEvaluator; readonly object: ApiObject }>();
  #isExact = true;

  constructor(host: Host, quota: ResourceQuota, evaluators: readonly UsageEvaluator[]) {
    this.quota = quota;
    this.since = host.clock.now();
    this.#host = host;
    this.#requirements = scopeRequirements(quota);
    const limits = Object.keys(quota.spec.hard ?? {});
    this.#names = new Map(evaluators.map((evaluator) => [evaluator, evaluator.matching(limits)]));
    for (const [{ group, resource }, names] of this.#names) {
      for (const name of names) this.#totals.set(name, ZERO);
      for (const object of host.lister(group, resource).list(quota.metadata.namespace))
        this.change(group, resource, object, undefined);
    }
  }

  /**
   * Whether the totals have the quantity format (`1Gi` or `1073741824`) that a new count of all objects would produce. A sum has the format
   * of its first addend, so its format may differ if the objects use different formats.
   */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Updates the count after a change of an object in the quota's namespace. */
  change(group: string, resource: string, next: ApiObject | undefined, previous: ApiObject | undefined): void {
    const uid = (next ?? previous)?.metadata.uid ?? '';
    for (const evaluator of this.#names.keys()) {
      if (evaluator.group !== group || evaluator.resource !== resource) continue;
      this.#ending.delete(uid);
      if (next?.metadata.deletionTimestamp !== undefined) this.#ending.set(uid, { evaluator, object: next });
      this.#count(uid, next && this.#usage(evaluator, next));
    }
  }

  /** Returns the total usage of each resource, by resource name. */
  amounts(): Amounts {
    for (const [uid, { evaluator, object }] of this.#ending) this.#count(uid, this.#usage(evaluator, object));
    return Object.fromEntries(Array.from(this.#totals, ([name, total]) => [name, formatQuantity(total)]));
  }

  #usage(evaluator: UsageEvaluator, object: ApiObject): Amounts {
    if (!isInScopes(evaluator, object, this.#requirements)) return NOTHING;
    const usage = evaluator.usage(object, this.#host.clock.now());
    const names = this.#names.get(evaluator) ?? [];
    return Object.fromEntries(
      names.flatMap((name) => (Object.hasOwn(usage, name) ? [[name, usage[name] ?? '0']] : [])),
    );
  }

  #count(uid: string, usage: Amounts | undefined): void {
    this.#add(this.#counted.get(uid), subtractQuantities);
    this.#add(usage, addQuantities);
    if (usage) this.#counted.set(uid, usage);
    else this.#counted.delete(uid);
  }

  #add(usage: Amounts = NOTHING, combine: typeof addQuantities): void {
    for (const [name, amount] of Object.entries(usage)) {
      const total = this.#totals.get(name) ?? ZERO;
      const quantity = parseQuantity(amount);
      if (total.unscaled !== 0n && total.format !== quantity.format) this.#isExact = false;
      this.#totals.set(name, combine(total, quantity));
    }
  }
}
