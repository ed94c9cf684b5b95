import { canonicalJson } from '../../json/order.js';
import { printGoValue } from '../../json/print-go.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import {
  addErrors,
  childPath,
  errorsOf,
  type FieldError,
  fieldError,
  isFull,
  printed,
} from '../../meta/field-error.js';
import { formatDouble } from '../../values/numbers.js';
import { quote } from '../../values/quote.js';
import type { Constraint } from '../schema.js';
import { spendChecks } from './budget.js';
import { matchesPattern } from './patterns.js';
import { isKnownFormat, isOfFormat } from './string-formats.js';

/** Returns the JSON schema type of a value; whole numbers are integers. */
function schemaTypeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  // Numbers beyond 64 bits do not count as integers, because Go decodes such numbers as floats.
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number';
  return typeof value;
}

/**
 * Returns the error of a value of a wrong type: `<path>: Invalid value: "string": <path> in body must be of type integer: "string"`. Like
 * upstream, it accepts a list if the schema has a known format for strings, and the error for a value of another type then names the format
 * instead of the type.
 * @param types the types that the schema allows; the error names the last one. An empty list means that all types are allowed.
 */
export function typeProblem(
  types: readonly string[],
  format: string | undefined,
  value: unknown,
  path: string,
): FieldError | undefined {
  const is = schemaTypeOf(value);
  if (types.includes(is)) return undefined;
  const isFormatted = is !== 'null' && format !== undefined && isKnownFormat(format);
  if (types.length === 0 && !isFormatted) return undefined;
  if (isFormatted && is !== 'string' && is !== 'array') return wrongType(path, format, NUMBER_FORMATS[is] ?? '');
  return isFormatted && !types.includes('integer') ? undefined : wrongType(path, types.at(-1) ?? '', is);
}
const NUMBER_FORMATS: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

const wrongType = (path: string, expectedType: string, is: string): FieldError =>
  fieldError.typeInvalid(path, is, `${path} in body must be of type ${expectedType}: "${is}"`);

/** Returns the errors of the items of a list or the members of an object. */
type CheckParts<C> = (constraint: C, value: object, path: string, old: unknown) => readonly FieldError[];

/**
 * Checks a value against all keywords of a constraint except its type, in the order of upstream. Keywords for other types than the value's
 * type are ignored, and only the enumeration applies to null.
 * @param parts checks the items or members of the value
 * @param old the value before an update, which is passed to `parts`
 */
export function checkValue<C extends Constraint>(
  constraint: C,
  value: unknown,
  path: string,
  parts: CheckParts<C>,
  old?: unknown,
): FieldError[] {
  spendChecks();
  const { minItems, maxItems, minProperties, maxProperties, allOf, anyOf, oneOf, not } = constraint;
  const errors = value === null || !(allOf || anyOf || oneOf || not) ? [] : checkJunctors(constraint, value, path);
  if (typeof value === 'string') checkText(constraint, value, path, errors);
  else if (typeof value === 'number') checkNumber(constraint, value, path, errors);
  else if (Array.isArray(value)) {
    addErrors(errors, parts(constraint, value, path, old));
    if (minItems !== undefined || maxItems !== undefined)
      checkSize(minItems, maxItems, value.length, 'items', path, errors);
    if (constraint.uniqueItems === true) spendChecks(value.length);
    if (constraint.uniqueItems === true && new Set(value.map((item) => printGoValue(item))).size < value.length)
      errors.push(invalid(path, value, "shouldn't contain duplicates"));
  }
  // As in upstream, null never equals an allowed value, even if null is one of them.
  if (constraint.enum !== undefined && (value === null || !isOneOf(constraint.enum, value))) {
    // The error lists every allowed value, and formatting a value costs more than checking it. So each allowed value is charged as several
    // checks, and so are the characters of all values, because `anyOf` may format the same large value for each of its branches.
    const allowed = constraint.enum.map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each)));
    const text = typeof value === 'object' && value !== null ? printGoValue(value as JsonValue) : undefined;
    const length = allowed.reduce((sum, each) => sum + each.length, text?.length ?? 0);
    spendChecks(4 * allowed.length + Math.floor(length / 8));
    errors.push(fieldError.notSupported(path, text === undefined ? value : printed(text), allowed));
  }
  if (isJsonObject(value)) {
    if (minProperties !== undefined || maxProperties !== undefined)
      checkSize(minProperties, maxProperties, Object.keys(value).length, 'properties', path, errors);
    if (constraint.additional === false) addErrors(errors, forbiddenMembers(constraint, value, path));
    addErrors(errors, parts(constraint, value, path, old));
  }
  return errors;
}

const invalid = (path: string, value: unknown, why: string) =>
  fieldError.invalid(path, value, `${path} in body ${why}`);

