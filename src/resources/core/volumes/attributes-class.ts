import type { FeatureGates } from '../../../meta/features/gates.js';
import { type FieldError, fieldError } from '../../../meta/field-error.js';

interface Spec {
  readonly volumeAttributesClassName?: string;
}

/** Checks a change of volumeAttributesClassName. The name may be replaced but not removed. */
export function validateAttributesChange(
  { volumeAttributesClassName: next }: Spec,
  { volumeAttributesClassName: old }: Spec,
  { VolumeAttributesClass: on }: Pick<FeatureGates, 'VolumeAttributesClass'>,
): FieldError[] {
  if (next === old) return [];
  const forbid = (why: string) => fieldError.forbidden('spec.volumeAttributesClassName', why);
  const errors = on ? [] : [forbid('update is forbidden when the VolumeAttributesClass feature gate is disabled')];
  if (old !== undefined && next === undefined) errors.push(forbid('update from non-nil value to nil is forbidden'));
  return errors;
}
