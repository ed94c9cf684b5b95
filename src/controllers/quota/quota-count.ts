import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Amounts } from '../../plugins/amounts.js';
import { isInScopes, type UsageEvaluator } from '../../plugins/quota/evaluator.js';
import { type ScopeRequirement, scopeRequirements } from '../../plugins/quota/quota.js';
import type { ResourceQuota } from '../../resources/core/limits/resource-quota.js';
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../values/quantity.js';

const NOTHING: Amounts = Object.freeze({});
const ZERO = parseQuantity('0');

/**
 * What the objects of a namespace use of one quota. It counts all of them once, and then follows their changes, so that the deletion of a
 * pod costs the same beside any number of other pods.
 */
export class QuotaCount {
  readonly quota: ResourceQuota;
  /** When all objects were counted, in milliseconds since the epoch. */
  readonly since: number;
  readonly #host: Host;
  readonly #requirements: readonly ScopeRequirement[];
  /** The names of limits that each evaluator counts for. */
  readonly #names: ReadonlyMap<UsageEvaluator, readonly string[]>;
  readonly #totals = new Map<string, Quantity>();
  /** The usage of each object, by uid, as it is contained in the totals. */
  readonly #counted = new Map<string, Amounts>();
  /** Objects that are being deleted: their usage ends when their deletion is overdue. */
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
   * Whether the amounts are what a count of all objects would write. They are not once amounts of one name were written in several formats,
   * because the format of a sum is that of its first amount.
   */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Follows the change of an object of the quota's namespace. */
  change(group: string, resource: string, next: ApiObject | undefined, previous: ApiObject | undefined): void {
    const uid = (next ?? previous)?.metadata.uid ?? '';
    for (const evaluator of this.#names.keys()) {
      if (evaluator.group !== group || evaluator.resource !== resource) continue;
      this.#ending.delete(uid);
      if (next?.metadata.deletionTimestamp !== undefined) this.#ending.set(uid, { evaluator, object: next });
      this.#count(uid, next && this.#usage(evaluator, next));
    }
  }

  /** Returns the sums at this moment. */
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
