import { errorsOf, type FieldError, fieldError } from '../meta/field-error.js';
import { labelValue, qualifiedName } from '../meta/names.js';
import { validateLabels } from '../meta/object-meta-validation.js';
import { ParseError } from '../values/parse-error.js';
import { quote } from '../values/quote.js';
import { type LabelOperator, type LabelRequirement, labelRequirement } from './label-requirement.js';
import { everyLabel, type LabelSelector, labelSelector, noLabel } from './label-selector.js';

/** A label selector as a field of an object (spec 4.8). */
export interface LabelSelectorObject {
  /** Labels that an object must have with these values. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /** Requirements, all of which an object must satisfy, in addition to `matchLabels`. */
  readonly matchExpressions?: readonly LabelSelectorExpression[];
}

/** One requirement of a label selector. `values` is for In and NotIn only. */
export interface LabelSelectorExpression {
  /** The key of the label. */
  readonly key: string;
  /** The operator: In, NotIn, Exists or DoesNotExist. */
  readonly operator: string;
  /** The values, for `In` and `NotIn`; absent or empty for the other operators. */
  readonly values?: readonly string[];
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * Returns the selector of a LabelSelector object. An absent object selects nothing, and an empty object everything.
 * @throws ParseError for an object that {@link validateLabelSelector} reports errors for.
 */
export function labelSelectorOf(object: LabelSelectorObject | undefined): LabelSelector {
  if (object === undefined) return noLabel;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(object.matchLabels ?? {}))
    requirements.push(labelRequirement(key, '=', [value]));
  for (const expression of object.matchExpressions ?? []) requirements.push(requirementOf(expression));
  return requirements.length === 0 ? everyLabel : labelSelector(requirements);
}

/** Returns the selector of a LabelSelector object; undefined when the object is invalid. */
export function compileSelector(selector: LabelSelectorObject | undefined): LabelSelector | undefined {
  try {
    return labelSelectorOf(selector);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** Returns the requirement of an expression. @throws ParseError for an invalid expression */
export function requirementOf({ key, operator, values = [] }: LabelSelectorExpression): LabelRequirement {
  const compiled = OPERATORS.get(operator);
  if (compiled === undefined) throw new ParseError(`${quote(operator)} is not a valid label selector operator`);
  return labelRequirement(key, compiled, values);
}

/** Returns the errors of a selector object. With `anyValues`, values that no label can have are accepted. */
export function validateLabelSelector(
  object: LabelSelectorObject,
  path: string,
  { anyValues = false } = {},
): FieldError[] {
  const ofExpressions = errorsOf(object.matchExpressions ?? [], (expression, index) =>
    validateLabelExpression(expression, `${path}.matchExpressions[${index}]`, { anyValues }),
  );
  return [...validateLabels(object.matchLabels, `${path}.matchLabels`), ...ofExpressions];
}

/** Returns whether an expression has a value that no label can have. */
export const namesImpossibleValues = ({ matchExpressions = [] }: LabelSelectorObject = {}): boolean =>
  matchExpressions.some(({ values = [] }) => values.some((value) => labelValue(value).length > 0));

/** Returns the errors of one expression. With `anyOperator`, an unknown operator is accepted. */
export function validateLabelExpression(
  { key, operator, values = [] }: LabelSelectorExpression,
  path: string,
  { anyValues = false, anyOperator = false } = {},
): FieldError[] {
  const errors: FieldError[] = [];
  const compiled = OPERATORS.get(operator);
  if (compiled === undefined) {
    if (!anyOperator) errors.push(fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  } else if (compiled === 'in' || compiled === 'notin') {
    const why = "must be specified when `operator` is 'In' or 'NotIn'";
    if (values.length === 0) errors.push(fieldError.required(`${path}.values`, why));
  } else if (values.length > 0) {
    errors.push(
      fieldError.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
    );
  }
  for (const problem of qualifiedName(key)) errors.push(fieldError.invalid(`${path}.key`, key, problem));
  if (anyValues) return errors;
  const ofValues = errorsOf(values, (value, index) =>
    labelValue(value).map((problem) => fieldError.invalid(`${path}.values[${index}]`, value, problem)),
  );
  return [...errors, ...ofValues];
}
