import { quote } from '../values/quote.js';
import type { CauseReason } from './status.js';

/** What is wrong with a field; each prints as its own text (spec 8.4). */
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

/** One problem of one field: a value first, a text second. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** Path as printed: `spec.a[0].b`, map keys as `metadata.annotations[key]`. */
  readonly path: string;
  /** The bad value as it prints in messages; undefined prints none. Made by {@link printValue}. */
  readonly value?: string;
  readonly detail: string;
}

/** At most this many errors of one object are reported. */
export const MAX_FIELD_ERRORS = 100;
/** Characters of a value, and of a path, that are reported: what a caller sends comes back in bounds. */
const MAX_PRINTED = 16 * 1024;
/** Characters of an error without its path, and of a value whose form a kind has made itself. */
const MAX_BODY = 128 * 1024;

/** Whether there are more errors than are reported: looking for others is of no use. */
export const isFull = (errors: readonly FieldError[]): boolean => errors.length > MAX_FIELD_ERRORS;

/** Adds errors to others, until there are more than are reported. */
export function addErrors(errors: FieldError[], more: readonly FieldError[]): void {
  for (const error of more) {
    if (isFull(errors)) return;
    errors.push(error);
  }
}

/** What is wrong with the items of a list, one after the other, until there are more errors than are reported. */
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

/** Errors of a part, as those of the whole that has it at `path`. */
export function errorsUnder(path: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, path: childPath(path, error.path) }));
}

/** A text that is longer than others need to see it, shortened: its beginning and how much is missing. */
export function shorten(text: string, max = MAX_PRINTED): string {
  return text.length <= max ? text : `${text.slice(0, max)}... (${text.length - max} more characters)`;
}

/** How a Go-typed value prints; `printed` is used unchanged. */
export interface Printed {
  readonly printed: string;
}

/** Gives a value's printed form by hand, where the plain rules of {@link printValue} do not hold. */
export function printed(text: string): Printed {
  return { printed: text };
}

/** How a bad value prints: strings quoted, numbers and booleans plain, lists of strings as `[]string{"a"}`. */
export function printValue(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'printed' in value && typeof value.printed === 'string')
    return shorten(value.printed, MAX_BODY);
  return shorten(printWhole(value));
}

function printWhole(value: unknown): string {
  if (typeof value === 'string') return quote(shorten(value));
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  // An absent value prints as the quoted word.
  if (value === null || value === undefined) return '"null"';
  if (Array.isArray(value) && value.every((v) => typeof v === 'string'))
    return `[]string{${value
      .slice(0, MAX_PRINTED)
      .map((text) => quote(shorten(text)))
      .join(', ')}}`;
  return JSON.stringify(value);
}

/** `parent.child`, or the child alone at the root. */
export function childPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

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
  /** `supported` is printed in the order given. */
  notSupported: (path: string, value: unknown, supported: readonly string[]): FieldError => ({
    type: 'NotSupported',
    path,
    value: printValue(value),
    detail: supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`,
  }),
  forbidden: (path: string, detail: string): FieldError => ({ type: 'Forbidden', path, detail }),
  /** `max` in bytes. */
  tooLong: (path: string, max: number): FieldError => ({
    type: 'TooLong',
    path,
    detail: `must have at most ${max} bytes`,
  }),
  /** The same where the reference does not say what `max` counts. */
  longerThan: (path: string, max: number): FieldError => ({
    type: 'TooLong',
    path,
    detail: `may not be longer than ${max}`,
  }),
  tooMany: (path: string, actual: number, max: number): FieldError => ({
    type: 'TooMany',
    path,
    value: String(actual),
    detail: `must have at most ${max} items`,
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

/** The text of an error without its path: `Invalid value: "x": why`. */
export function fieldErrorBody(error: FieldError): string {
  let text = TYPE_TEXT[error.type];
  if (error.value !== undefined) text += `: ${error.value}`;
  return shorten(error.detail === '' ? text : `${text}: ${error.detail}`, MAX_BODY);
}

/** The whole text: `spec.a: Invalid value: "x": why`. */
export function formatFieldError(error: FieldError): string {
  return `${shorten(error.path)}: ${fieldErrorBody(error)}`;
}

/** The machine-readable reason of a cause. */
export function causeReason(error: FieldError): CauseReason {
  return CAUSE_REASON[error.type];
}

/** Several errors as one text: duplicates out, `[a, b]` from two on; of very many the first, and how many more at least. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.slice(0, MAX_FIELD_ERRORS).map(formatFieldError))];
  if (isFull(errors)) texts.push(`and at least ${errors.length - MAX_FIELD_ERRORS} more`);
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
