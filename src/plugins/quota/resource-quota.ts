import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { apiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceQuota } from '../../resources/core/core-v1.types.js';
import { type Amounts, addAmounts, amountOf, compareAmounts, maskAmounts, subtractAmount } from '../amounts.js';
import { isInScopes, type UsageEvaluator } from './evaluator.js';
import { usageEvaluators } from './evaluators.js';
import { type ScopeRequirement, scopeRequirements } from './quota.js';

const RESOURCE = 'resourcequotas';

/** A resource whose use is refused unless a quota covers it. */
export interface LimitedResource {
  /** The full API group. Default: the core group. */
  readonly apiGroup?: string;
  /** The plural name of the resource. */
  readonly resource: string;
  /** Substrings of limit names. Usage that counts for a limit whose name contains one of them needs a quota with that limit. */
  readonly matchContains?: readonly string[];
  /**
   * Scope selectors. An object that matches one of them needs a quota with a selector of the same scope name that matches the object, too.
   */
  readonly matchScopes?: readonly ScopeRequirement[];
}

/** The options of `resourceQuotaAdmission`. */
export interface ResourceQuotaOptions {
  /** The resources that may be used only with a quota. Default: none, so that usage without a quota is unlimited. */
  readonly limitedResources?: readonly LimitedResource[];
}

/** The usage that a request adds to one quota. */
interface Charge {
  readonly quota: ResourceQuota;
  readonly requested: Amounts;
}

/**
 * Refuses requests that would exceed a quota of their namespace. Usage of admitted requests is added to the quota's status before their
 * objects are stored. If an object is not stored after all, the quota controller corrects the usage at its next count.
 */
export const resourceQuotaAdmission = ({
  limitedResources = [],
}: ResourceQuotaOptions = {}): AdmissionPluginFactory<ApiObject> =>
  ruledPlugin({
    name: 'ResourceQuota',
    rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: ['*'], resources: ['*'] }],
    create({ dialect, gates, lister, clock, updateStatus }) {
      const quotas = lister<ResourceQuota>('', RESOURCE);
      const evaluators = usageEvaluators({ dialect, gates });
      /** The last pending status update in each namespace. The next update waits for it, so that the two do not conflict. */
      const writing = new Map<string, Promise<void>>();

      const chargesOf = (attributes: AdmissionAttributes<ApiObject>, evaluator: UsageEvaluator) =>
        findCharges(quotas.list(attributes.namespace), attributes, evaluator, {
          now: clock.now(),
          dialect,
          limitedResources,
        });

      async function reserve(attributes: AdmissionAttributes<ApiObject>, evaluator: UsageEvaluator): Promise<void> {
        // Other requests may have changed the quotas in the meantime, so the charges are computed again.
        for (const { quota, requested } of chargesOf(attributes, evaluator)) {
          const { name = '', namespace = '' } = quota.metadata;
          await updateStatus<ResourceQuota>('', RESOURCE, { namespace, name }, (current) => {
            refuseExcess(attributes, current, requested);
            return { ...current.status, used: addAmounts(current.status.used ?? {}, requested) };
          });
        }
      }

      return {
        handles: ({ namespace }) => namespace !== '',
        validate(attributes) {
          const { namespace, operation, resource, dryRun } = attributes;
          if (quotas.list(namespace).length === 0 && limitedResources.length === 0) return undefined;
          const evaluator = evaluators.of(resource);
          if (!evaluator?.operations.includes(operation)) return undefined;
          if (chargesOf(attributes, evaluator).length === 0 || dryRun) return undefined;
          const turn = (writing.get(namespace) ?? Promise.resolve()).then(() => reserve(attributes, evaluator));
          const done = turn
            .catch(() => undefined)
            .finally(() => {
              if (writing.get(namespace) === done) writing.delete(namespace);
            });
          writing.set(namespace, done);
          return turn;
        },
      };
    },
  });

/**
 * Returns the usage that a request adds to each quota. @throws ApiError 403 when a quota forbids the request or the usage cannot be
 * determined.
 */
