import { formatCodePoint } from '../values/code-point.js';
import { isLongerThan, utf8Length } from '../values/utf8.js';
import { type FieldError, fieldError, isFull, type Printed, printed, printValue } from './field-error.js';

/** The maximum length of a field manager's name, in bytes. */
const MAX_BYTES = 128;
/** Matches names of printable ASCII characters. Almost all names match, and their characters need no further check. */
const PLAIN = /^[ -~]*$/;
/** Matches a character that a name may contain. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/**
 * Returns the name of a manager (spec 6.2): the `fieldManager` parameter, else the part of the User-Agent before its first `/`, without
 * unprintable characters and cut to 128 bytes, else `unknown`.
 */
export function managerName(fieldManager: string | undefined, userAgent = ''): string {
  if (fieldManager) return fieldManager;
  const [product = ''] = userAgent.split('/', 1);
  if (PLAIN.test(product)) return product.slice(0, MAX_BYTES) || 'unknown';
  let name = '';
  let bytes = 0;
  for (const character of product) {
    if (!PRINTABLE.test(character)) continue;
    bytes += utf8Length(character);
    if (bytes > MAX_BYTES) break;
    name += character;
  }
  return name || 'unknown';
}

/** Returns the errors of a manager's name: at most 128 bytes of printable characters (spec 6.2). */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors = isLongerThan(manager, MAX_BYTES) ? [fieldError.tooLong(path, MAX_BYTES)] : [];
  if (PLAIN.test(manager)) return errors;
  let position = 0;
  // Each bad character has an error with the whole name, so the name is printed once.
  let shown: Printed | undefined;
  for (const character of manager) {
    if (isFull(errors)) break;
    if (!PRINTABLE.test(character)) {
      const detail = `invalid character ${formatCodePoint(character)} (at position ${position})`;
      shown ??= printed(printValue(manager));
      errors.push(fieldError.invalid(path, shown, detail));
    }
    position += utf8Length(character);
  }
  return errors;
}
