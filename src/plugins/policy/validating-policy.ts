import type { AdmissionAttributes, AdmissionHost, ResourceForm, ServedKind } from '../../admission/admission-plugin.js';
import { admissionRequest } from '../../admission/admission-request.js';
import { authorizerOf } from '../../admission/authorize-caller.js';
import { evaluateWithAuthorizer } from '../../admission/expression-authorizer.js';
import { countMatch } from '../../admission/matching/condition-metrics.js';
import { isNamespace, matchRules, requestNamespace } from '../../admission/matching/rule.js';
import { selects } from '../../admission/matching/selectors.js';
import { EVERY_REQUEST, ruledPlugin } from '../../admission/ruled-plugin.js';
import { yieldBetweenSteps } from '../../admission/yield-between-steps.js';
import type { PolicyDecision } from '../../cel/rules.js';
import { reading } from '../../meta/clock.js';
import { formatGroupVersionKind, parseGroupVersion } from '../../meta/group-version.js';
import type { Lister } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { counter, histogram } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';
import type {
  MatchResources,
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../resources/admissionregistration/admissionregistration-v1.types.js';
import { messageOf } from '../../values/message-of.js';
import { ConfigurationError, collectParams, PolicySource } from './policy-source.js';
import { Verdict } from './verdict.js';

/** Evaluates ValidatingAdmissionPolicies with their bindings. */
export const validatingAdmissionPolicies = ruledPlugin({
  name: 'ValidatingAdmissionPolicy',
  rules: EVERY_REQUEST,
  connects: true,
  create(host) {
    const source = new PolicySource(host);
    return {
      handles: source.mayConcern,
      async validate(attributes) {
        const forms = attributes.forms();
        const candidates = source.candidates(attributes, forms);
        const verdict = new Verdict(attributes);
        const evaluation = new PolicyEvaluation(host, source, attributes, forms, verdict);
        for (const policy of candidates) await evaluation.policy(policy);
        verdict.throwIfDenied(host.dialect);
      },
    };
  },
});

/** Evaluates the policies for one request, one after the other. */
class PolicyEvaluation {
  readonly #host: AdmissionHost;
  readonly #source: PolicySource;
  readonly #attributes: AdmissionAttributes;
  readonly #forms: readonly ResourceForm[];
  readonly #verdict: Verdict;

  constructor(
    host: AdmissionHost,
    source: PolicySource,
    attributes: AdmissionAttributes,
    forms: readonly ResourceForm[],
    verdict: Verdict,
  ) {
    this.#host = host;
    this.#source = source;
    this.#attributes = attributes;
    this.#forms = forms;
    this.#verdict = verdict;
  }

  async policy(policy: ValidatingAdmissionPolicy): Promise<void> {
    const { matchConstraints, paramKind } = policy.spec;
    let form: ResourceForm | undefined;
    let served: ServedKind | undefined;
    try {
      form = matchResources(matchConstraints, this.#attributes, this.#forms, this.#namespaces);
      if (!form) return;
      served = paramKind && servedKind(this.#host, paramKind);
    } catch (error) {
      this.#verdict.misconfigured(policy, undefined, messageOf(error));
      return;
    }
    for (const binding of this.#source.bindingsOf(policy)) await this.#binding(policy, binding, form, served);
  }

  async #binding(
    policy: ValidatingAdmissionPolicy,
    binding: ValidatingAdmissionPolicyBinding,
    form: ResourceForm,
    served: ServedKind | undefined,
  ): Promise<void> {
    let params: readonly (ApiObject | undefined)[];
    try {
      if (!matchResources(binding.spec.matchResources, this.#attributes, this.#forms, this.#namespaces)) return;
      params = await collectParams(
        policy.spec.paramKind,
        served,
        binding.spec.paramRef,
        requestNamespace(this.#attributes),
      );
    } catch (error) {
      this.#verdict.misconfigured(policy, binding, messageOf(error));
      return;
    }
    for (const param of params) await this.#evaluate(policy, binding, form, param);
  }

  async #evaluate(
    policy: ValidatingAdmissionPolicy,
    binding: ValidatingAdmissionPolicyBinding,
    form: ResourceForm,
    params: ApiObject | undefined,
  ): Promise<void> {
    await yieldBetweenSteps(this.#attributes);
    const compiled = await this.#source.compile(policy);
    const { object, oldObject, user, namespace } = this.#attributes;
    const { authorizer, clock, dialect, metrics } = this.#host;
    const values = {
      object: object && (await form.from(object)),
      oldObject: oldObject && (await form.from(oldObject)),
      request: admissionRequest(this.#attributes, form, dialect),
      params,
      namespaceObject:
        namespace === '' || isNamespace(this.#attributes) ? undefined : this.#namespaces.get('', namespace),
    };
    const now = () => reading(clock);
    const result = await evaluateWithAuthorizer(authorizerOf(this.#attributes, authorizer), user, (authorize) =>
      compiled.evaluate({ ...values, authorize }, { now }),
    );
    const { name = '' } = policy.metadata;
    if (result.matched) {
      const { operation } = this.#attributes;
      const { result: found, elapsed } = result.matched;
      countMatch(metrics, { name, kind: 'policy', type: 'validate', operation }, found, elapsed);
    }
    for (const [index, decision] of result.decisions.entries()) {
      countCheck(metrics, name, binding.metadata.name ?? '', decision, binding.spec.validationActions ?? []);
      this.#verdict.decision(policy, binding, decision, index);
    }
    for (const { key, action, value = '', error = '' } of result.auditAnnotations) {
      if (action === 'publish') this.#verdict.annotation(policy, key, value);
      if (action === 'error') this.#verdict.annotationFailed(policy, binding, error);
    }
  }

  get #namespaces() {
    return this.#host.lister('', 'namespaces');
  }
}

/** Returns the kind of a policy's parameters. @throws ConfigurationError for a kind that is not served. */
function servedKind(host: AdmissionHost, { apiVersion = '', kind = '' }: ParamKind): ServedKind {
  const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
  const served = host.servedKind({ group, version, kind });
  if (served) return served;
  const named = formatGroupVersionKind({ group, version, kind });
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${named}'`);
}

const LABELS = ['policy', 'policy_binding', 'error_type', 'enforcement_action'];
const checks = counter(
  'apiserver_validating_admission_policy_check_total',
  'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
  LABELS,
  { stability: 'BETA' },
);
const duration = histogram(
  'apiserver_validating_admission_policy_check_duration_seconds',
  'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
  LABELS,
  [0.0000005, 0.001, 0.01, 0.1, 1],
  { stability: 'BETA' },
);

/** Counts a decision once for each enforcement action. A decision that admits without an error is not counted. */
function countCheck(
  metrics: Metrics,
  policy: string,
  binding: string,
  decision: PolicyDecision,
  validationActions: readonly string[],
): void {
  const actions = decision.action === 'deny' ? validationActions.map((each) => each.toLowerCase()) : ['allow'];
  if (decision.action === 'admit' && decision.evaluation !== 'error') return;
  for (const action of actions) {
    const labels = [policy, binding, errorType(decision), action];
    metrics.add(checks, labels);
    metrics.observe(duration, labels, (decision.elapsed ?? 0) / 1000);
  }
}

/** Returns the metric label `error_type` of a decision. It is derived from the message, as in upstream. */
function errorType({ evaluation, message }: PolicyDecision): string {
  if (evaluation === 'admit') return 'no_error';
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}

/**
 * Returns the API version in which a policy or a binding matches a request; undefined when it does not match.
 * @throws ApiError when the namespace does not exist.
 */
export function matchResources(
  match: MatchResources | undefined,
  attributes: AdmissionAttributes,
  forms: readonly ResourceForm[],
  namespaces: Lister,
): ResourceForm | undefined {
  const [own] = forms;
  if (!match) return own;
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = match;
  const selected = selects(match, attributes, namespaces);
  if (!selected.matches) return undefined;
  if (matchRules(excludeResourceRules, matchPolicy, attributes, forms)) return undefined;
  const form = resourceRules.length === 0 ? own : matchRules(resourceRules, matchPolicy, attributes, forms);
  if (form && selected.error !== undefined) throw selected.error;
  return form;
}
