import { type FieldRequirement, parseFieldSelector } from '../selectors/field-selector.js';
import type { LabelRequirement } from '../selectors/label-requirement.js';
import { parseLabelSelector } from '../selectors/label-selector.js';
import { ParseError } from '../values/parse-error.js';

/**
 * The requirements of the field selector and of the label selector of a request. A member is absent if the request has no such selector or
 * if the selector cannot be parsed. The request then concerns all objects.
 */
export interface SelectorRequirements {
  readonly fieldSelector?: readonly FieldRequirement[];
  readonly labelSelector?: readonly LabelRequirement[];
}

/**
 * Returns the requirements of the selectors of a query (spec 12.5). A selector that cannot be parsed is left out, so that the request needs
 * permission for all objects.
 */
export function selectorRequirements(
  fieldSelector: string | undefined,
  labelSelector: string | undefined,
): SelectorRequirements {
  const fields = readRequirements(fieldSelector, parseFieldSelector);
  const labels = readRequirements(labelSelector, parseLabelSelector);
  return { ...(fields && { fieldSelector: fields }), ...(labels && { labelSelector: labels }) };
}

/** Returns the requirements of a selector, or undefined when it has none or cannot be parsed. */
function readRequirements<T>(
  text: string | undefined,
  parse: (text: string) => { readonly requirements: readonly T[] },
): readonly T[] | undefined {
  if (!text) return undefined;
  try {
    const { requirements } = parse(text);
    return requirements.length > 0 ? requirements : undefined;
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
