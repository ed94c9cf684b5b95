import { type FieldError, fieldError, type Printed, printed } from '../../meta/field-error.js';
import { map, string } from '../../schema/authoring.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import type { LabelSelector } from '../../selectors/label-selector.js';
import {
  type LabelSelectorObject,
  labelSelectorOf,
  validateLabelSelector,
} from '../../selectors/label-selector-object.js';
import { ParseError } from '../../values/parse-error.js';
import { labelSelector } from './label-selector.js';

type Labels = Readonly<Record<string, string>> | undefined;

const labelMap = map(string());

/** Labels as messages show them; none and no labels alike. */
export const printedLabels = (labels: Labels): Printed =>
  printed(printGoSyntax(labelMap, Object.keys(labels ?? {}).length === 0 ? undefined : labels));

/** A selector as messages show it. */
export const printedSelector = (selector: LabelSelectorObject | undefined): Printed =>
  printed(selector === undefined ? '"null"' : printGoSyntax(labelSelector, selector));

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
