import type { AdmissionAttributes, AdmissionHost, ResourceForm, ServedKind } from '../../admission/admission-plugin.js';
import { byName, keysOfRules, mayBeRuled, ruledByName } from '../../admission/matching/rule.js';
import type { CompiledPolicy } from '../../cel/rules.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Lister } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type {
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../resources/admissionregistration/admissionregistration-v1.types.js';
import { labelSelectorOf } from '../../selectors/label-selector-object.js';

const keysOfPolicy = ({ spec }: ValidatingAdmissionPolicy): readonly string[] =>
  keysOfRules(spec.matchConstraints?.resourceRules ?? []);
const keysOfBinding = ({ spec }: ValidatingAdmissionPolicyBinding): readonly string[] => [spec.policyName ?? ''];

/**
 * Resources that policies do not apply to, by API group without the suffix of the API dialect: the policies and bindings themselves, and
 * reviews, because creating a review changes nothing.
 */
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

function isExempt({ resource: { group, resource } }: AdmissionAttributes, dialect: Dialect): boolean {
  return Object.keys(EXEMPT).some((stem) => EXEMPT[stem]?.includes(resource) && groupOf(dialect, stem) === group);
}

/**
 * The policies of a server with their bindings. Policies are indexed by resource, so that a request is compared only with policies whose
 * rules name its resource. Each version of a policy is compiled once.
 */
export class PolicySource {
  readonly #host: AdmissionHost;
  readonly #policies: Lister<ValidatingAdmissionPolicy>;
  readonly #bindings: Lister<ValidatingAdmissionPolicyBinding>;
  readonly #compiled = new WeakMap<ValidatingAdmissionPolicy, CompiledPolicy>();
  #dropsReplaced = false;

  constructor(host: AdmissionHost) {
    this.#host = host;
    const group = groupOf(host.dialect, 'admissionregistration');
    this.#policies = host.lister(group, 'validatingadmissionpolicies');
    this.#bindings = host.lister(group, 'validatingadmissionpolicybindings');
  }

  /** Returns whether any policy may apply to a request. It is the `handles` of the plug-in. */
  readonly mayConcern = (attributes: AdmissionAttributes): boolean =>
    mayBeRuled(this.#policies, keysOfPolicy, attributes) && !isExempt(attributes, this.#host.dialect);

  /** Returns the policies with a rule for the resource and operation of a request, sorted by name. */
  candidates(attributes: AdmissionAttributes, forms: readonly ResourceForm[]): readonly ValidatingAdmissionPolicy[] {
    return ruledByName(this.#policies, keysOfPolicy, attributes, forms);
  }

  bindingsOf({ metadata }: ValidatingAdmissionPolicy): readonly ValidatingAdmissionPolicyBinding[] {
    return byName(this.#bindings.byIndex(keysOfBinding, metadata.name ?? ''));
  }

  async compile(policy: ValidatingAdmissionPolicy): Promise<CompiledPolicy> {
    const known = this.#compiled.get(policy);
    if (known) return known;
    const { compilePolicy, languageOf } = await import('../../cel/rules.js');
    const { failurePolicy, ...spec } = policy.spec;
    const compiledPolicy = compilePolicy(
      { ...spec, failurePolicy: failurePolicy === 'Ignore' ? 'Ignore' : 'Fail' },
      {
        params: spec.paramKind !== undefined,
        strictCosts: this.#host.gates.StrictCostEnforcementForVAP,
        authorizerSelectors: this.#host.gates.AuthorizeWithSelectors,
        ...languageOf(this.#host.dialect),
      },
    );
    this.#forgetReplaced();
    this.#compiled.set(policy, compiledPolicy);
    return compiledPolicy;
  }

  /**
   * Makes sure that the compiled form of a policy is dropped when the policy is replaced. Otherwise compiled forms, which are large, would
   * live as long as the replaced objects in the storage's history.
   */
  #forgetReplaced(): void {
    if (this.#dropsReplaced) return;
    this.#dropsReplaced = true;
    this.#policies.onChange((_next, previous) => void (previous && this.#compiled.delete(previous)));
  }
}

/** The error for an unusable policy or binding. The failure policy of the policy decides whether the request is refused. */
export class ConfigurationError extends Error {}

/**
 * Returns the parameters that a binding refers to. The policy is evaluated once for each of them; the result [undefined] means one
 * evaluation without parameters.
 * @param served the kind of the parameters, if the policy has one
 * @param namespace the namespace of the request's object, '' for none
 * @throws ConfigurationError when required parameters are missing, or the reference does not fit the kind.
 */
export async function collectParams(
  kind: ParamKind | undefined,
  served: ServedKind | undefined,
  ref: ParamRef | undefined,
  namespace: string,
): Promise<readonly (ApiObject | undefined)[]> {
  if (!kind || !served || !ref) return [undefined];
  const objects = await findParams(served, ref, namespace);
  if (objects.length === 0 && ref.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return objects;
}

async function findParams(served: ServedKind, ref: ParamRef, requestNamespace: string): Promise<readonly ApiObject[]> {
  const { name = '', namespace = '', selector } = ref;
  const paramNamespace = namespace === '' ? requestNamespace : namespace;
  if (served.namespaced && paramNamespace === '')
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  if (!served.namespaced && namespace !== '')
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const within = served.namespaced ? paramNamespace : '';
  if (name !== '') {
    const param = await served.get(within, name);
    return param ? [param] : [];
  }
  if (!selector) throw new ConfigurationError('one of name or selector must be provided');
  const { matches } = labelSelectorOf(selector);
  return (await served.list(within)).filter(({ metadata }) => matches(metadata.labels));
}
