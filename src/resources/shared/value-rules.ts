import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { Validator } from '../../meta/names.js';

/** Checks that a value satisfies a rule. An absent or empty value is valid. */
export function validateOptional(path: string, value: string | undefined, rule: Validator): FieldError[] {
  if (value === undefined || value === '') return [];
  return rule(value).map((message) => fieldError.invalid(path, value, message));
}

/** Checks that a value is present and satisfies a rule. */
export function validateRequired(path: string, value: string, rule: Validator): FieldError[] {
  return value === '' ? [fieldError.required(path)] : validateOptional(path, value, rule);
}

/** Checks that a required value is one of the supported ones. */
export function oneOf(path: string, value: string | undefined, supported: readonly string[]): FieldError[] {
  if (value === undefined || value === '') return [fieldError.required(path)];
  return supported.includes(value) ? [] : [fieldError.notSupported(path, value, supported)];
}

/** Checks that a number is within inclusive bounds. An absent value is valid. */
export function within(path: string, value: number | undefined, least: number, most: number): FieldError[] {
  if (value === undefined || (value >= least && value <= most)) return [];
  return [fieldError.invalid(path, value, `must be between ${least} and ${most}, inclusive`)];
}

/** Checks that a number is not negative. An absent value is valid. */
export function notNegative(path: string, value: number | undefined): FieldError[] {
  if (value === undefined || value >= 0) return [];
  return [fieldError.invalid(path, value, 'must be greater than or equal to 0')];
}

const MAX_PORT = 65_535;

/** Checks a port number. */
export function portNumber(path: string, port: number): FieldError[] {
  return within(path, port, 1, MAX_PORT);
}

/** Returns the validation errors of a port name. */
export const portName: Validator = (name) => {
  const problems: string[] = [];
  if (name.length > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
};

/** Checks a port number or port name. */
export function portNumberOrName(path: string, port: number | string): FieldError[] {
  if (typeof port === 'number') return portNumber(path, port);
  return portName(port).map((message) => fieldError.invalid(path, port, message));
}
