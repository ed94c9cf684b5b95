import type { AdmissionAttributes, AdmissionHost, ResourceForm } from '../../admission/admission-plugin.js';
import { byName, keysOfRules, mayBeRuled, ruledByName } from '../../admission/matching/rule.js';
import type { CompiledPolicy } from '../../cel/rules.js';
import { groupOf } from '../../meta/dialect.js';
import type { Lister } from '../../meta/host.js';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../resources/admissionregistration/admissionregistration-v1.types.js';

const keysOfPolicy = ({ spec }: ValidatingAdmissionPolicy): readonly string[] =>
  keysOfRules(spec.matchConstraints?.resourceRules ?? []);
const keysOfBinding = ({ spec }: ValidatingAdmissionPolicyBinding): readonly string[] => [spec.policyName ?? ''];

/**
 * Policies with their bindings. An index keeps policies for other resources from costing a request anything, and each version of a policy
 * is compiled once.
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

  /** Returns whether any policy may apply to a request. */
  mayConcern(attributes: AdmissionAttributes): boolean {
    return mayBeRuled(this.#policies, keysOfPolicy, attributes);
  }

  /** Returns the policies with a rule for the resource and operation of a request, sorted by name. */
  candidates(attributes: AdmissionAttributes, forms: readonly ResourceForm[]): readonly ValidatingAdmissionPolicy[] {
    return ruledByName(this.#policies, keysOfPolicy, attributes, forms);
  }

  bindingsOf({ metadata }: ValidatingAdmissionPolicy): readonly ValidatingAdmissionPolicyBinding[] {
    return byName(this.#bindings.byIndex(keysOfBinding, metadata.name ?? ''));
  }

  async compiled(policy: ValidatingAdmissionPolicy): Promise<CompiledPolicy> {
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
   * Drops the compiled form of replaced policies. The storage's history keeps the replaced objects, and the compiled forms are much larger.
   */
  #forgetReplaced(): void {
    if (this.#dropsReplaced) return;
    this.#dropsReplaced = true;
    this.#policies.onChange((_next, previous) => void (previous && this.#compiled.delete(previous)));
  }
}
