import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import type { PolicyDecision } from '../../cel/rules.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { StatusReason } from '../../meta/status.js';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../resources/admissionregistration/admissionregistration-v1.types.js';
import { isLongerThan } from '../../values/utf8.js';

const CODES: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };
const INVALID = 422;
/** The maximum number of bytes in the value of an annotation. */
const MAX_ANNOTATION = 10 * 1024;

interface Failure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

/** Collects the audit annotations and the first refusal of all policies for one request. */
export class Verdict {
  readonly #attributes: AdmissionAttributes;
  readonly #annotations = new Map<string, Set<string>>();
  /** The first validation failure with the action Audit. Only one is recorded, because an audit annotation can be written only once. */
  #failure: Failure | undefined;
  /** The first refusal. It determines the response. */
  #denied: { readonly message: string; readonly reason: string } | undefined;

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  /** Records that a policy, or one of its bindings, is unusable. */
  misconfigured(
    policy: ValidatingAdmissionPolicy,
    binding: ValidatingAdmissionPolicyBinding | undefined,
    why: string,
  ): void {
    if (policy.spec.failurePolicy === 'Ignore') return;
    this.#deny(policy, binding, `failed to configure ${binding ? 'binding' : 'policy'}: ${why}`);
  }

  decision(
    policy: ValidatingAdmissionPolicy,
    binding: ValidatingAdmissionPolicyBinding,
    { action, message, reason }: PolicyDecision,
    index: number,
  ): void {
    if (action === 'admit') return;
    const { validationActions = [], policyName = '' } = binding.spec;
    const name = binding.metadata.name ?? '';
    for (const validationAction of validationActions) {
      if (validationAction === 'Deny') this.#deny(policy, binding, message, reason);
      if (validationAction === 'Audit')
        this.#failure ??= { message, policy: policyName, binding: name, expressionIndex: index, validationActions };
      if (validationAction === 'Warn')
        this.#attributes.warn(
          `Validation failed for ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${name}': ${message}`,
        );
    }
  }

  /** Records that the expression of an audit annotation failed. */
  annotationFailed(policy: ValidatingAdmissionPolicy, binding: ValidatingAdmissionPolicyBinding, why: string): void {
    this.#deny(policy, binding, why);
  }

  annotation(policy: ValidatingAdmissionPolicy, key: string, value: string): void {
    const whole = `${policy.metadata.name}/${key}`;
    const values = this.#annotations.get(whole);
    const shown = firstBytes(value, MAX_ANNOTATION);
    if (values) values.add(shown);
    else this.#annotations.set(whole, new Set([shown]));
  }

  /** Writes the audit annotations, then refuses the request if a policy denied it. @throws ApiError for the first refusal. */
  throwIfDenied(dialect: Dialect): void {
    for (const [key, values] of this.#annotations) this.#attributes.annotate(key, [...values].join(', '));
    if (this.#failure) {
      const key = `validation.policy.${groupOf(dialect, 'admission')}/validation_failure`;
      this.#attributes.annotate(key, JSON.stringify([this.#failure]));
    }
    if (!this.#denied) return;
    const { message, reason } = this.#denied;
    throw forbiddenRequest(this.#attributes, message, [{ message }]).withCode(
      CODES[reason] ?? INVALID,
      reason as StatusReason, // The validation of policies accepts only reasons of this type, so the cast is safe.
    );
  }

  #deny(
    { metadata }: ValidatingAdmissionPolicy,
    binding: ValidatingAdmissionPolicyBinding | undefined,
    message: string,
    reason = 'Invalid',
  ): void {
    const by = `ValidatingAdmissionPolicy '${metadata.name}'${binding ? ` with binding '${binding.metadata.name}'` : ''}`;
    this.#denied ??= { message: `${by} denied request: ${message}`, reason };
  }
}

/** Returns the beginning of a string, cut to a number of UTF-8 bytes. A character that is cut becomes U+FFFD. */
function firstBytes(text: string, bytes: number): string {
  if (!isLongerThan(text, bytes)) return text;
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes));
}
