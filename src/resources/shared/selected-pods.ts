import { type FieldError, fieldError, type Printed, printed } from '../../meta/field-error.js';
import { map, string } from '../../schema/authoring.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import type { LabelSelector } from '../../selectors/label-selector.js';
import { type LabelSelectorObject, validateLabelSelector } from '../../selectors/label-selector-object.js';
import { sortTexts } from '../../values/sorted.js';

type Labels = Readonly<Record<string, string>> | undefined;

const labelMap = map(string());

/** Prints labels as messages show them. Absent and empty labels look the same. */
export const printedLabels = (labels: Labels): Printed =>
  printed(printGoSyntax(labelMap, Object.keys(labels ?? {}).length === 0 ? undefined : labels));

/** Prints a selector as messages show it. */
export const printedSelector = (selector: LabelSelectorObject | undefined): Printed =>
  printed(selector === undefined ? '"null"' : printGoSyntax(metaV1.struct('LabelSelector'), selector));

/** Prints a selector in the reference's own format for messages. */
export function shownSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): string {
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

/** Returns the problems of a controller's required selector. `kind` is the controller's name in messages. */
export function validateRequiredSelector(
  selector: LabelSelectorObject | undefined,
  path: string,
  kind: string,
): FieldError[] {
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
