import { isJsonObject } from '../json/value.js';
import { addErrors, childPath, errorsOf, type FieldError, fieldError, isFull } from '../meta/field-error.js';
import { spendChecks, withinBudget } from './constraints/budget.js';
import { checkValue, typeProblem } from './constraints/check.js';
import { isUnchanged, itemBefore, itemsByKeys } from './constraints/unchanged.js';
import { isTypedMetadata } from './object-meta-schema.js';
import { presentProperties, requiredNames } from './properties.js';
import type { Constraint, ListSchema, MapSchema, ObjectSchema, Schema } from './schema.js';
import { occursAnywhere, validateEmbedded, validateListTypes } from './structural-invariants.js';

export { prepareSchema } from './constraints/patterns.js';
export { applyDefaults } from './defaults.js';
export { prune } from './prune.js';

/**
 * Returns the validation errors of a custom resource, or a part of one (spec 21.4): first errors of its values, then of embedded objects,
 * then of lists with unique elements. Typed metadata is not checked. Patterns from API objects must be prepared ({@link prepareSchema}).
 * @param path '' at the root
 * @param old the value before an update, whose errors {@link validateValues} and {@link validateListTypes} tolerate
 */
export function validateStructural(schema: Schema, value: unknown, path: string, old?: unknown): FieldError[] {
  return withinBudget(path, () => {
    const errors = validateValues(schema, value, path, old);
    addErrors(errors, validateEmbedded(schema, value, path));
    addErrors(errors, validateListTypes(schema, value, path, old));
    return errors;
  });
}

/**
 * Returns the validation errors of the values alone, in schema order.
 * @param old the value before an update: unchanged parts are not validated again; list elements are matched by their keys
 */
export function validateValues(schema: Schema, value: unknown, path: string, old?: unknown): FieldError[] {
  // Most unchanged parts are the same object before and after an update. Other parts are compared only if they have errors.
  if (value === old && !mayHaveUnknownMembers(schema)) return [];
  const errors = withinBudget(path, () => problemsOf(schema, value, path, old));
  return errors.length > 0 && isUnchanged(schema, value, old) ? [] : errors;
}

/**
 * Returns the validation errors of a whole object. It always counts as changed, because its kind, version and metadata are not in the
 * schema.
 */
export function validateWhole(schema: Schema, object: unknown, old: unknown): FieldError[] {
  return withinBudget('', () => problemsOf(schema, object, '', old));
}

function problemsOf(schema: Schema, value: unknown, path: string, old: unknown): FieldError[] {
  // The keywords of a schema are named like those of a constraint, so the casts are safe; nested keywords are not checked here.
  const constraint = schema as Constraint & Schema;
  const errors = checkValue(constraint, value, path, checkParts, old);
  const type = schema.type === 'object' ? (schema.declaredType ?? 'object') : schema.type;
  const wrong =
    value === null && schema.nullable === true ? undefined : typeProblem(WANTED[type], constraint.format, value, path);
  if (wrong) errors.unshift(wrong);
  const found = errors.length > 1 ? withoutRepetition(errors) : errors;
  return path === '' ? found.map(atRoot) : found;
}

/** Upstream prints the path of the root as `<nil>`. */
const atRoot = (error: FieldError): FieldError => (error.path === '' ? { ...error, path: '<nil>' } : error);

/** Returns the path of an error in a part of an object, relative to the whole object. The part was validated with the path ''. */
export function pathWithin(part: string, { path }: FieldError): string {
  if (path === '' || path === '<nil>') return part;
  return path.startsWith('.') ? `${part}${path}` : `${part}.${path}`;
}

/** Removes errors with the same message, as several parts of a schema may find the same. */
function withoutRepetition(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ type, path, detail }) => {
    const text = `${type} ${path} ${detail}`;
    return !seen.has(text) && seen.add(text);
  });
}

function checkParts(schema: Schema, value: object, path: string, old: unknown): readonly FieldError[] {
  if (Array.isArray(value)) return schema.type === 'list' ? checkItems(schema, value, path, old) : [];
  if (!isJsonObject(value)) return [];
  const errors =
    schema.type === 'object'
      ? checkMembers(schema, value, path, old)
      : schema.type === 'map'
        ? checkEntries(schema, value, path, old)
        : [];
  const names = requiredNames(schema);
  spendChecks(names.length);
  for (const name of names) {
    if (isFull(errors)) break;
    if (memberOf(value, name) === undefined) errors.push(fieldError.required(childPath(path, name)));
  }
  return errors;
}

/** Returns whether objects may have members that are not in their schema. */
const mayHaveUnknownMembers = /* @__PURE__ */ occursAnywhere(
  (schema) =>
    schema.type === 'any' ||
    (schema.type === 'object' && (schema.preserveUnknown === true || schema.embeddedResource === true)),
);

/** The JSON types that a schema of each type accepts. Error messages print the last one as the expected type. */
const WANTED: Readonly<Record<Schema['type'], readonly string[]>> = {
  object: ['object'],
  map: ['object'],
  list: ['array'],
  string: ['string'],
  integer: ['integer'],
  number: ['integer', 'number'],
  boolean: ['boolean'],
  intOrString: ['integer', 'string', 'integer,string'],
  any: [],
};

const memberOf = (object: unknown, name: string): unknown =>
  isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;

const present = /* @__PURE__ */ presentProperties();

/**
 * Returns whether a member is the `kind` or `apiVersion` of the whole object. Those of the old object always equal those of the request, so
 * they say nothing about a change, and are always validated.
 */
export const isTypeOfObject = (path: string, name: string): boolean =>
  path === '' && (name === 'apiVersion' || name === 'kind');

function checkMembers(
  schema: ObjectSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  old: unknown,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, property] of present(schema, value)) {
    const member = memberOf(value, name);
    if (member === undefined || (name === 'metadata' && isTypedMetadata(property.schema))) continue;
    const before = isTypeOfObject(path, name) ? undefined : memberOf(old, name);
    addErrors(errors, validateValues(property.schema, member, childPath(path, name), before));
  }
  return errors;
}

function checkEntries(
  schema: MapSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  old: unknown,
): FieldError[] {
  // As in upstream, the path of an entry of a map begins with a dot even at the root.
  return errorsOf(Object.keys(value), (name) =>
    validateValues(schema.values, value[name], `${path}.${name}`, memberOf(old, name)),
  );
}

function checkItems(schema: ListSchema, value: readonly unknown[], path: string, old: unknown): FieldError[] {
  const keys = schema.listType === 'map' ? schema.mapKeys : undefined;
  const before = keys && Array.isArray(old) ? itemsByKeys(old, keys) : undefined;
  return errorsOf(value, (item, i) =>
    validateValues(schema.items, item, `${path}[${i}]`, keys && itemBefore(before, item, keys)),
  );
}
