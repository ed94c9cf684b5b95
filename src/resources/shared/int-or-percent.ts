import { type FieldError, fieldError, type Printed, printed } from '../../meta/field-error.js';
import { intOrString } from '../../schema/authoring.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { notNegative } from './value-rules.js';

type IntOrString = number | string;

const PERCENT = /^[0-9]+%$/;
const WHOLE = /^[-+]?[0-9]+$/;
const PERCENT_TEXT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Formats a number or string for error messages. */
export const printedIntOrString = (value: IntOrString): Printed => printed(printGoSyntax(intOrString(), value));

/** Checks that a value is a non-negative number or a percentage. An absent value is valid. */
export function validateIntOrPercent(path: string, value: IntOrString | undefined): FieldError[] {
  if (typeof value !== 'string') return notNegative(path, value);
  return PERCENT.test(value) ? [] : [fieldError.invalid(path, printedIntOrString(value), PERCENT_TEXT)];
}

/** Checks that a percentage is at most 100. Numbers are valid. */
export function validateAtMostAll(path: string, value: IntOrString | undefined): FieldError[] {
  if (typeof value !== 'string' || !PERCENT.test(value) || Number(value.slice(0, -1)) <= 100) return [];
  return [fieldError.invalid(path, printedIntOrString(value), 'must not be greater than 100%')];
}

/** Returns the number itself, or the number in a percentage or string; 0 when the string contains none. */
export function intOrPercentValue(value: IntOrString | undefined): number {
  if (typeof value !== 'string') return value ?? 0;
  return PERCENT.test(value) || WHOLE.test(value) ? Number.parseInt(value, 10) : 0;
}

/**
 * Returns the number itself, or the given percentage of `whole`, rounded up.
 * @throws TypeError for a string that is not a percentage.
 */
export function scaledValue(value: IntOrString, whole: number): number {
  if (typeof value !== 'string') return value;
  if (!PERCENT.test(value))
    throw new TypeError('invalid value for IntOrString: invalid type: string is not a percentage');
  return Math.ceil((Number.parseInt(value, 10) * whole) / 100);
}
