import type { AuthorizationAttributes } from '../../authorization/authorizer.js';
import type { SelectorRequirements } from '../../authorization/selector-attributes.js';
import { apiError } from '../../meta/api-error.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { RequestContext } from '../../registry/request-context.js';
import type { VirtualCall, VirtualKind } from '../../registry/resource-definition.js';
import { objectMeta } from '../../schema/object-meta-schema.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { type FieldRequirement, parseFieldSelector } from '../../selectors/field-selector.js';
import type { LabelRequirement } from '../../selectors/label-requirement.js';
import { parseLabelSelector } from '../../selectors/label-selector.js';
import {
  type LabelSelectorExpression,
  requirementOf,
  validateLabelExpression,
} from '../../selectors/label-selector-object.js';
import { ParseError } from '../../values/parse-error.js';
import { quote } from '../../values/quote.js';
import type { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewStatus } from './authorization-v1.types.js';

/** The attributes in the spec of an access review. Exactly one of the members must be present. */
interface AccessSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

/** The rules that differ between the kinds of reviews. */
interface ReviewRules<Spec> {
  /** Returns the validation errors of the spec. */
  validateSpec(spec: Spec): readonly FieldError[];
  /** Returns an error if the spec names another namespace than the path of the review. Cluster-scoped kinds of reviews omit it. */
  inNamespace?(spec: Spec, namespace: string): readonly FieldError[];
  /** Returns the user whose access is reviewed. */
  subject(spec: Spec, caller: UserInfo): UserInfo;
}

/** Returns the implementation of one kind of access reviews, which are evaluated but not stored (spec 12.4). */
export function virtualReview<Spec extends AccessSpec>(rules: ReviewRules<Spec>): VirtualKind {
  return {
    // The body was decoded with the schema of the kind, so the cast is safe.
    create: (body, call, context) => run(answerReview(rules, body as Review<Spec>, call, context)),
  };
}

type Review<Spec> = ApiObject & { readonly spec: Spec };

function* answerReview<Spec extends AccessSpec>(
  rules: ReviewRules<Spec>,
  review: Review<Spec>,
  { namespace, validate }: VirtualCall,
  context: RequestContext,
): Flow<ApiObject> {
  const spec = context.host.gates.AuthorizeWithSelectors ? review.spec : withoutSelectors(review.spec);
  refuseReview(review, [
    ...rules.validateSpec(spec),
    ...validateSelectors(spec.resourceAttributes),
    ...validateNoMetadata(review, { namespace: rules.inNamespace !== undefined }),
    ...(rules.inNamespace?.(spec, namespace) ?? []),
  ]);
  yield* settled(validate(review));
  const status = yield* decideAccess(spec, rules.subject(spec, context.user), context);
  return { ...review, spec, status } as ApiObject;
}

