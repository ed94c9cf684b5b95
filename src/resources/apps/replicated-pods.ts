import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { compileSelector, type LabelSelectorObject } from '../../selectors/label-selector-object.js';
import type { PodTemplateSpec } from '../core/core-v1.types.js';
import { validateAlwaysRestarted, validatePodTemplate } from '../core/pod/pod-template-spec.js';
import type { PodRules } from '../core/pod/validation/pod-rules.js';
import { printedSelector, validateRequiredSelector, validateSelected } from '../shared/selected-pods.js';

/** The selector and the template in the spec of a controller. */
interface Replicated {
  readonly selector?: LabelSelectorObject;
  readonly template: PodTemplateSpec;
}

/** Returns the validation errors of the selector and the template of a Deployment or a ReplicaSet. */
export function validateReplicatedPods({ selector, template }: Replicated, rules: PodRules): FieldError[] {
  const path = 'spec.template';
  const compiled = compileSelector(selector);
  const errors = validateRequiredSelector(selector, 'deployment');
  if (compiled === undefined)
    return [...errors, fieldError.invalid('spec.selector', printedSelector(selector), 'invalid label selector')];
  return [
    ...errors,
    ...validateSelected(compiled, template.metadata.labels, `${path}.metadata.labels`),
    ...validatePodTemplate(template, path, rules),
    ...validateAlwaysRestarted(template, path, 'ReplicaSet'),
  ];
}

/** Checks that the selector of a controller does not change. */
export function validateSameSelector(
  next: LabelSelectorObject | undefined,
  old: LabelSelectorObject | undefined,
): FieldError[] {
  if (equalJson(next, old)) return [];
  return [fieldError.invalid('spec.selector', printedSelector(next), 'field is immutable')];
}
