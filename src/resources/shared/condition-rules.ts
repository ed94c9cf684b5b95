import { addErrors, type FieldError, fieldError, isFull } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
import type { Condition } from '../../schema/meta-v1.types.js';
import { utf8Length } from '../../values/utf8.js';

const STATUSES = ['False', 'True', 'Unknown'];
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const REASON_TEXT =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;

/** Checks the conditions of a status, of the type `metav1.Condition`: they must have distinct types and the required members. */
export function validateConditions(conditions: readonly Condition[]): FieldError[] {
  const path = 'status.conditions';
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    if (isFull(errors)) break;
    const { type } = condition;
    if (types.has(type)) errors.push(fieldError.duplicate(`${path}[${i}].type`, type));
    types.add(type);
    addErrors(errors, validateCondition(condition, `${path}[${i}]`));
  }
  return errors;
}

function validateCondition(condition: Condition, path: string): FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason, message } = condition;
  const errors = qualifiedName(type).map((why) => fieldError.invalid(`${path}.type`, type, why));
  if (!STATUSES.includes(status)) errors.push(fieldError.notSupported(`${path}.status`, status, STATUSES));
  if (observedGeneration < 0)
    errors.push(
      fieldError.invalid(`${path}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'),
    );
  if (!lastTransitionTime) errors.push(fieldError.required(`${path}.lastTransitionTime`, 'must be set'));
  if (utf8Length(reason) > MAX_REASON) errors.push(fieldError.tooLong(`${path}.reason`, MAX_REASON));
  if (reason === '') errors.push(fieldError.required(`${path}.reason`, 'must be set'));
  else if (!REASON.test(reason)) errors.push(fieldError.invalid(`${path}.reason`, reason, REASON_TEXT));
  if (utf8Length(message) > MAX_MESSAGE) errors.push(fieldError.tooLong(`${path}.message`, MAX_MESSAGE));
  return errors;
}
