import { formatDouble } from '../values/numbers.js';
import { quote } from '../values/quote.js';
import type { CauseReason } from './status.js';

/** The types of field errors. Each type has its own text in messages (spec 8.4). */
export type FieldErrorType =
  | 'NotFound'
  | 'Required'
  | 'Duplicate'
  | 'Invalid'
  | 'NotSupported'
  | 'Forbidden'
  | 'TooLong'
  | 'TooMany'
  | 'Internal'
  | 'TypeInvalid';

/** An error about a field. The functions that make field errors take the value before the detail. */
export interface FieldError {
  /** The kind of error, which decides how its message begins. */
  readonly type: FieldErrorType;
  /** The path as messages print it: `spec.a[0].b`, and `metadata.annotations[key]` for the key of a map. */
  readonly path: string;
  /** The bad value as messages print it (see {@link printValue}); undefined for a message without a value. */
  readonly value?: string;
  /** What is wrong, as the end of the message. */
  readonly detail: string;
}

/** The maximum number of reported errors of one object. */
export const MAX_FIELD_ERRORS = 100;
/** The maximum number of characters of a reported value, and of a reported path. It keeps the response to a large request small. */
const MAX_PRINTED = 16 * 1024;
/** The maximum number of characters of an error without its path, and of a value that is given as {@link Printed}. */
const MAX_BODY = 128 * 1024;

/** Returns whether there are more errors than are reported. The validation can then stop. */
export const isFull = (errors: readonly FieldError[]): boolean => errors.length > MAX_FIELD_ERRORS;

/** Adds errors to `errors`, and stops when there are more than are reported. */
export function addErrors(errors: FieldError[], more: readonly FieldError[]): void {
  for (const error of more) {
    if (isFull(errors)) return;
    errors.push(error);
  }
}

/** Returns the errors of the items of a list in order, and stops when there are more than are reported. */
export function errorsOf<T>(
  items: Iterable<T>,
  check: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  let index = 0;
  for (const item of items) {
    addErrors(errors, check(item, index++));
    if (isFull(errors)) break;
  }
  return errors;
}

/** Returns the errors of a part of an object. `path`, the path of the part, is put before the path of each error. */
export function errorsUnder(path: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, path: childPath(path, error.path) }));
}

/** Returns a long string shortened to its beginning and the number of missing characters. */
export function shorten(text: string, max = MAX_PRINTED): string {
  return text.length <= max ? text : `${text.slice(0, max)}... (${text.length - max} more characters)`;
}

/** A value in the form in which messages print it. {@link printValue} returns it as it is, except that it shortens very long strings. */
export interface Printed {
  /** The value as messages print it. */
  readonly printed: string;
}

/**
 * Marks a string as the printed form of a value. It is needed for values whose Go form differs from what {@link printValue} would print.
 */
export function printed(text: string): Printed {
  return { printed: text };
}

/** Prints a bad value: strings quoted, numbers and booleans plain, lists of strings as `[]string{"a"}`. */
export function printValue(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'printed' in value && typeof value.printed === 'string')
    return shorten(value.printed, MAX_BODY);
  return shorten(printWhole(value));
}

function printWhole(value: unknown): string {
  if (typeof value === 'string') return quote(shorten(value));
  if (typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) < 2 ** 63)) return formatDouble(value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  // An absent value is printed as the word null in quotes.
  if (value === null || value === undefined) return '"null"';
  if (Array.isArray(value) && value.every((v) => typeof v === 'string'))
    return `[]string{${value
      .slice(0, MAX_PRINTED)
      .map((text) => quote(shorten(text)))
      .join(', ')}}`;
  return JSON.stringify(value);
}

/** Returns `parent.child`, or the child alone at the root. */
export function childPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/** Creates validation errors. `path` is the path of the field, such as `spec.size`. */
export const fieldError = {
  notFound: (path: string, value: unknown): FieldError => ({
    type: 'NotFound',
    path,
    value: printValue(value),
    detail: '',
  }),
  required: (path: string, detail = ''): FieldError => ({ type: 'Required', path, detail }),
  duplicate: (path: string, value: unknown): FieldError => ({
    type: 'Duplicate',
    path,
    value: printValue(value),
    detail: '',
  }),
  invalid: (path: string, value: unknown, detail: string): FieldError => ({
    type: 'Invalid',
    path,
    value: printValue(value),
    detail,
  }),
  typeInvalid: (path: string, value: unknown, detail: string): FieldError => ({
    type: 'TypeInvalid',
    path,
    value: printValue(value),
    detail,
  }),
  /** @param supported the supported values, which are printed in this order */
  notSupported: (path: string, value: unknown, supported: readonly string[]): FieldError => ({
    type: 'NotSupported',
    path,
    value: printValue(value),
    detail: supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`,
  }),
  forbidden: (path: string, detail: string): FieldError => ({ type: 'Forbidden', path, detail }),
  /** @param max the maximum length in bytes */
  tooLong: (path: string, max: number): FieldError => ({
    type: 'TooLong',
    path,
    detail: `must have at most ${max} bytes`,
  }),
  /** Returns the error of a value that is too long. As in upstream, its message names no unit for `max`. */
  longerThan: (path: string, max: number): FieldError => ({
    type: 'TooLong',
    path,
    detail: max < 0 ? 'value is too long' : `may not be longer than ${max}`,
  }),
  tooMany: (path: string, actual: number, max: number): FieldError => ({
    type: 'TooMany',
    path,
    value: String(actual),
    detail: max < 0 ? 'has too many items' : `must have at most ${max} items`,
  }),
  internal: (path: string, detail: string): FieldError => ({ type: 'Internal', path, detail }),
} as const;

const TYPE_TEXT: Readonly<Record<FieldErrorType, string>> = {
  NotFound: 'Not found',
  Required: 'Required value',
  Duplicate: 'Duplicate value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooMany: 'Too many',
  Internal: 'Internal error',
  TypeInvalid: 'Invalid value',
};

const CAUSE_REASON: Readonly<Record<FieldErrorType, CauseReason>> = {
  NotFound: 'FieldValueNotFound',
  Required: 'FieldValueRequired',
  Duplicate: 'FieldValueDuplicate',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  Forbidden: 'FieldValueForbidden',
  TooLong: 'FieldValueTooLong',
  TooMany: 'FieldValueTooMany',
  Internal: 'InternalError',
  TypeInvalid: 'FieldValueTypeInvalid',
};

/** Returns the text of an error without its path: `Invalid value: "x": why`. */
export function fieldErrorBody(error: FieldError): string {
  let text = TYPE_TEXT[error.type];
  if (error.value !== undefined) text += `: ${error.value}`;
  return shorten(error.detail === '' ? text : `${text}: ${error.detail}`, MAX_BODY);
}

/** Returns the whole text of an error: `spec.a: Invalid value: "x": why`. */
export function formatFieldError(error: FieldError): string {
  return `${shorten(error.path)}: ${fieldErrorBody(error)}`;
}

/** Returns the machine-readable reason of a cause. */
export function causeReason(error: FieldError): CauseReason {
  return CAUSE_REASON[error.type];
}

/**
 * Joins the messages of errors without duplicates; two or more are printed as `[a, b]`. If there are more errors than are reported, the
 * first ones are followed by `and at least N more`.
 */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.slice(0, MAX_FIELD_ERRORS).map(formatFieldError))];
  if (isFull(errors)) texts.push(`and at least ${errors.length - MAX_FIELD_ERRORS} more`);
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
