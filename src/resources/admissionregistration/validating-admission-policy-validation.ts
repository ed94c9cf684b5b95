import type { Composition } from '../../cel/rules.js';
import { isReserved } from '../../cel/schema/escape.js';
import type { Work } from '../../cel/values/work.js';
import { equalJson } from '../../json/equal.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import { dns1035Label, dns1123Subdomain, qualifiedName } from '../../meta/names.js';
import type { StrategyContext } from '../../registry/strategy.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { ParseError } from '../../values/parse-error.js';
import { parseJsonPath } from '../../values/parse-json-path.js';
import { trimSpace } from '../../values/trim-space.js';
import { utf8Length } from '../../values/utf8.js';
import { validateConditions } from '../shared/condition-rules.js';
import { validateOptional } from '../shared/value-rules.js';
import { admissionregistrationV1 } from './admissionregistration-v1.js';
import type {
  AuditAnnotation,
  ParamKind,
  ValidatingAdmissionPolicy,
  Validation,
  Variable,
} from './admissionregistration-v1.types.js';
import {
  type Cel,
  type ExpressionHost,
  ExpressionRules,
  expressionsOf,
  loadCel,
  validateMatchConditions,
} from './expression-rules.js';
import { FAILURE_POLICIES, oneOfSupported, validateMatchResources } from './rule-validation.js';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MAX_ANNOTATIONS = 20;
/** Maximum bytes of the value expression of an audit annotation. */
const MAX_VALUE_EXPRESSION = 5 * 1024;

/** Returns the validation errors of a policy. Expressions that the stored policy contains may use more CEL libraries than new ones. */
export async function validatePolicy(
  policy: ValidatingAdmissionPolicy,
  { host }: StrategyContext,
  old?: ValidatingAdmissionPolicy,
): Promise<FieldError[]> {
  const { spec } = policy;
  const { failurePolicy, paramKind, matchConstraints, validations = [], auditAnnotations = [] } = spec;
  const errors: FieldError[] = [
    ...(failurePolicy === undefined ? [fieldError.required('spec.failurePolicy')] : []),
    ...oneOfSupported('spec.failurePolicy', failurePolicy, FAILURE_POLICIES),
    ...(paramKind ? validateParamKind(paramKind, 'spec.paramKind') : []),
  ];
  if (matchConstraints) {
    errors.push(...validateMatchResources(matchConstraints, 'spec.matchConstraints'));
    if (!matchConstraints.resourceRules?.length)
      errors.push(fieldError.required('spec.matchConstraints.resourceRules'));
  } else errors.push(fieldError.required('spec.matchConstraints'));
  const work = {};
  const conditions = spec.matchConditions ?? [];
  const sameConditions =
    old &&
    equalJson(conditions, old.spec.matchConditions ?? []) &&
    equalJson(paramKind ?? null, old.spec.paramKind ?? null);
  if (!sameConditions) {
    const before = new Set(expressionsOf(old?.spec.matchConditions));
    const options = { host, params: paramKind !== undefined, before, work };
    errors.push(...(await validateMatchConditions(conditions, 'spec.matchConditions', options)));
  }
  const rules = new PolicyRules(await loadCel(), { host, work }, policy, old);
  errors.push(...errorsOf(spec.variables ?? [], (variable, i) => rules.variable(variable, `spec.variables[${i}]`)));
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const why = 'validations or auditAnnotations must contain at least one item';
    return [...errors, fieldError.required('spec.validations', why), fieldError.required('spec.auditAnnotations', why)];
  }
  errors.push(...errorsOf(validations, (validation, i) => rules.validation(validation, `spec.validations[${i}]`)));
  return [...errors, ...validateAnnotations(auditAnnotations, rules)];
}