function findCharges(
  quotas: readonly ResourceQuota[],
  attributes: AdmissionAttributes<ApiObject>,
  evaluator: UsageEvaluator,
  { now, dialect, limitedResources }: ChargeContext,
): readonly Charge[] {
  const { object } = attributes;
  const pertinent = quotas.filter((quota) => {
    const names = evaluator.matching(Object.keys(quota.status.hard ?? {}));
    if (names.length === 0 || !isInScopes(evaluator, object, scopeRequirements(quota))) return false;
    const { name } = quota.metadata;
    const missing = evaluator.missing?.(object, names);
    if (missing !== undefined) throw forbiddenRequest(attributes, `failed quota: ${name}: ${missing}`);
    const used = quota.status.used ?? {};
    if (names.some((limit) => !Object.hasOwn(used, limit)))
      throw forbiddenRequest(
        attributes,
        `status unknown for quota: ${name}, resources: ${[...names].sort().join(',')}`,
      );
    return true;
  });
  if (pertinent.length === 0 && limitedResources.length === 0) return [];
  const usage = addedUsage(attributes, evaluator, now);
  if (Object.keys(usage).length === 0) return [];
  refuseUncovered(attributes, evaluator, { quotas, pertinent, limitedResources, now, dialect });
  return pertinent.flatMap((quota) => {
    const requested = maskAmounts(usage, Object.keys(quota.status.hard ?? {}));
    refuseExcess(attributes, quota, requested);
    return Object.keys(requested).length === 0 ? [] : [{ quota, requested }];
  });
}

interface ChargeContext {
  readonly now: number;
  readonly dialect: Dialect;
  readonly limitedResources: readonly LimitedResource[];
}

/**
 * Refuses usage that the option `limitedResources` allows only with a quota, if no quota covers it.
 * @throws ApiError 403 for an uncovered limit; 400 or 500, as the API dialect defines, for an uncovered scope.
 */
function refuseUncovered(
  attributes: AdmissionAttributes<ApiObject>,
  evaluator: UsageEvaluator,
  context: ChargeContext & { readonly quotas: readonly ResourceQuota[]; readonly pertinent: readonly ResourceQuota[] },
): void {
  const { limitedResources, quotas, pertinent, now, dialect } = context;
  if (limitedResources.length === 0) return;
  const { object } = attributes;
  const { group, resource } = attributes.resource;
  const texts = limitedResources
    .filter((each) => (each.apiGroup ?? '') === group && each.resource === resource)
    .flatMap(({ matchContains = [] }) => matchContains);
  const covered = new Set(pertinent.flatMap(({ status }) => evaluator.matching(Object.keys(status.hard ?? {}))));
  const names = Object.entries(evaluator.usage(object, now)).flatMap(([name, amount]) =>
    compareAmounts(amount, '0') > 0 && texts.some((text) => name.includes(text)) && !covered.has(name) ? [name] : [],
  );
  if (names.length > 0) throw forbiddenRequest(attributes, `insufficient quota to consume: ${names.sort().join(',')}`);

  const matching = (requirements: readonly ScopeRequirement[]) =>
    requirements.filter((requirement) => evaluator.isInScope?.(object, requirement) === true);
  const scopes = new Set(quotas.flatMap((quota) => matching(scopeRequirements(quota))).map((each) => each.scopeName));
  const uncovered = matching(limitedResources.flatMap(({ matchScopes = [] }) => matchScopes)).filter(
    ({ scopeName }) => !scopes.has(scopeName),
  );
  if (uncovered.length === 0) return;
  const shown = uncovered.map(
    ({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`,
  );
  throw apiError.clientFault(dialect, `insufficient quota to match these scopes: [${shown.join(' ')}]`);
}

/** Returns by how much an object's usage exceeds that of the old object. @throws ApiError 403 when the usage is negative. */
function addedUsage(attributes: AdmissionAttributes<ApiObject>, evaluator: UsageEvaluator, now: number): Amounts {
  const { object, oldObject } = attributes;
  const usage = evaluator.usage(object, now);
  const negative = Object.keys(usage).filter((name) => compareAmounts(usage[name] ?? '0', '0') < 0);
  if (negative.length > 0)
    throw forbiddenRequest(attributes, `quota usage is negative for resource(s): ${negative.sort().join(',')}`);
  const before = oldObject ? evaluator.usage(oldObject, now) : {};
  return Object.fromEntries(
    Object.entries(usage).flatMap(([name, amount]) => {
      const added = subtractAmount(amount, amountOf(before, name) ?? '0');
      return compareAmounts(added, '0') > 0 ? [[name, added]] : [];
    }),
  );
}

/** Checks the limits of a quota. @throws ApiError 403 when the requested usage would exceed one. */
function refuseExcess(attributes: AdmissionAttributes, { metadata, status }: ResourceQuota, requested: Amounts): void {
  const { hard = {}, used = {} } = status;
  const next = addAmounts(used, requested);
  const exceeded = Object.keys(requested).filter(
    (name) => Object.hasOwn(hard, name) && compareAmounts(next[name] ?? '0', hard[name] ?? '0') > 0,
  );
  if (exceeded.length === 0) return;
  const show = (amounts: Amounts) =>
    [...exceeded]
      .sort()
      .map((name) => `${name}=${amountOf(amounts, name) ?? '0'}`)
      .join(',');
  const why = `exceeded quota: ${metadata.name}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`;
  throw forbiddenRequest(attributes, why);
}
