import type { AdmissionAttributes, AdmissionHost, ResourceForm } from '../../admission/admission-plugin.js';
import { admissionRequest } from '../../admission/admission-request.js';
import { authorizerOf } from '../../admission/authorize-caller.js';
import { evaluateWithAuthorizer } from '../../admission/expression-authorizer.js';
import { countMatch } from '../../admission/matching/condition-metrics.js';
import { keysOfRules, matchRules, mayBeRuled, ruledByName } from '../../admission/matching/rule.js';
import { selects } from '../../admission/matching/selectors.js';
import { yieldBetweenSteps } from '../../admission/yield-between-steps.js';
import type { CompiledMatchConditions } from '../../cel/rules.js';
import { apiError } from '../../meta/api-error.js';
import { reading } from '../../meta/clock.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Lister } from '../../meta/host.js';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
} from '../../resources/admissionregistration/admissionregistration-v1.types.js';

/** A webhook that may apply to a request. */
export interface Candidate {
  /** The webhook. A validating webhook has the same fields except for the reinvocation policy, so it has this type, too. */
  readonly hook: MutatingWebhook;
  readonly configuration: string;
  /** The position of the webhook in its configuration. */
  readonly at: number;
}

/** A webhook that applies to a request, and the API version in which it receives the object. */
export interface Invocation extends Candidate {
  readonly form: ResourceForm;
  /**
   * The number of the webhook in audit annotations. For mutating webhooks it is the position among all webhooks, for validating webhooks
   * the position among those that apply to the request.
   */
  readonly index: number;
}

const CONFIGURATIONS = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/**
 * Returns whether a request bypasses all webhooks. Requests for webhook configurations and policies do, because otherwise a broken webhook
 * could prevent its own repair.
 */
function isExempt({ resource }: AdmissionAttributes, dialect: Dialect): boolean {
  return CONFIGURATIONS.has(resource.resource) && resource.group === groupOf(dialect, 'admissionregistration');
}

const keysOf = (configuration: MutatingWebhookConfiguration): readonly string[] =>
  keysOfRules((configuration.webhooks ?? []).flatMap(({ rules = [] }) => rules));

/**
 * The webhooks of all mutating or all validating configurations. Configurations are indexed by resource, so that a request is compared only
 * with webhooks whose rules name its resource.
 */
export class WebhookSource {
  readonly #host: AdmissionHost;
  /** The value of the metric label `type`. */
  readonly #type: 'admit' | 'validating';
  readonly #configurations: Lister<MutatingWebhookConfiguration>;
  readonly #namespaces: Lister;
  readonly #conditions = new WeakMap<MutatingWebhook, CompiledMatchConditions>();

  constructor(host: AdmissionHost, sort: 'mutating' | 'validating') {
    this.#host = host;
    this.#type = sort === 'mutating' ? 'admit' : sort;
    const resource = `${sort}webhookconfigurations`;
    this.#configurations = host.lister(groupOf(host.dialect, 'admissionregistration'), resource);
    this.#namespaces = host.lister('', 'namespaces');
  }

  /** Returns whether any webhook may apply to a request. It is the `handles` of the plug-in. */
  readonly mayConcern = (attributes: AdmissionAttributes): boolean =>
    mayBeRuled(this.#configurations, keysOf, attributes) && !isExempt(attributes, this.#host.dialect);

  /**
   * Returns the webhooks of all configurations that have a rule for the resource and operation. They are sorted by the configuration's name
   * and then by their position in it.
   */
  candidates(attributes: AdmissionAttributes, forms: readonly ResourceForm[]): readonly Candidate[] {
    return ruledByName(this.#configurations, keysOf, attributes, forms).flatMap(({ metadata, webhooks = [] }) =>
      webhooks.map((hook, at) => ({ configuration: metadata.name ?? '', hook, at })),
    );
  }

  /**
   * Returns how a webhook is called for a request; undefined when the webhook does not apply.
   * @param index the webhook's position among those that apply to the request; undefined to use its position among all webhooks
   * @throws ApiError 403 when its match conditions cannot be evaluated, 404 when the namespace does not exist.
   */
  async invocation(
    attributes: AdmissionAttributes,
    forms: readonly ResourceForm[],
    candidate: Candidate,
    index: number | undefined,
  ): Promise<Invocation | undefined> {
    const { hook } = candidate;
    const selected = selects(hook, attributes, this.#namespaces);
    if (!selected.matches) return undefined;
    const form = matchRules(hook.rules, hook.matchPolicy, attributes, forms);
    if (!form) return undefined;
    if (selected.error !== undefined) throw selected.error;
    if (!(await this.#fulfils(hook, attributes, form))) return undefined;
    return { ...candidate, form, index: index ?? this.#place(candidate) };
  }

  /** Returns the position of a webhook among the webhooks of all configurations. */
  #place({ configuration, at }: Candidate): number {
    let place = at;
    for (const { metadata, webhooks = [] } of this.#configurations.list())
      if ((metadata.name ?? '') < configuration) place += webhooks.length;
    return place;
  }

  /** Returns whether a request fulfills the match conditions of a webhook. @throws ApiError 403 when they cannot be evaluated. */
  async #fulfils(hook: MutatingWebhook, attributes: AdmissionAttributes, form: ResourceForm): Promise<boolean> {
    if (!hook.matchConditions?.length) return true;
    await yieldBetweenSteps(attributes);
    const cel = await import('../../cel/rules.js');
    const { authorizer, clock, dialect, gates, metrics } = this.#host;
    let conditions = this.#conditions.get(hook);
    if (!conditions) {
      const environment = cel.admissionEnvironment({
        authorizer: true,
        strictCosts: gates.StrictCostEnforcementForWebhooks,
        authorizerSelectors: gates.AuthorizeWithSelectors,
        ...cel.languageOf(dialect),
      });
      conditions = cel.compileMatchConditions(environment, hook.matchConditions);
      this.#conditions.set(hook, conditions);
    }
    const { object, oldObject, user } = attributes;
    const values = {
      object: object && (await form.from(object)),
      oldObject: oldObject && (await form.from(oldObject)),
      request: admissionRequest(attributes, form, dialect),
      typePackage: dialect.typePackage,
    };
    const policy = hook.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail';
    const compiled = conditions;
    const since = reading(clock);
    const result = await evaluateWithAuthorizer(authorizerOf(attributes, authorizer), user, (authorize) =>
      compiled.match(cel.matchBindings({ ...values, authorize }), policy),
    );
    const { name } = hook;
    const labels = { name, kind: 'webhook', type: this.#type, operation: attributes.operation } as const;
    countMatch(metrics, labels, result, reading(clock) - since);
    if (result.error !== undefined) throw apiError.forbidden(attributes.resource, attributes.name, result.error);
    return result.matches;
  }
}
