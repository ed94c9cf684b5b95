import type { Dialect } from '../../../meta/dialect.js';
import { errorsUnder, type FieldError, fieldError } from '../../../meta/field-error.js';
import { validateAnnotations, validateLabels } from '../../../meta/object-meta-validation.js';
import type { Draft } from '../../../registry/strategy.js';
import type { PodTemplateSpec } from '../core-v1.types.js';
import { dropInitAnnotations, setPodSpecDefaults } from './pod-defaults.js';
import { validatePodAnnotations, validateTwoWays } from './validation/pod-annotation-validation.js';
import type { PodRules } from './validation/pod-rules.js';
import { validatePodSpec } from './validation/pod-validation.js';

/** Sets the defaults of a template. */
export function setPodTemplateDefaults({ metadata, spec }: Draft<PodTemplateSpec>, dialect: Dialect): void {
  dropInitAnnotations(metadata, dialect);
  setPodSpecDefaults(spec);
}

/** Returns the validation errors of a template at `path`. */
export function validatePodTemplate(template: PodTemplateSpec, path: string, rules: PodRules): FieldError[] {
  const { metadata, spec } = template;
  return [
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(metadata.annotations, `${path}.annotations`),
    ...validatePodAnnotations(`${path}.annotations`, metadata.annotations, spec, rules),
    ...errorsUnder(path, [...validatePodSpec(spec, rules), ...validateTwoWays(metadata, spec, rules.dialect)]),
    ...((spec.ephemeralContainers?.length ?? 0) > 0
      ? [fieldError.forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

/**
 * Returns the validation errors of a template for a controller that keeps its pods running. `kind` is the controller's name in error
 * messages.
 */
export function validateAlwaysRestarted({ spec }: PodTemplateSpec, path: string, kind: string): FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = spec as { restartPolicy?: string } & typeof spec;
  const errors: FieldError[] = [];
  if (restartPolicy !== 'Always')
    errors.push(fieldError.notSupported(`${path}.spec.restartPolicy`, restartPolicy, ['Always']));
  if (activeDeadlineSeconds !== undefined)
    errors.push(
      fieldError.forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`),
    );
  return errors;
}
