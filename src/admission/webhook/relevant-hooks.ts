import type { CompiledMatchConditions } from '../../cel/rules.js';
import { apiError } from '../../meta/api-error.js';
import { reading } from '../../meta/clock.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Lister } from '../../meta/host.js';
import type { AdmissionAttributes, AdmissionHost, ResourceForm } from '../admission-plugin.js';
import { admissionRequest } from '../admission-request.js';
import { evaluateWithAuthorizer } from '../expression-authorizer.js';
import { giveWayTo } from '../give-way.js';
import { countMatch } from '../matching/condition-metrics.js';
import { keysOfRules, matchRules, mayBeRuled, ruledByName } from '../matching/rule.js';
import { selects } from '../matching/selectors.js';
import type { Webhook, WebhookConfiguration } from './webhook-objects.js';

/** A webhook that may be about a request. */
export interface Candidate {
  readonly hook: Webhook;
  readonly configuration: string;
  /** Its place in the configuration. */
  readonly at: number;
}

/** A webhook that is about a request, and the version it wants. */
export interface Invocation extends Candidate {
  readonly form: ResourceForm;
  /** Its place among all webhooks where they are asked in turn, else among those that are asked. */
  readonly index: number;
}

const CONFIGURATIONS = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/** Whether a write passes all webhooks by, as a broken webhook could not be repaired otherwise. */
function isExempt({ resource }: AdmissionAttributes, dialect: Dialect): boolean {
  return CONFIGURATIONS.has(resource.resource) && resource.group === groupOf(dialect, 'admissionregistration');
}

const keysOf = (configuration: WebhookConfiguration): readonly string[] =>
  keysOfRules((configuration.webhooks ?? []).flatMap(({ rules = [] }) => rules));

/** The webhooks of all configurations of one kind. Those of other resources cost a request nothing. */
export class WebhookSource {
  readonly #host: AdmissionHost;
  /** As metrics name them. */
  readonly #type: 'admit' | 'validating';
  readonly #configurations: Lister<WebhookConfiguration>;
  readonly #namespaces: Lister;
  readonly #conditions = new WeakMap<Webhook, CompiledMatchConditions>();

  constructor(host: AdmissionHost, sort: 'mutating' | 'validating') {
    this.#host = host;
    this.#type = sort === 'mutating' ? 'admit' : sort;
    const resource = `${sort}webhookconfigurations`;
    this.#configurations = host.lister(groupOf(host.dialect, 'admissionregistration'), resource);
    this.#namespaces = host.lister('', 'namespaces');
  }

  /** Whether there may be any for a request. */
  mayConcern(attributes: AdmissionAttributes): boolean {
    return !isExempt(attributes, this.#host.dialect) && mayBeRuled(this.#configurations, keysOf, attributes);
  }

  /** Webhooks whose configurations have a rule for the resource and operation, by the names of these, then in their order. */
  candidates(attributes: AdmissionAttributes, forms: readonly ResourceForm[]): readonly Candidate[] {
    return ruledByName(this.#configurations, keysOf, attributes, forms).flatMap(({ metadata, webhooks = [] }) =>
      webhooks.map((hook, at) => ({ configuration: metadata.name ?? '', hook, at })),
    );
  }

  /**
   * How a webhook is to be asked about a request; undefined where it is not about it.
   * @param index its place among those that are asked; undefined: among all
   * @throws ApiError 403 where its conditions cannot be evaluated, 404 where the namespace is gone.
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

  /** The place of a webhook among those of all configurations. */
  #place({ configuration, at }: Candidate): number {
    let place = at;
    for (const { metadata, webhooks = [] } of this.#configurations.list())
      if ((metadata.name ?? '') < configuration) place += webhooks.length;
    return place;
  }

  /** @throws ApiError 403. */
  async #fulfils(hook: Webhook, attributes: AdmissionAttributes, form: ResourceForm): Promise<boolean> {
    if (!hook.matchConditions?.length) return true;
    await giveWayTo(attributes);
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
    const result = await evaluateWithAuthorizer(authorizer, user, (authorize) =>
      compiled.match(cel.matchBindings({ ...values, authorize }), policy),
    );
    const { name } = hook;
    const of = { name, kind: 'webhook', type: this.#type, operation: attributes.operation } as const;
    countMatch(metrics, of, result, reading(clock) - since);
    if (result.error !== undefined) throw apiError.forbidden(attributes.resource, attributes.name, result.error);
    return result.matches;
  }
}
