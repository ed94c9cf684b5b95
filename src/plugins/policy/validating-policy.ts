import type {
  AdmissionAttributes,
  AdmissionHost,
  AdmissionPluginFactory,
  ResourceForm,
  ServedKind,
} from '../../admission/admission-plugin.js';
import { admissionRequest } from '../../admission/admission-request.js';
import { evaluateWithAuthorizer } from '../../admission/expression-authorizer.js';
import { countMatch } from '../../admission/matching/condition-metrics.js';
import { isNamespace, requestNamespace } from '../../admission/matching/request-namespace.js';
import { yieldBetweenSteps } from '../../admission/yield-between-steps.js';
import { reading } from '../../meta/clock.js';
import { groupOf } from '../../meta/dialect.js';
import { formatGroupVersionKind, parseGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type {
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../resources/admissionregistration/admissionregistration-v1.types.js';
import { messageOf } from '../../values/message-of.js';
import { ConfigurationError, collectParams } from './params.js';
import { matchResources } from './policy-match.js';
import { countCheck } from './policy-metrics.js';
import { PolicySource } from './policy-source.js';
import { Verdict } from './verdict.js';

/** Resources that policies do not apply to, by the stem of the group: the policies themselves, and reviews, which change nothing. */
const EXEMPT: Readonly<Record<string, readonly string[]>> = {
  admissionregistration: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
  authentication: ['selfsubjectreviews', 'tokenreviews'],
  authorization: [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
};

/** Evaluates ValidatingAdmissionPolicies with their bindings. */
export const validatingAdmissionPolicies: AdmissionPluginFactory = (host) => {
  const source = new PolicySource(host);
  const exempt = new Set(
    Object.entries(EXEMPT).flatMap(([stem, all]) => all.map((each) => `${groupOf(host.dialect, stem)}/${each}`)),
  );
  return {
    name: 'ValidatingAdmissionPolicy',
    connects: true,
    handles: (attributes) =>
      !exempt.has(`${attributes.resource.group}/${attributes.resource.resource}`) && source.mayConcern(attributes),
    async validate(attributes) {
      const forms = attributes.forms();
      const candidates = source.candidates(attributes, forms);
      const verdict = new Verdict(attributes);
      const evaluation = new PolicyEvaluation(host, source, attributes, forms, verdict);
      for (const policy of candidates) await evaluation.policy(policy);
      verdict.throwIfDenied(host.dialect);
    },
  };
};

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
    const compiled = await this.#source.compiled(policy);
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
    const result = await evaluateWithAuthorizer(authorizer, user, (authorize) =>
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

/** @throws ConfigurationError for a kind that is not served. */
function servedKind(host: AdmissionHost, { apiVersion = '', kind = '' }: ParamKind): ServedKind {
  const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
  const found = host.servedKind({ group, version, kind });
  if (found) return found;
  const named = formatGroupVersionKind({ group, version, kind });
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${named}'`);
}
