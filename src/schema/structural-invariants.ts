import { printGoValue } from '../json/print-go.js';
import { isJsonObject } from '../json/value.js';
import { addErrors, childPath, type FieldError, fieldError, isFull, printed } from '../meta/field-error.js';
import { parseGroupVersion } from '../meta/group-version.js';
import { dns1035Label, nameIsPathSegment } from '../meta/names.js';
import type { ObjectMeta } from '../meta/object-meta.js';
import { validateWholeMeta } from '../meta/object-meta-validation.js';
import { presentProperties } from './properties.js';
import type { ListSchema, Schema } from './schema.js';

/** Returns the validation errors of the embedded objects in a value: errors of their `apiVersion`, `kind` and `metadata`. */
export function validateEmbedded(schema: Schema, value: unknown, path: string): FieldError[] {
  return collect(schema, value, path, hasEmbedded, (at, inner, here) =>
    at.type === 'object' && at.embeddedResource === true && isJsonObject(inner) ? checkEmbedded(inner, here) : [],
  );
}

/**
 * Returns the validation errors of set and map lists in a value. The elements of sets and the keys of map lists must be unique.
 * @param old the value before an update. If it has duplicates, too (because its definition was made stricter), duplicates are tolerated.
 */
export function validateListTypes(schema: Schema, value: unknown, path: string, old?: unknown): FieldError[] {
  const problems = repeatedIn(schema, value, path);
  return problems.length > 0 && old !== undefined && repeatedIn(schema, old, path).length > 0 ? [] : problems;
}

function repeatedIn(schema: Schema, value: unknown, path: string): FieldError[] {
  return collect(schema, value, path, hasListTypes, (at, inner, here) =>
    at.type === 'list' && isUniqueList(at) && Array.isArray(inner) ? checkUnique(at, inner, here) : [],
  );
}

type Look = (schema: Schema, value: unknown, path: string) => readonly FieldError[];

/**
 * Collects the validation errors of all values whose schemas satisfy `isOfInterest`. The errors of an outer value come before the errors of
 * the values inside it.
 */
function collect(
  schema: Schema,
  value: unknown,
  path: string,
  isOfInterest: (schema: Schema) => boolean,
  look: Look,
): FieldError[] {
  const errors: FieldError[] = [];
  const visit = (at: Schema, inner: unknown, here: string): void => {
    if (typeof inner !== 'object' || inner === null || isFull(errors) || !isOfInterest(at)) return;
    addErrors(errors, look(at, inner, here));
    if (at.type === 'list' && Array.isArray(inner))
      inner.forEach((item, i) => void visit(at.items, item, `${here}[${i}]`));
    else if (at.type === 'map' && isJsonObject(inner))
      for (const name of Object.keys(inner)) visit(at.values, inner[name], `${here}[${name}]`);
    else if (at.type === 'object' && isJsonObject(inner))
      for (const [name, property] of present(at, inner))
        if (Object.hasOwn(inner, name)) visit(property.schema, inner[name], childPath(here, name));
  };
  visit(schema, value, path);
  return errors;
}

const present = /* @__PURE__ */ presentProperties();

const isUniqueList = ({ listType }: ListSchema): boolean => listType === 'set' || listType === 'map';

/**
 * Returns a function that returns whether a schema or one inside it satisfies `isOne`. Results are cached, so that most schemas are not
 * walked again for each object.
 */
export function occursAnywhere(isOne: (schema: Schema) => boolean): (schema: Schema) => boolean {
  const known = new WeakMap<Schema, boolean>();
  const look = (schema: Schema): boolean => {
    const seen = new Set<Schema>([schema]);
    for (const at of seen) {
      if (isOne(at)) return true;
      if (at.type === 'list') seen.add(at.items);
      else if (at.type === 'map') seen.add(at.values);
      else if (at.type === 'object') for (const property of at.properties.values()) seen.add(property.schema);
    }
    return false;
  };
  return (schema) => {
    let found = known.get(schema);
    if (found === undefined) known.set(schema, (found = look(schema)));
    return found;
  };
}

const hasEmbedded = /* @__PURE__ */ occursAnywhere(
  (schema) => schema.type === 'object' && schema.embeddedResource === true,
);
const hasListTypes = /* @__PURE__ */ occursAnywhere((schema) => schema.type === 'list' && isUniqueList(schema));

const memberOf = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Reports each duplicate value once, at its second occurrence. */
function checkUnique(schema: ListSchema, items: readonly unknown[], path: string): FieldError[] {
  const keys = schema.listType === 'map' ? (schema.mapKeys ?? []) : undefined;
  const notAnObject = keys ? items.findIndex((item) => item !== null && !isJsonObject(item)) : -1;
  if (notAnObject >= 0)
    return [
      fieldError.invalid(
        `${path}[${notAnObject}]`,
        items[notAnObject],
        'must be an object for an array of list-type map',
      ),
    ];
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  items.forEach((item, i) => {
    const text = printGoValue(keys === undefined ? item : keysOf(item, keys));
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2 && !isFull(errors)) errors.push(fieldError.duplicate(`${path}[${i}]`, printed(text)));
  });
  return errors;
}

/** Returns the members of an item that are its keys; absent members are left out. */
export function keysOf(item: unknown, keys: readonly string[]): unknown {
  const members = isJsonObject(item) ? item : {};
  return Object.fromEntries(
    keys.flatMap((key) => {
      const member = memberOf(members, key);
      return member === undefined ? [] : [[key, member]];
    }),
  );
}

function checkEmbedded(value: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['apiVersion', 'kind']) {
    const text = memberOf(value, name);
    const full = childPath(path, name);
    if (text !== undefined && typeof text !== 'string')
      errors.push(fieldError.invalid(full, printed(printGoValue(text)), 'must be a string'));
    else if (text === undefined) errors.push(fieldError.required(full, 'must not be empty'));
    else if (text === '') errors.push(fieldError.invalid(full, text, 'must not be empty'));
    else if (name === 'apiVersion' && parseGroupVersion(text) === undefined)
      errors.push(fieldError.invalid(full, text, `unexpected GroupVersion string: ${text}`));
    else if (name === 'kind') {
      const problems = dns1035Label(text.toLowerCase());
      const hint = 'may have mixed case, but should otherwise match: ';
      if (problems.length > 0) errors.push(fieldError.invalid(full, text, hint + problems.join(',')));
    }
  }
  const metadata = memberOf(value, 'metadata');
  if (!isJsonObject(metadata)) return errors;
  // Decoding has checked the types of metadata, so the cast is safe.
  const meta = metadata as ObjectMeta;
  const rules = { namespaced: (meta.namespace ?? '') !== '', nameRule: nameIsPathSegment };
  addErrors(errors, validateWholeMeta(meta, rules, childPath(path, 'metadata')).filter(isNotMissing));
  return errors;
}

/** Returns whether an error is not about a missing name. An embedded object does not need a name. */
const isNotMissing = ({ type, path }: FieldError): boolean => !(type === 'Required' && path.endsWith('.name'));
