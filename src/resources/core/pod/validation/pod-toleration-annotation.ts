import { type FieldError, fieldError } from '../../../../meta/field-error.js';
import { messageOf } from '../../../../values/message-of.js';
import { annotatedList } from '../../annotated-list.js';
import { type Toleration, toleration } from '../pod-spec.js';
import { validateTolerations } from './pod-scheduling-validation.js';

/**
 * Problems of tolerations in an annotation, as they were written before the spec had them. Nothing follows from them, but
 * they are still checked.
 */
export function validateTolerationAnnotation(path: string, name: string, text: string): FieldError[] {
  let tolerations: readonly Toleration[];
  try {
    tolerations = annotatedList(text, toleration, 'core.Toleration');
  } catch (error) {
    return [fieldError.invalid(path, name, messageOf(error))];
  }
  return validateTolerations(tolerations, `${path}.${name}`);
}
