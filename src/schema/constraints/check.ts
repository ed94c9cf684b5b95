import { canonicalJson } from '../../json/order.js';
import { printGoValue } from '../../json/print-go.js';
import type { JsonValue } from '../../json/value.js';
import { addErrors, childPath, errorsOf, type FieldError, fieldError, isFull } from '../../meta/field-error.js';
import { isRecord } from '../json-objects.js';
import type { Constraint } from '../schema.js';
import { spendChecks } from './budget.js';
import { matchesPattern } from './patterns.js';
import { isOfFormat } from './string-formats.js';

/** Returns the JSON schema type of a value; whole numbers are integers. */
export function schemaTypeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  // Numbers beyond 64 bits do not count as integers, because Go decodes such numbers as floats.
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number';
  return typeof value;
}

/** Returns the error `<path>: Invalid value: "string": <path> in body must be of type integer: "string"`. */
export const wrongType = (path: string, expectedType: string, is: string): FieldError =>
  fieldError.typeInvalid(path, is, `${path} in body must be of type ${expectedType}: "${is}"`);

/** Checks a value, but not the values inside it. Keywords for other types than the value's type are ignored. */
export function checkValue(constraint: Constraint, value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = [];
  spendChecks();
  if (constraint.enum !== undefined && !isOneOf(constraint.enum, value)) {
    // The error lists every allowed value, and formatting a value costs more than checking it. So each allowed value is charged as several
    // checks.
    spendChecks(4 * constraint.enum.length);
    errors.push(
      fieldError.notSupported(
        path,
        value,
        constraint.enum.map((allowed) => (typeof allowed === 'object' ? JSON.stringify(allowed) : String(allowed))),
      ),
    );
  }
  if (typeof value === 'string') checkText(constraint, value, path, errors);
  else if (typeof value === 'number') checkNumber(constraint, value, path, errors);
  else if (Array.isArray(value)) {
    checkSize(constraint.minItems, constraint.maxItems, value.length, 'items', path, errors);
    if (constraint.uniqueItems === true) spendChecks(value.length);
    if (constraint.uniqueItems === true && new Set(value.map((item) => printGoValue(item))).size < value.length)
      errors.push(invalid(path, value, "shouldn't contain duplicates"));
  } else if (isRecord(value))
    checkSize(
      constraint.minProperties,
      constraint.maxProperties,
      Object.keys(value).length,
      'properties',
      path,
      errors,
    );
  return errors;
}

const invalid = (path: string, value: unknown, why: string) =>
  fieldError.invalid(path, value, `${path} in body ${why}`);