function validateAnnotations(annotations: readonly AuditAnnotation[], rules: PolicyRules): FieldError[] {
  const path = 'spec.auditAnnotations';
  const errors: FieldError[] = [];
  if (annotations.length > MAX_ANNOTATIONS) {
    const shown = printed(
      printGoSyntax(admissionregistrationV1.type('[]AuditAnnotation atomic'), annotations, 'admissionregistration'),
    );
    errors.push(fieldError.invalid(path, shown, `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`));
  }
  const keys = new Set<string>();
  const ofEach = errorsOf(annotations, (annotation, i) => {
    const problems = rules.annotation(annotation, `${path}[${i}]`);
    if (keys.has(annotation.key)) problems.push(fieldError.duplicate(`${path}[${i}].key`, annotation.key));
    keys.add(annotation.key);
    return problems;
  });
  return [...errors, ...ofEach];
}

function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, path: string): FieldError[] {
  const lower = dns1035Label(kind.toLowerCase()).join(',');
  const why = `may have mixed case, but should otherwise match: ${lower}`;
  return [
    ...(apiVersion === ''
      ? [fieldError.required(`${path}.apiVersion`)]
      : validateApiVersion(apiVersion, `${path}.apiVersion`)),
    ...(kind === ''
      ? [fieldError.required(`${path}.kind`)]
      : lower === ''
        ? []
        : [fieldError.invalid(`${path}.kind`, kind, why)]),
  ];
}

