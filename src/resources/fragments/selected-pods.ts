import { type FieldError, fieldError, type Printed, printed } from '../../meta/field-error.js';
import type { LabelSelector } from '../../selectors/label-selector.js';
import {
  type LabelSelectorObject,
  labelSelectorOf,
  validateLabelSelector,
} from '../../selectors/label-selector-object.js';
import { ParseError } from '../../values/parse-error.js';
import { quote } from '../../values/quote.js';
import { sortTexts } from '../../values/sorted.js';

type Labels = Readonly<Record<string, string>> | undefined;

const printedMap = (labels: Labels): string =>
  labels === undefined || Object.keys(labels).length === 0
    ? 'map[string]string(nil)'
    : `map[string]string{${sortTexts(Object.keys(labels))
        .map((key) => `${quote(key)}:${quote(labels[key] ?? '')}`)
        .join(', ')}}`;

/** Labels as messages show them. */
export const printedLabels = (labels: Labels): Printed => printed(printedMap(labels));

const printedList = (type: string, items: readonly string[] | undefined): string =>
  items === undefined || items.length === 0 ? `[]${type}(nil)` : `[]${type}{${items.join(', ')}}`;

/** A selector as messages show it. */
export function printedSelector(selector: LabelSelectorObject | undefined): Printed {
  if (selector === undefined) return printed('"null"');
  const expressions = selector.matchExpressions?.map(
    ({ key, operator, values }) =>
      `v1.LabelSelectorRequirement{Key:${quote(key)}, Operator:${quote(operator)}, Values:${printedList('string', values?.map(quote))}}`,
  );
  return printed(
    `v1.LabelSelector{MatchLabels:${printedMap(selector.matchLabels)}, MatchExpressions:${printedList('v1.LabelSelectorRequirement', expressions)}}`,
  );
}

/** Whether a selector names no requirement at all. */
export const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/** What a selector means; undefined where it means nothing that can be. */
export function compileSelector(selector: LabelSelectorObject | undefined): LabelSelector | undefined {
  try {
    return labelSelectorOf(selector);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** Problems of the selector that a controller must have. `kind` as messages name the controller. */
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

/** Labels that a selector must select. */
export function validateSelected(selector: LabelSelector, labels: Labels, path: string): FieldError[] {
  if (selector.matches(labels)) return [];
  return [fieldError.invalid(path, printedLabels(labels), '`selector` does not match template `labels`')];
}