// At most one error per string is reported.
function checkText(constraint: Constraint, value: string, path: string, errors: FieldError[]): void {
  const { minLength = 0, maxLength = Infinity, pattern, format } = constraint;
  if (minLength > 0 || format !== undefined) spendChecks(value.length >> 3);
  const length = minLength > 0 || value.length > maxLength ? [...value].length : value.length;
  if (length > maxLength) errors.push({ type: 'TooLong', path, detail: `may not be longer than ${maxLength}` });
  else if (length < minLength) errors.push(invalid(path, value, `should be at least ${minLength} chars long`));
  else if (pattern !== undefined && !matchesPattern(constraint, value))
    errors.push(invalid(path, value, `should match '${pattern}'`));
  if (format !== undefined && !isOfFormat(format, value))
    errors.push({
      ...fieldError.invalid(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`),
      type: 'TypeInvalid',
    });
}

function checkNumber(constraint: Constraint, value: number, path: string, errors: FieldError[]): void {
  const { minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum } = constraint;
  if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    errors.push(invalid(path, value, `should be a multiple of ${multipleOf}`));
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    errors.push(invalid(path, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    errors.push(invalid(path, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
}
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times)) || of === 0;
}

function checkSize(
  min = 0,
  max = Infinity,
  size: number,
  what: 'items' | 'properties',
  path: string,
  errors: FieldError[],
): void {
  if (size < min) errors.push(invalid(path, size, `should have at least ${min} ${what}`));
  if (size > max) errors.push(fieldError.tooMany(path, size, max));
}

/** Checks a value against allOf, anyOf, oneOf and not (spec 21.4). */
export function checkJunctors(constraint: Constraint, value: unknown, path: string): FieldError[] {
  const { allOf, anyOf, oneOf, not } = constraint;
  const errors: FieldError[] = [];
  const fail = (why: string) => errors.push(fieldError.invalid('<nil>', '', `"${path}" must ${why}`));
  const against = (all: readonly Constraint[]) => all.map((one) => checkConstraint(one, value, path));
  if (anyOf !== undefined && anyOf.length > 0) {
    let first: readonly FieldError[] | undefined;
    const isOneGood = anyOf.some((one) => {
      const result = checkConstraint(one, value, path);
      first ??= result;
      return isGood(result);
    });
    if (!isOneGood) {
      fail('validate at least one schema (anyOf)');
      addErrors(errors, first ?? []);
    }
  }
  if (oneOf !== undefined && oneOf.length > 0) {
    const results = against(oneOf);
    const good = results.filter(isGood).length;
    if (good !== 1) {
      fail(
        `validate one and only one schema (oneOf). Found ${good === 0 ? 'none valid' : `${good} valid alternatives`}`,
      );
      if (good === 0) addErrors(errors, results[0] ?? []);
    }
  }
  if (allOf !== undefined && allOf.length > 0) {
    const results = against(allOf);
    const bad = results.filter((result) => !isGood(result));
    if (bad.length > 0) {
      fail(`validate all the schemas (allOf)${bad.length === results.length ? '. None validated' : ''}`);
      addErrors(errors, bad.flat());
    }
  }
  if (not !== undefined && isGood(checkConstraint(not, value, path))) fail('not validate the schema (not)');
  return errors;
}
const isGood = (errors: readonly FieldError[]) => errors.length === 0;

/** Checks a value and the values inside it against a constraint. */
function checkConstraint(constraint: Constraint, value: unknown, path: string): FieldError[] {
  const errors = checkValue(constraint, value, path);
  const is = schemaTypeOf(value);
  if (constraint.type !== undefined && constraint.type !== is) errors.unshift(wrongType(path, constraint.type, is));
  if (isRecord(value)) {
    spendChecks(constraint.required?.length ?? 0);
    for (const name of constraint.required ?? [])
      if (!Object.hasOwn(value, name)) errors.push(fieldError.required(childPath(path, name)));
    for (const name of Object.keys(value)) {
      if (isFull(errors)) break;
      const inner = constraint.properties?.get(name) ?? constraint.values;
      if (inner !== undefined) addErrors(errors, checkConstraint(inner, value[name], childPath(path, name)));
    }
  } else if (Array.isArray(value) && constraint.items !== undefined) {
    const { items } = constraint;
    addErrors(
      errors,
      errorsOf(value, (item, i) => checkConstraint(items, item, `${path}[${i}]`)),
    );
  }
  addErrors(errors, checkJunctors(constraint, value, path));
  return errors;
}

/** The values of an enumeration: scalars by value, lists and objects by their canonical JSON. */
interface Enumeration {
  readonly scalars: ReadonlySet<unknown>;
  readonly structures: ReadonlySet<string>;
}

/** Schemas are frozen, so the cached sets stay valid. */
const enumerations = new WeakMap<readonly unknown[], Enumeration>();

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/** Returns whether a JSON value equals one of the allowed values. Scalars are looked up in a set, because the list may be very long. */
export function isOneOf(allowed: readonly unknown[], value: unknown): boolean {
  let found = enumerations.get(allowed);
  if (found === undefined) {
    found = {
      scalars: new Set(allowed.filter(isScalar)),
      structures: new Set(allowed.filter((each) => !isScalar(each)).map((each) => canonicalJson(each as JsonValue))),
    };
    enumerations.set(allowed, found);
  }
  if (isScalar(value)) return found.scalars.has(value);
  if (found.structures.size === 0) return false;
  const text = canonicalJson(value as JsonValue);
  spendChecks(text.length >> 3);
  return found.structures.has(text);
}