function validateApiVersion(apiVersion: string, path: string): FieldError[] {
  const parsed = apiVersion === '/' ? { group: '', version: '' } : parseGroupVersion(apiVersion);
  if (!parsed) return [fieldError.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const { group, version } = parsed;
  const ofGroup = group === '' ? '' : dns1123Subdomain(group).join(',');
  const errors = ofGroup === '' ? [] : [fieldError.invalid(path, group, ofGroup)];
  if (version === '') return [...errors, fieldError.invalid(path, apiVersion, 'version must be specified')];
  const ofVersion = dns1035Label(version).join(',');
  return ofVersion === '' ? errors : [...errors, fieldError.invalid(path, version, ofVersion)];
}

/** Checks the expressions of a policy in order, because each variable is declared for the expressions after it. */
class PolicyRules {
  readonly #rules: ExpressionRules;
  readonly #name: string;
  readonly #params: boolean;
  /** The declared variables; undefined when the policy has none. In this case `variables` is undeclared in all expressions. */
  readonly #variables: Composition | undefined;
  /**
   * The expressions of the stored policy, in three sets: validations, message expressions, and values of audit annotations. Expressions in
   * these sets may use all CEL libraries.
   */
  readonly #stored: readonly [ReadonlySet<string>, ReadonlySet<string>, ReadonlySet<string>];
  readonly #cel: Cel;

  constructor(
    cel: Cel,
    { host, work }: { readonly host: ExpressionHost; readonly work: Work },
    { metadata, spec }: ValidatingAdmissionPolicy,
    old?: ValidatingAdmissionPolicy,
  ) {
    this.#cel = cel;
    this.#rules = new ExpressionRules(cel, host, work);
    this.#name = metadata.name ?? '';
    this.#params = spec.paramKind !== undefined;
    this.#variables = spec.variables?.length ? new cel.Composition(host.dialect.typePackage) : undefined;
    const { validations = [], auditAnnotations = [] } = old?.spec ?? {};
    this.#stored = [
      new Set(validations.map(({ expression }) => expression)),
      new Set(validations.map(({ messageExpression = '' }) => messageExpression)),
      new Set(auditAnnotations.map(({ valueExpression }) => valueExpression)),
    ];
  }

  variable({ name, expression }: Variable, path: string): FieldError[] {
    const ofName =
      trimSpace(name) === ''
        ? [fieldError.required(`${path}.name`, 'name is not specified')]
        : isIdentifier(name)
          ? []
          : [fieldError.invalid(`${path}.name`, name, 'name is not a valid CEL identifier')];
    if (trimSpace(expression) === '')
      return [...ofName, fieldError.required(`${path}.expression`, 'expression is not specified')];
    try {
      const stored = this.#stored[0].has(expression);
      this.#variables?.declare(name, this.#rules.compile(expression, stored, this.#options(true)));
      return ofName;
    } catch (error) {
      if (!(error instanceof this.#cel.CompilationFailed)) throw error;
      this.#variables?.declareBroken(name, error.message);
      return [...ofName, fieldError.invalid(`${path}.expression`, expression, error.message)];
    }
  }

  validation({ expression, message = '', messageExpression = '', reason }: Validation, path: string): FieldError[] {
    const [expressions, messages] = this.#stored;
    const ofExpression =
      trimSpace(expression) === ''
        ? [fieldError.required(`${path}.expression`, 'expression is not specified')]
        : this.#problems(`${path}.expression`, expression, expressions.has(expression), true, ['bool']);
    const at = `${path}.messageExpression`;
    const ofMessage =
      messageExpression === ''
        ? []
        : trimSpace(messageExpression) === ''
          ? [fieldError.invalid(at, messageExpression, 'must be non-empty if specified')]
          : this.#problems(at, messageExpression, messages.has(messageExpression), false, ['string']);
    return [
      ...ofExpression,
      ...ofMessage,
      ...validateMessage(message, `${path}.message`),
      ...oneOfSupported(`${path}.reason`, reason, REASONS),
    ];
  }

  annotation({ key, valueExpression }: AuditAnnotation, path: string): FieldError[] {
    const ofKey =
      this.#name === ''
        ? [fieldError.invalid(`${path}.key`, key, 'requires metadata.name be non-empty')]
        : validateOptional(`${path}.key`, `${this.#name}/${key}`, qualifiedName);
    const at = `${path}.valueExpression`;
    const source = trimSpace(valueExpression);
    if (source === '') return [...ofKey, fieldError.required(at, 'valueExpression is not specified')];
    if (utf8Length(source) > MAX_VALUE_EXPRESSION)
      return [...ofKey, fieldError.required(at, `must not exceed ${MAX_VALUE_EXPRESSION} bytes in length`)];
    const options = { ...this.#options(true), stored: this.#stored[2].has(valueExpression), shown: valueExpression };
    return [...ofKey, ...this.#rules.problems(at, source, options, ['string', 'null'])];
  }

  #problems(
    path: string,
    source: string,
    stored: boolean,
    authorizer: boolean,
    expectedKinds: readonly ('bool' | 'string')[],
  ) {
    return this.#rules.problems(path, source, { ...this.#options(authorizer), stored }, expectedKinds);
  }

  #options(authorizer: boolean) {
    return { params: this.#params, authorizer, variables: this.#variables };
  }
}

const isIdentifier = (name: string) => /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !isReserved(name);

function validateMessage(message: string, path: string): FieldError[] {
  const text = trimSpace(message);
  if (message !== '' && text === '')
    return [fieldError.invalid(path, message, 'message must be non-empty if specified')];
  return /[\n\r]/.test(text) ? [fieldError.invalid(path, message, 'message must not contain line breaks')] : [];
}

function validateFieldRef(ref: string, path: string): FieldError[] {
  if (ref === '') return [fieldError.required(path)];
  try {
    parseJsonPath(ref);
    return [];
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return [fieldError.invalid(path, ref, `invalid JSONPath: ${error.message}`)];
  }
}

/** Returns the validation errors of a policy's status. */
export function validatePolicyStatus({ status }: ValidatingAdmissionPolicy): FieldError[] {
  const ofWarnings = errorsOf(status.typeChecking?.expressionWarnings ?? [], ({ fieldRef, warning }, i) => {
    const path = `status.typeChecking.expressionWarnings[${i}]`;
    return [
      ...(warning === '' ? [fieldError.required(`${path}.warning`)] : []),
      ...validateFieldRef(trimSpace(fieldRef), `${path}.fieldRef`),
    ];
  });
  return [...ofWarnings, ...validateConditions(status.conditions ?? [])];
}
