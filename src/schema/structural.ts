import { equalJson } from '../json/equal.js';
import { printGoValue } from '../json/print-go.js';
import { addErrors, childPath, errorsOf, type FieldError, fieldError, isFull, printed } from '../meta/field-error.js';
import { parseGroupVersion } from '../meta/group-version.js';
import { dns1035Label, nameIsPathSegment } from '../meta/names.js';
import type { ObjectMeta } from '../meta/object-meta.js';
import { validateMetaOnCreate } from '../meta/object-meta-validation.js';
import { checkJunctors, checkValue, schemaTypeOf, wrongType } from './constraints/check.js';
import { isRecord } from './json-objects.js';
import { isTypedMetadata } from './object-meta-schema.js';
import type { Constraint, ListSchema, MapSchema, ObjectSchema, Schema } from './schema.js';

export { prepareSchema } from './constraints/patterns.js';
export { applyDefaults } from './defaults.js';
export { prune } from './prune.js';

/**
 * What is wrong with a value of a user's kind (spec 21.4), in schema order. An object's typed metadata is not looked
 * at. Patterns that arrived at run time must have been prepared ({@link prepareSchema}).
 * @param path '' at the root
 * @param old the value before an update: what did not change is not validated again; list elements are followed by their keys
 */
export function validateStructural(schema: Schema, value: unknown, path: string, old?: unknown): FieldError[] {
  if (old !== undefined && equalJson(value, old)) return [];
  if (value === null && schema.nullable === true) return [];
  const is = schemaTypeOf(value);
  const errors: FieldError[] = [];
  const wanted = WANTED[schema.type];
  if (!wanted.includes(is) && schema.type !== 'any') errors.push(wrongType(path, wanted.at(-1) ?? '', is));
  // The keywords have the same names; nested ones are not looked at here.
  addErrors(errors, checkValue(schema as Constraint, value, path));
  if (schema.type === 'object' && isRecord(value)) addErrors(errors, checkMembers(schema, value, path, old));
  else if (schema.type === 'map' && isRecord(value)) addErrors(errors, checkEntries(schema, value, path, old));
  else if (schema.type === 'list' && Array.isArray(value)) addErrors(errors, checkItems(schema, value, path, old));
  addErrors(errors, checkJunctors(schema as Constraint, value, path));
  return errors;
}

/** JSON types a schema takes; the last one is its name in messages. */
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
  isRecord(object) && Object.hasOwn(object, name) ? object[name] : undefined;

function checkMembers(
  schema: ObjectSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  old: unknown,
): FieldError[] {
  const errors = schema.embeddedResource === true ? checkEmbedded(value, path) : [];
  for (const [name, property] of schema.properties) {
    const member = memberOf(value, name);
    const full = childPath(path, name);
    if (member === undefined) {
      if (property.required === true) errors.push(fieldError.required(full));
    } else if (!(name === 'metadata' && isTypedMetadata(property.schema)))
      addErrors(errors, validateStructural(property.schema, member, full, memberOf(old, name)));
  }
  return errors;
}

function checkEmbedded(value: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['apiVersion', 'kind']) {
    const text = memberOf(value, name);
    const full = childPath(path, name);
    if (text === undefined || text === '') errors.push(fieldError.required(full, 'must not be empty'));
    else if (name === 'apiVersion' && typeof text === 'string' && parseGroupVersion(text) === undefined)
      errors.push(fieldError.invalid(full, text, `unexpected GroupVersion string: ${text}`));
    else if (name === 'kind' && typeof text === 'string') {
      const problems = dns1035Label(text.toLowerCase());
      const hint = 'may have mixed case, but should otherwise match: ';
      if (problems.length > 0) errors.push(fieldError.invalid(full, text, hint + problems.join(',')));
    }
  }
  const metadata = memberOf(value, 'metadata');
  if (!isRecord(metadata)) return errors;
  // Decoding has given it its form.
  const meta = metadata as ObjectMeta;
  const rules = { namespaced: (meta.namespace ?? '') !== '', nameRule: nameIsPathSegment };
  addErrors(errors, validateMetaOnCreate(meta, rules, childPath(path, 'metadata')).filter(isNotMissing));
  return errors;
}

/** An object inside another need not have a name. */
const isNotMissing = ({ type, path }: FieldError): boolean => !(type === 'Required' && path.endsWith('.name'));

function checkEntries(
  schema: MapSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  old: unknown,
): FieldError[] {
  return errorsOf(Object.keys(value), (name) =>
    validateStructural(schema.values, value[name], childPath(path, name), memberOf(old, name)),
  );
}

function checkItems(schema: ListSchema, value: readonly unknown[], path: string, old: unknown): FieldError[] {
  const keys = schema.listType === 'map' ? schema.mapKeys : undefined;
  const before = new Map<string, unknown>();
  if (keys !== undefined && Array.isArray(old))
    for (const item of old) before.set(printGoValue(keysOf(keys, item)), item);
  const errors = errorsOf(value, (item, i) =>
    validateStructural(schema.items, item, `${path}[${i}]`, keys && before.get(printGoValue(keysOf(keys, item)))),
  );
  if (schema.listType === 'map' || schema.listType === 'set') addErrors(errors, checkUnique(value, path, keys));
  return errors;
}
function keysOf(keys: readonly string[], item: unknown): unknown {
  return Object.fromEntries(
    keys.flatMap((key) => (memberOf(item, key) === undefined ? [] : [[key, memberOf(item, key)]])),
  );
}

/** Each value that appears more than once is reported once, at its second place. */
function checkUnique(items: readonly unknown[], path: string, keys: readonly string[] | undefined): FieldError[] {
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  items.forEach((item, i) => {
    if (keys !== undefined && !isRecord(item)) return;
    const text = printGoValue(keys === undefined ? item : keysOf(keys, item));
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2 && !isFull(errors)) errors.push(fieldError.duplicate(`${path}[${i}]`, printed(text)));
  });
  return errors;
}
