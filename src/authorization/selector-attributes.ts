import { type FieldRequirement, parseFieldSelector } from '../selectors/field-selector.js';
import type { LabelRequirement } from '../selectors/label-requirement.js';
import { parseLabelSelector } from '../selectors/label-selector.js';
import { ParseError } from '../values/parse-error.js';

/** Of which objects of a resource a request is, as far as that is understood; a member that is absent narrows nothing. */
export interface SelectorRequirements {
  readonly fieldSelector?: readonly FieldRequirement[];
  readonly labelSelector?: readonly LabelRequirement[];
}

/**
 * The requirements of selectors as queries have them (spec 12.5). One that cannot be read is left out: whoever may see all may see what
 * it would have selected.
 */
export function selectorRequirements(
  fieldSelector: string | undefined,
  labelSelector: string | undefined,
): SelectorRequirements {
  const fields = readRequirements(fieldSelector, parseFieldSelector);
  const labels = readRequirements(labelSelector, parseLabelSelector);
  return { ...(fields && { fieldSelector: fields }), ...(labels && { labelSelector: labels }) };
}

/** Undefined where there are none, or where they cannot be read. */
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
