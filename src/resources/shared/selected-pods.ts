import { type FieldError, fieldError, type Printed, printed } from '../../meta/field-error.js';
import { map, string } from '../../schema/authoring.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import type { LabelSelector } from '../../selectors/label-selector.js';
import { type LabelSelectorObject, validateLabelSelector } from '../../selectors/label-selector-object.js';
import { sortTexts } from '../../values/sorted.js';

type Labels = Readonly<Record<string, string>> | undefined;

const labelMap = map(string());

/** Formats labels for error messages. Absent and empty labels are formatted in the same way. */
export const printedLabels = (labels: Labels): Printed =>
  printed(printGoSyntax(labelMap, Object.keys(labels ?? {}).length === 0 ? undefined : labels));

/** Formats a selector in Go syntax for error messages. */
export const printedSelector = (selector: LabelSelectorObject | undefined): Printed =>
  printed(selector === undefined ? '"null"' : printGoSyntax(metaV1.struct('LabelSelector'), selector));

/** Formats a selector for error messages as the generated `String` method of upstream's type does. */
export function printSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): string {
  const labels = sortTexts(Object.keys(matchLabels)).map((key) => `${key}: ${matchLabels[key]},`);
  const requirements = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`;
}

/** Whether a selector has no requirements. */
export const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/** Returns the validation errors of a controller's required selector. `kind` is the controller's name in error messages. */
export function validateRequiredSelector(selector: LabelSelectorObject | undefined, kind: string): FieldError[] {
  const path = 'spec.selector';
  if (selector === undefined) return [fieldError.required(path)];
  const errors = validateLabelSelector(selector, path);
  if (isEmptySelector(selector))
    errors.push(fieldError.invalid(path, printedSelector(selector), `empty selector is invalid for ${kind}`));
  return errors;
}

/** Checks that a selector matches labels. */
export function validateSelected(selector: LabelSelector, labels: Labels, path: string): FieldError[] {
  if (selector.matches(labels)) return [];
  return [fieldError.invalid(path, printedLabels(labels), '`selector` does not match template `labels`')];
}
