import type { SelectorRequirements } from '../../authorization/selector-attributes.js';
import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import { type FieldRequirement, parseFieldSelector } from '../../selectors/field-selector.js';
import { parseLabelSelector } from '../../selectors/label-selector.js';
import {
  type LabelSelectorExpression,
  requirementOf,
  validateLabelExpression,
} from '../../selectors/label-selector-object.js';
import { ParseError } from '../../values/parse-error.js';
import type { ResourceAttributes } from './authorization-v1.types.js';

/** A selector in a question. */
interface SelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly LabelSelectorExpression[];
}

/** The parts of a question's selectors that can be parsed, and problems with the others (spec 12.5). */
interface ReadSelectors {
  readonly requirements: SelectorRequirements;
  readonly problems: readonly string[];
}

const PATH = 'spec.resourceAttributes';

/** Returns the problems of a question's selectors. */
export function validateSelectors({ fieldSelector, labelSelector }: ResourceAttributes = {}): FieldError[] {
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
 * Checks a field requirement. Unknown operators are accepted because they may come from newer clients; such a requirement is then ignored.
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

/** Parses the selectors of a question. A requirement that cannot be parsed is ignored, so the question becomes broader. */
export function readSelectors({ fieldSelector, labelSelector }: ResourceAttributes = {}): ReadSelectors {
  const problems: string[] = [];
  const fields = readSelector(fieldSelector, 'fieldSelector', parseFieldSelector, fieldRequirementOf, problems);
  const labels = readSelector(labelSelector, 'labelSelector', parseLabelSelector, requirementOf, problems);
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
  const all = requirements.length > 0 ? requirements.map((each) => () => [read(each)]) : [];
  if (requirements.length === 0 && rawSelector !== '') all.push(() => [...parse(rawSelector).requirements]);
  const found: T[] = [];
  let failed = false;
  for (const each of all)
    try {
      found.push(...each());
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      failed = true;
    }
  const partially = found.length > 0 ? 'partially ' : '';
  if (failed) problems.push(`${PATH}.${name} ${partially}ignored due to parse error`);
  return found;
}

/** Converts a requirement on a field, which supports only one value. @throws ParseError */
function fieldRequirementOf({ key, operator, values = [] }: LabelSelectorExpression): FieldRequirement {
  const [value] = values;
  if (value === undefined || values.length > 1 || (operator !== 'In' && operator !== 'NotIn'))
    throw new ParseError(`fieldSelectors do not yet support ${operator} of ${values.length} values`);
  return { field: key, operator: operator === 'In' ? '=' : '!=', value };
}
