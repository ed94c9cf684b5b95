import { type FieldError, fieldError, isFull, MAX_FIELD_ERRORS } from '../../../meta/field-error.js';
import type { JSONSchemaProps } from '../json-schema-props.js';
import { itemsOf, listTypeOf, mapKeysOf, mapTypeOf } from './schema-parts.js';

/** With more keys than this, only one problem is reported. */
const MANY_KEYS = 64;
const LIST_TYPES = ['atomic', 'set', 'map'];

/** Returns the problems of a list's merge type and its keys (spec 21.2). */
export function listProblems(schema: JSONSchemaProps, path: string, prefix: string): FieldError[] {
  const listType = listTypeOf(schema);
  const keys = mapKeysOf(schema);
  const errors: FieldError[] = [];
  if (listType !== undefined) {
    errors.push(...ofType(schema, listType, path, prefix));
    if (!LIST_TYPES.includes(listType))
      errors.push(fieldError.notSupported(`${path}.${prefix}list-type`, listType, LIST_TYPES));
  }
  if (keys.length > 0 && listType !== 'map') {
    const why = `must be map if ${prefix}list-map-keys is non-empty`;
    const at = `${path}.${prefix}list-type`;
    errors.push(listType === undefined ? fieldError.required(at, why) : fieldError.invalid(at, listType, why));
  }
  if (listType === 'map') errors.push(...keyedProblems(schema, path, prefix));
  if (listType === 'map' || listType === 'set') errors.push(...itemProblems(schema, listType, path, prefix));
  return errors;
}

function ofType(schema: JSONSchemaProps, listType: string, path: string, prefix: string): FieldError[] {
  const { type = '' } = schema;
  if (type !== 'array') {
    const why = `must be array if ${prefix}list-type is specified`;
    return [type === '' ? fieldError.required(`${path}.type`, why) : fieldError.invalid(`${path}.type`, type, why)];
  }
  const items = itemsOf(schema);
  if (listType !== 'set' || items === undefined) return [];
  const why = `must be atomic as item of a list with ${prefix}list-type=set`;
  const inner = listTypeOf(items);
  if (items.type === 'array' && inner !== undefined && inner !== 'atomic')
    return [fieldError.invalid(`${path}.items.${prefix}list-type`, inner, why)];
  // Upstream reports the list type here instead of the map type.
  if (items.type === 'object' && mapTypeOf(items) !== 'atomic')
    return [fieldError.invalid(`${path}.items.${prefix}map-type`, inner, why)];
  return [];
}

function keyedProblems(schema: JSONSchemaProps, path: string, prefix: string): FieldError[] {
  const errors: FieldError[] = [];
  const keys = mapKeysOf(schema);
  const items = itemsOf(schema);
  if (keys.length === 0)
    errors.push(
      fieldError.required(`${path}.${prefix}list-map-keys`, `must not be empty if ${prefix}list-type is map`),
    );
  if (items === undefined) {
    if (schema.items === undefined)
      errors.push(fieldError.required(`${path}.items`, `must have a schema if ${prefix}list-type is map`));
    else
      errors.push(
        fieldError.invalid(
          `${path}.items`,
          schema.items,
          `must only have a single schema if ${prefix}list-type is map`,
        ),
      );
    return errors;
  }
  if (items.type !== 'object') {
    const why = `must be object if parent array's ${prefix}list-type is map`;
    errors.push(fieldError.invalid(`${path}.items.type`, items.type ?? '', why));
    return errors;
  }
  const seen = new Set<string>();
  // Each of these problems prints all keys.
  const most = keys.length > MANY_KEYS ? 1 : MAX_FIELD_ERRORS;
  for (const key of keys) {
    if (errors.length > most) break;
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    if (property === undefined)
      errors.push(
        fieldError.invalid(`${path}.${prefix}list-map-keys`, keys, 'entries must all be names of item properties'),
      );
    else if (property.type === 'array' || property.type === 'object')
      // Upstream reports the type of the items here.
      errors.push(
        fieldError.invalid(
          `${path}.items.properties[${key}].type`,
          items.type,
          `must be a scalar type if parent array's ${prefix}list-type is map`,
        ),
      );
    if (seen.has(key))
      errors.push(fieldError.invalid(`${path}.${prefix}list-map-keys`, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}

function itemProblems(schema: JSONSchemaProps, listType: 'set' | 'map', path: string, prefix: string): FieldError[] {
  const items = itemsOf(schema);
  if (items === undefined) return [];
  const errors: FieldError[] = [];
  if (items.nullable === true)
    errors.push(
      fieldError.forbidden(`${path}.items.nullable`, `cannot be nullable when ${prefix}list-type is ${listType}`),
    );
  if (listType === 'set') return errors;
  const required = new Set(items.required);
  for (const key of mapKeysOf(schema)) {
    if (isFull(errors)) break;
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    if (property === undefined) continue;
    const at = `${path}.items.properties[${key}]`;
    const is = `this property is in ${prefix}list-map-keys, so it`;
    if (!required.has(key) && property.default === undefined)
      errors.push(fieldError.required(`${at}.default`, `${is} must have a default or be a required property`));
    if (property.nullable === true) errors.push(fieldError.forbidden(`${at}.nullable`, `${is} cannot be nullable`));
  }
  return errors;
}
