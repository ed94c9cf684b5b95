import type { CompiledPolicy } from '../../cel/index.js';
import { groupOf } from '../../meta/dialect.js';
import type { Lister } from '../../meta/host.js';
import type { AdmissionHost, ResourceForm } from '../admission-plugin.js';
import { KEY_OF_ALL, keysOfRequest, keysOfRules } from '../matching/rule.js';
import type { BindingObject, PolicyObject } from './policy-objects.js';

const keysOfPolicy = ({ spec }: PolicyObject): readonly string[] =>
  keysOfRules(spec.matchConstraints?.resourceRules ?? []);
const keysOfBinding = ({ spec }: BindingObject): readonly string[] => [spec.policyName ?? ''];
const byName = <T extends { readonly metadata: { readonly name?: string } }>(found: Iterable<T>): readonly T[] =>
  [...found].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));

/** Policies with their bindings. Those about other resources cost a request nothing; each version is compiled once. */
export class PolicySource {
  readonly #host: AdmissionHost;
  readonly #policies: Lister<PolicyObject>;
  readonly #bindings: Lister<BindingObject>;
  readonly #compiled = new WeakMap<PolicyObject, CompiledPolicy>();

  constructor(host: AdmissionHost) {
    this.#host = host;
    const group = groupOf(host.dialect, 'admissionregistration');
    this.#policies = host.lister(group, 'validatingadmissionpolicies');
    this.#bindings = host.lister(group, 'validatingadmissionpolicybindings');
  }

  get isEmpty(): boolean {
    for (const _ of this.#policies.byIndex(keysOfPolicy, KEY_OF_ALL)) return false;
    return true;
  }

  /** Policies that have a rule for the resource of a request, by name. */
  candidates(forms: readonly ResourceForm[]): readonly PolicyObject[] {
    const found = new Set<PolicyObject>();
    for (const key of keysOfRequest(forms))
      for (const policy of this.#policies.byIndex(keysOfPolicy, key)) found.add(policy);
    return byName(found);
  }

  bindingsOf({ metadata }: PolicyObject): readonly BindingObject[] {
    return byName(this.#bindings.byIndex(keysOfBinding, metadata.name ?? ''));
  }

  async compiled(policy: PolicyObject): Promise<CompiledPolicy> {
    const known = this.#compiled.get(policy);
    if (known) return known;
    const { compilePolicy, costsOf } = await import('../../cel/index.js');
    const { failurePolicy, ...spec } = policy.spec;
    const made = compilePolicy(
      { ...spec, failurePolicy: failurePolicy === 'Ignore' ? 'Ignore' : 'Fail' },
      {
        params: spec.paramKind !== undefined,
        strictCosts: this.#host.gates.StrictCostEnforcementForVAP,
        costs: costsOf(this.#host.dialect),
      },
    );
    this.#compiled.set(policy, made);
    return made;
  }
}