/** Returns the validation errors of the attributes in a spec (spec 12.7). */
export function validateAccessSpec({ resourceAttributes, nonResourceAttributes }: AccessSpec): FieldError[] {
  if (resourceAttributes && nonResourceAttributes)
    return [
      fieldError.invalid(
        'spec.nonResourceAttributes',
        printPath(nonResourceAttributes),
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  if (resourceAttributes || nonResourceAttributes) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [fieldError.invalid('spec.resourceAttributes', undefined, why)];
}

/** Checks that a review has no metadata. Managed fields are ignored. */
function validateNoMetadata({ metadata }: ApiObject, allowed: { readonly namespace: boolean }): FieldError[] {
  const { managedFields: _owners, creationTimestamp: _time, namespace, ...rest } = metadata;
  if (Object.keys(rest).length === 0 && (allowed.namespace || namespace === undefined)) return [];
  const why = allowed.namespace ? 'must be empty except for namespace' : 'must be empty';
  return [fieldError.invalid('metadata', printed(printGoSyntax(objectMeta, metadata)), why)];
}

/** Refuses a review with errors. As in upstream, the error does not name the kind. @throws ApiError 422 when there are errors */
function refuseReview({ apiVersion }: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const [group = ''] = apiVersion.split('/');
  throw apiError.invalid({ group, kind: '' }, '', errors);
}

/** Removes the selectors from a spec. They are ignored while the feature gate AuthorizeWithSelectors is off (spec 12.5). */
function withoutSelectors<T extends AccessSpec>(spec: T): T {
  if (!spec.resourceAttributes) return spec;
  const { fieldSelector: _fields, labelSelector: _labels, ...resourceAttributes } = spec.resourceAttributes;
  return { ...spec, resourceAttributes };
}

/** Calls the server's authorizers with the attributes of a review (spec 12.6). */
function* decideAccess(spec: AccessSpec, user: UserInfo, { access }: RequestContext): Flow<SubjectAccessReviewStatus> {
  const { requirements, problems } = readSelectors(spec.resourceAttributes);
  const requested = requestedAttributes(spec, user);
  const hasSelectors = requirements.fieldSelector !== undefined || requirements.labelSelector !== undefined;
  const decision = yield* settled(access.authorize(hasSelectors ? { ...requested, ...requirements } : requested));
  const error = decision.decision === 'Allow' ? undefined : decision.error;
  const errors = [...(error ? [error.message] : []), ...problems];
  return {
    allowed: decision.decision === 'Allow',
    ...(decision.decision === 'Deny' ? { denied: true } : {}),
    ...(decision.reason === '' ? {} : { reason: decision.reason }),
    ...(errors.length > 0 ? { evaluationError: errors.join('; ') } : {}),
  };
}

/** Returns the attributes of a review without its selectors. Only one of the two kinds of attributes is present. */
function requestedAttributes(
  { resourceAttributes: ofResource, nonResourceAttributes: ofPath }: AccessSpec,
  user: UserInfo,
): AuthorizationAttributes {
  return {
    user,
    verb: ofResource?.verb ?? ofPath?.verb ?? '',
    resourceRequest: ofResource !== undefined,
    group: ofResource?.group ?? '',
    version: ofResource ? (ofResource.version ?? '*') : '',
    resource: ofResource?.resource ?? '',
    subresource: ofResource?.subresource ?? '',
    namespace: ofResource?.namespace ?? '',
    name: ofResource?.name ?? '',
    path: ofPath?.path ?? '',
  };
}

/** Returns the error for `nonResourceAttributes` where only `resourceAttributes` are allowed. */
export function pathDisallowed(attributes: NonResourceAttributes): FieldError {
  return fieldError.invalid('spec.nonResourceAttributes', printPath(attributes), 'disallowed on this kind of request');
}

function printPath({ path = '', verb = '' }: NonResourceAttributes) {
  return printed(`authorization.NonResourceAttributes{Path:${quote(path)}, Verb:${quote(verb)}}`);
}

/** A field selector or label selector in the resource attributes of a review. */
interface SelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly LabelSelectorExpression[];
}

/** The requirements of a review's selectors that can be parsed, and the parse errors of the remaining ones (spec 12.5). */
interface ReadSelectors {
  readonly requirements: SelectorRequirements;
  readonly problems: readonly string[];
}

const PATH = 'spec.resourceAttributes';

/** Returns the validation errors of the selectors in resource attributes. */
function validateSelectors({ fieldSelector, labelSelector }: ResourceAttributes = {}): FieldError[] {
  return [
    ...validateSelector(fieldSelector, `${PATH}.fieldSelector`, validateFieldExpression),
    ...validateSelector(labelSelector, `${PATH}.labelSelector`, (each, path) =>
      validateLabelExpression(each, path, { anyOperator: true }),
    ),
  ];
}

function validateSelector(
  selector: SelectorAttributes | undefined,
  path: string,
  validate: (requirement: LabelSelectorExpression, path: string) => FieldError[],
): FieldError[] {
  if (!selector) return [];
  const { rawSelector = '', requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0)
    errors.push(
      fieldError.invalid(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements'),
    );
  if (rawSelector === '' && requirements.length === 0) {
    const why = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(fieldError.required(`${path}.requirements`, why));
  }
  return [...errors, ...errorsOf(requirements, (each, i) => validate(each, `${path}.requirements[${i}]`))];
}

/**
 * Checks a field requirement. Unknown operators are valid because they may come from newer clients. A requirement with an unknown operator
 * is ignored later.
 */
function validateFieldExpression({ key, operator, values = [] }: LabelSelectorExpression, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (key === '') errors.push(fieldError.required(`${path}.key`, 'must be specified'));
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
    errors.push(fieldError.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    errors.push(
      fieldError.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
    );
  return errors;
}

/** Parses the selectors of a review. A requirement that cannot be parsed is ignored, so the reviewed access becomes broader. */
function readSelectors({ fieldSelector, labelSelector }: ResourceAttributes = {}): ReadSelectors {
  const problems: string[] = [];
  const fields = readSelector(fieldSelector, 'fieldSelector', parseFieldSelector, fieldRequirementOf, problems);
  const labels = readSelector(labelSelector, 'labelSelector', parseLabelSelector, labelRequirementOf, problems);
  return {
    requirements: {
      ...(fields.length > 0 ? { fieldSelector: fields } : {}),
      ...(labels.length > 0 ? { labelSelector: labels } : {}),
    },
    problems,
  };
}

function readSelector<T>(
  { rawSelector = '', requirements = [] }: SelectorAttributes = {},
  name: string,
  parse: (text: string) => { readonly requirements: readonly T[] },
  read: (requirement: LabelSelectorExpression) => T,
  problems: string[],
): readonly T[] {
  const readers = requirements.length > 0 ? requirements.map((each) => () => [read(each)]) : [];
  if (requirements.length === 0 && rawSelector !== '') readers.push(() => [...parse(rawSelector).requirements]);
  const parsed: T[] = [];
  let failed = false;
  for (const readTerms of readers)
    try {
      parsed.push(...readTerms());
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      failed = true;
    }
  const partially = parsed.length > 0 ? 'partially ' : '';
  if (failed) problems.push(`${PATH}.${name} ${partially}ignored due to parse error`);
  return parsed;
}

/** Converts a requirement of a label selector. As in upstream, authorizers receive its values as they are written. @throws ParseError */
function labelRequirementOf(expression: LabelSelectorExpression): LabelRequirement {
  return { ...requirementOf(expression), values: expression.values ?? [] };
}

/** Converts a requirement of a field selector. Only the operators In and NotIn with exactly one value are supported. @throws ParseError */
function fieldRequirementOf({ key, operator, values = [] }: LabelSelectorExpression): FieldRequirement {
  const [value] = values;
  if (value === undefined || values.length > 1 || (operator !== 'In' && operator !== 'NotIn'))
    throw new ParseError(`fieldSelectors do not yet support ${operator} of ${values.length} values`);
  return { field: key, operator: operator === 'In' ? '=' : '!=', value };
}
