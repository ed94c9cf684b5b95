import { isLongerThan, utf8Length } from '../values/utf8.js';
import { errorsOf, type FieldError, fieldError, isFull } from './field-error.js';
import type { ManagedFieldsEntry } from './object-meta.js';

const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

/** Returns the errors of an object's managedFields, without a check of the listed fields (spec 6.6). */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[] | undefined, path: string): FieldError[] {
  return errorsOf(entries ?? [], (entry, index) => {
    const errors: FieldError[] = [];
    const at = `${path}[${index}]`;
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(fieldError.invalid(`${at}.operation`, operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(fieldError.invalid(`${at}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
    }
    errors.push(...validateFieldManager(manager, `${at}.manager`));
    if (isLongerThan(subresource, MAX_SUBRESOURCE_BYTES)) {
      errors.push(fieldError.tooLong(`${at}.subresource`, MAX_SUBRESOURCE_BYTES));
    }
    return errors;
  });
}

/** Returns the errors of a manager's name: at most 128 bytes of printable characters (spec 6.2). */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors = isLongerThan(manager, MAX_MANAGER_BYTES) ? [fieldError.tooLong(path, MAX_MANAGER_BYTES)] : [];
  if (/^[ -~]*$/.test(manager)) return errors;
  let position = 0;
  for (const character of manager) {
    if (isFull(errors)) break;
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(fieldError.invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += utf8Length(character);
  }
  return errors;
}