function forbiddenMembers({ properties }: Constraint, value: object, path: string): FieldError[] {
  return errorsOf(Object.keys(value), (name) =>
    properties?.has(name) ? [] : [fieldError.invalid(path, name, `${path}.${name} in body is a forbidden property`)],
  );
}

// At most one error per string is reported.
function checkText(constraint: Constraint, value: string, path: string, errors: FieldError[]): void {
  const { minLength = 0, maxLength = Infinity, pattern, format } = constraint;
  if (minLength > 0 || value.length > maxLength || format !== undefined) spendChecks(value.length >> 3);
  const length = minLength > 0 || value.length > maxLength ? [...value].length : value.length;
  if (length > maxLength) errors.push(fieldError.longerThan(path, maxLength));
  else if (length < minLength) errors.push(invalid(path, value, `should be at least ${minLength} chars long`));
  else if (pattern !== undefined && !matchesPattern(constraint, value))
    errors.push(invalid(path, value, `should match '${pattern}'`));
  if (format !== undefined && !isOfFormat(format, value))
    errors.push({
      ...fieldError.invalid(path, value, `${path} in body must be of type ${format}: ${quote(value)}`),
      type: 'TypeInvalid',
    });
}

function checkNumber(constraint: Constraint, value: number, path: string, errors: FieldError[]): void {
  const { minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum } = constraint;
  // As in upstream, whole numbers are compared with the whole part of a bound, and divided by the whole part of a factor.
  const isWhole = schemaTypeOf(value) === 'integer';
  const bound = (number: number) => (isWhole ? Math.trunc(number) + 0 : number);
  const fail = (why: string, number: number) =>
    void errors.push(invalid(path, value, `should be ${why} ${isWhole ? number : formatDouble(number)}`));
  if (multipleOf !== undefined) {
    // Upstream divides by 0 if the whole part of the factor is 0. In that case the factor itself is used here.
    const factor = bound(multipleOf) || multipleOf;
    const fits = isWhole && Number.isInteger(factor) ? value % factor === 0 : isMultiple(value, factor);
    if (factor < 0)
      errors.push(
        fieldError.invalid(
          path,
          factor,
          `factor MultipleOf declared for ${path} must be positive: ${formatDouble(factor)}`,
        ),
      );
    else if (!fits) fail('a multiple of', factor);
  }
  if (minimum !== undefined) {
    const least = bound(minimum);
    if (exclusiveMinimum ? value <= least : value < least)
      fail(exclusiveMinimum ? 'greater than' : 'greater than or equal to', least);
  }
  if (maximum !== undefined) {
    const most = bound(maximum);
    if (exclusiveMaximum ? value >= most : value > most)
      fail(exclusiveMaximum ? 'less than' : 'less than or equal to', most);
  }
}

