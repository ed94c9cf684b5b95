import { type FieldError, fieldError, type Printed, printed } from '../../meta/field-error.js';
import { intOrString } from '../../schema/authoring.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { notNegative } from './value-rules.js';

type IntOrString = number | string;

const PERCENT = /^[0-9]+%$/;
const WHOLE = /^[-+]?[0-9]+$/;
const PERCENT_TEXT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number or text as messages show it. */
export const printedIntOrString = (value: IntOrString): Printed => printed(printGoSyntax(intOrString(), value));

/** A number that is not negative, or a percentage; absent is fine. */
export function validateIntOrPercent(path: string, value: IntOrString | undefined): FieldError[] {
  if (typeof value !== 'string') return notNegative(path, value);
  return PERCENT.test(value) ? [] : [fieldError.invalid(path, printedIntOrString(value), PERCENT_TEXT)];
}

/** A percentage of at most a hundred; numbers are fine. */
export function validateAtMostAll(path: string, value: IntOrString | undefined): FieldError[] {
  if (typeof value !== 'string' || !PERCENT.test(value) || Number(value.slice(0, -1)) <= 100) return [];
  return [fieldError.invalid(path, printedIntOrString(value), 'must not be greater than 100%')];
}

/** The number, that of a percentage or of a text, or 0 for what is none of them. */
export function intOrPercentValue(value: IntOrString | undefined): number {
  if (typeof value !== 'string') return value ?? 0;
  return PERCENT.test(value) || WHOLE.test(value) ? Number.parseInt(value, 10) : 0;
}

/**
 * The number, or the percentage of a number, rounded up.
 * @throws TypeError for a text that is not a percentage.
 */
export function scaledValue(value: IntOrString, whole: number): number {
  if (typeof value !== 'string') return value;
  if (!PERCENT.test(value))
    throw new TypeError('invalid value for IntOrString: invalid type: string is not a percentage');
  return Math.ceil((Number.parseInt(value, 10) * whole) / 100);
}
