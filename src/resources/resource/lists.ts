import { type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain, type Validator } from '../../meta/names.js';
import { isLongerThan } from '../../values/utf8.js';
import { validateRequired } from '../shared/value-rules.js';

type Rule<T> = (item: T, path: string) => readonly FieldError[];

/** Validates each item, and returns an error if there are more than `most` items. */
export function validateItems<T>(items: readonly T[], most: number, rule: Rule<T>, path: string): FieldError[] {
  return [
    ...items.flatMap((item, i) => rule(item, `${path}[${i}]`)),
    ...(items.length > most ? [fieldError.longerThan(path, most)] : []),
  ];
}

/**
 * Validates items like {@link validateItems}, and checks that their keys are distinct. `member` is the name of the field that contains the
 * key, or '' if the item itself is the key.
 */
export function validateDistinct<T>(
  items: readonly T[],
  most: number,
  rule: Rule<T>,
  path: string,
  keyOf: (item: T) => string,
  member = '',
): FieldError[] {
  const seen = new Set<string>();
  const duplicates = items.flatMap((item, i) => {
    const key = keyOf(item);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [fieldError.duplicate(`${path}[${i}]${member === '' ? '' : `.${member}`}`, key)];
  });
  return [...validateItems(items, most, rule, path), ...duplicates];
}

const validateText = (path: string, value: string, rule: Validator): FieldError[] =>
  rule(value).map((why) => fieldError.invalid(path, value, why));

export const validateLabel: Rule<string> = (value, path) => validateText(path, value, dns1123Label);
export const validateSubdomain: Rule<string> = (value, path) => validateText(path, value, dns1123Subdomain);

const MAX_DRIVER = 63;
const MAX_POOL = 253;
const MAX_IDENTIFIER = 32;

/** Checks that the name of a driver is a domain name. */
export function validateDriver(value: string, path: string): FieldError[] {
  const tooLong = isLongerThan(value, MAX_DRIVER) ? [fieldError.tooLong(path, MAX_DRIVER)] : [];
  return [
    ...(value === '' ? [fieldError.required(path)] : []),
    ...tooLong,
    ...dns1123Subdomain(value.toLowerCase()).map((why) => fieldError.invalid(path, value, why)),
  ];
}

/** Checks that the name of a pool consists of domain names separated by slashes. */
export function validatePool(value: string, path: string): FieldError[] {
  if (value === '') return [fieldError.required(path)];
  return [
    ...(isLongerThan(value, MAX_POOL) ? [fieldError.longerThan(path, MAX_POOL)] : []),
    ...value.split('/').flatMap((part) => validateSubdomain(part, path)),
  ];
}

const IDENTIFIER =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

function validateIdentifier(value: string, path: string): FieldError[] {
  return [
    ...(isLongerThan(value, MAX_IDENTIFIER) ? [fieldError.longerThan(path, MAX_IDENTIFIER)] : []),
    ...(/^[A-Za-z_]\w*$/.test(value) ? [] : [fieldError.typeInvalid(path, value, IDENTIFIER)]),
  ];
}

/** Checks the name of an attribute: an identifier, optionally after the domain of a driver and a slash. */
export function validateAttributeName(value: string, path: string): FieldError[] {
  if (value === '') return [fieldError.required(path, 'name required')];
  const [first = '', second, ...more] = value.split('/');
  if (second === undefined) return validateIdentifier(first, path);
  if (more.length > 0) return [];
  return [
    ...(first === '' ? [fieldError.required(path, 'the prefix must not be empty')] : validateDriver(first, path)),
    ...(second === '' ? [fieldError.required(path, 'the name must not be empty')] : validateIdentifier(second, path)),
  ];
}

/** Checks the required name of a DeviceClass. */
export const validateClassName: Rule<string> = (value, path) => validateRequired(path, value, dns1123Subdomain);