/** Whether a number is a multiple of another one. As in upstream, quotients just below a whole number do not count as whole. */
function isMultiple(value: number, factor: number): boolean {
  const times = Math.abs(factor < 1 ? (1 / factor) * value : value / factor);
  const whole = Math.trunc(times);
  if (times > Number.MAX_SAFE_INTEGER) return false;
  return times === whole || factor === 0 || (times - whole) / (times + whole) < 1e-9;
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
function checkJunctors(constraint: Constraint, value: unknown, path: string): FieldError[] {
  const { allOf, anyOf, oneOf, not } = constraint;
  const errors: FieldError[] = [];
  const fail = (why: string) => void errors.push(fieldError.invalid('<nil>', '', `"${path}" must ${why}`));
  if (anyOf !== undefined && anyOf.length > 0) {
    const results: (readonly FieldError[])[] = [];
    const isOneGood = anyOf.some((one) => {
      const result = checkConstraint(one, value, path);
      results.push(result);
      return isGood(result);
    });
    if (!isOneGood) {
      fail('validate at least one schema (anyOf)');
      addErrors(errors, results[closest(anyOf, value)] ?? []);
    }
  }
  if (oneOf !== undefined && oneOf.length > 0) {
    const results = oneOf.map((one) => checkConstraint(one, value, path));
    const good = results.filter(isGood).length;
    if (good !== 1) {
      fail(
        `validate one and only one schema (oneOf). Found ${good === 0 ? 'none valid' : `${good} valid alternatives`}`,
      );
      if (good === 0) addErrors(errors, results[closest(oneOf, value)] ?? []);
    }
  }
  if (allOf !== undefined && allOf.length > 0) {
    const bad = allOf.map((one) => checkConstraint(one, value, path)).filter((result) => !isGood(result));
    addErrors(errors, bad.flat());
    if (bad.length > 0)
      fail(`validate all the schemas (allOf)${bad.length === allOf.length ? '. None validated' : ''}`);
  }
  if (not !== undefined && isGood(checkConstraint(not, value, path))) fail('not validate the schema (not)');
  return errors;
}
const isGood = (errors: readonly FieldError[]) => errors.length === 0;

/** Checks a value and the values inside it against a constraint. */
function checkConstraint(constraint: Constraint, value: unknown, path: string): FieldError[] {
  const { type, format } = constraint;
  const errors = checkValue(constraint, value, path, checkInner);
  const wrong = typeProblem(type ? [type] : [], format, value, path);
  if (wrong) errors.unshift(wrong);
  return errors;
}

function checkInner(constraint: Constraint, value: object, path: string): readonly FieldError[] {
  const { items, required = [] } = constraint;
  if (Array.isArray(value))
    return items === undefined ? [] : errorsOf(value, (item, i) => checkConstraint(items, item, `${path}[${i}]`));
  const errors: FieldError[] = [];
  const members = value as Readonly<Record<string, unknown>>; // Only lists and plain objects have parts, so the cast is safe.
  for (const name of Object.keys(members)) {
    if (isFull(errors)) break;
    const inner = innerOf(constraint, name);
    if (inner !== undefined) addErrors(errors, checkConstraint(inner, members[name], childPath(path, name)));
  }
  spendChecks(required.length);
  for (const name of required)
    if (!Object.hasOwn(members, name)) errors.push(fieldError.required(childPath(path, name)));
  return errors;
}

const innerOf = ({ properties, values }: Constraint, name: string): Constraint | undefined =>
  properties?.get(name) ?? values;

/** Returns the index of the alternative with the most keywords that apply to a value. Its errors are reported if no alternative is valid. */
function closest(alternatives: readonly Constraint[], value: unknown): number {
  const counts = alternatives.map((one) => countMatches(one, value));
  return counts.indexOf(greatest(counts));
}
const greatest = (counts: readonly number[]): number => counts.reduce((most, count) => Math.max(most, count), 0);

/** Returns how well a value fits a constraint, as upstream computes it: the number of passed checks, including those of nested values. */
function countMatches(constraint: Constraint, value: unknown): number {
  spendChecks();
  const { type, format, items, anyOf = [], oneOf = [], allOf = [] } = constraint;
  const known = format !== undefined && isKnownFormat(format);
  const typed = type !== undefined || known;
  const isTyped = typed && typeProblem(type ? [type] : [], format, value, '') === undefined;
  if (value === null) return type === undefined ? 1 : 0;
  let count = 4 + (typed ? 1 : 0) + (isTyped ? 1 : 0);
  const counts = (all: readonly Constraint[]) => all.map((one) => countMatches(one, value));
  const sum = (all: readonly Constraint[]) => counts(all).reduce((total, matches) => total + matches, 0);
  const validOnes = (all: readonly Constraint[]) => all.filter((one) => isGood(checkConstraint(one, value, '')));
  if (anyOf.length > 0) count += sum(validOnes(anyOf).slice(0, 1)) || greatest(counts(anyOf));
  if (oneOf.length > 0) {
    const valid = validOnes(oneOf);
    if (valid.length === 1) count += sum(valid);
    else if (valid.length === 0) count += greatest(counts(oneOf));
  }
  count += sum(allOf);
  if (typeof value === 'string') return count + 1 + (known ? 1 : 0);
  if (typeof value === 'number') return count + 2;
  if (Array.isArray(value)) {
    for (const item of value) if (items !== undefined) count += countMatches(items, item);
    return count + 2;
  }
  if (!isJsonObject(value)) return count;
  for (const name of Object.keys(value)) {
    const inner = innerOf(constraint, name);
    if (inner !== undefined) count += countMatches(inner, value[name]);
  }
  return count + 1;
}

/** The values of an enumeration: scalars by value, lists and objects by their canonical JSON. */
interface Enumeration {
  readonly scalars: ReadonlySet<unknown>;
  readonly structures: ReadonlySet<string>;
}

/** Schemas are frozen, so the cached sets stay valid. */
const enumerations = new WeakMap<readonly unknown[], Enumeration>();

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/**
 * Returns what else a number equals. Upstream converts it to the type of each allowed value: a fraction loses its decimals if the allowed
 * value is an integer, and an integer becomes the character with this code if the allowed value is a string.
 */
function asUpstreamConverts(value: number): number | string {
  if (!Number.isInteger(value)) return Math.trunc(value) + 0;
  return value >= 0 && value <= 0x10ffff ? String.fromCodePoint(value) : '\ufffd';
}

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
  if (isScalar(value))
    return found.scalars.has(value) || (typeof value === 'number' && found.scalars.has(asUpstreamConverts(value)));
  if (found.structures.size === 0) return false;
  const text = canonicalJson(value as JsonValue);
  spendChecks(text.length >> 3);
  return found.structures.has(text);
}
