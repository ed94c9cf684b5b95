import { equalJson } from '../../../json/equal.js';
import { compareText } from '../../../json/order.js';
import { type FieldError, fieldError, formatFieldError, isFull, MAX_FIELD_ERRORS } from '../../../meta/field-error.js';
import type { JSONSchemaProps } from '../json-schema-props.js';
import { partsOf, type SchemaParts } from './schema-parts.js';

type Level = 'root' | 'item' | 'field';

const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** The options of {@link validateStructuralSchema}. */
export interface StructuralRules {
  /** The prefix of schema extensions in the API dialect, such as `x-kubernetes-`. Paths in error messages contain it. */
  readonly prefix: string;
  /** Returns why a pattern is invalid; undefined when it is valid. A schema without patterns needs no function. */
  readonly patternProblem: ((pattern: string) => string | undefined) | undefined;
}

/** The options of a validation, and the errors that it has found. */
interface Check extends StructuralRules {
  readonly errors: FieldError[];
}

/** Returns the reasons why a schema is not structural, sorted alphabetically (spec 21.2). */
export function validateStructuralSchema(schema: JSONSchemaProps, path: string, rules: StructuralRules): FieldError[] {
  const { prefix, patternProblem } = rules;
  const errors: FieldError[] = [];
  checkStructure(schema, 'root', path, { prefix, patternProblem, errors });
  checkComplete(schema, schema, path, path, errors);
  return errors.slice(0, MAX_FIELD_ERRORS + 1).sort((a, b) => compareText(formatFieldError(a), formatFieldError(b)));
}

function checkStructure(schema: JSONSchemaProps, level: Level, path: string, check: Check): void {
  const { prefix, errors } = check;
  if (isFull(errors)) return;
  const parts = partsOf(schema);
  const { type, items, properties, values, preserves, isIntOrString, isEmbedded } = parts;
  const hasAdditional = schema.additionalProperties !== undefined;
  const x = `${path}.${prefix}`;
  if (type === 'array' && items === undefined) errors.push(fieldError.required(`${path}.items`, 'must be specified'));
  if (items) checkStructure(items, 'item', `${path}.items`, check);
  for (const [name, property] of properties) checkStructure(property, 'field', `${path}.properties[${name}]`, check);
  if (hasAdditional && level === 'root')
    errors.push(fieldError.forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  if (values) checkStructure(values, 'field', `${path}.additionalProperties`, check);
  const why = `must be false if ${prefix}int-or-string is true`;
  if (isIntOrString && preserves === true) errors.push(fieldError.invalid(`${x}preserve-unknown-fields`, true, why));
  if (isIntOrString && isEmbedded) errors.push(fieldError.invalid(`${x}embedded-resource`, true, why));
  checkRestrictions(schema, path, { ownPair: true, firstPair: true }, check);
  checkType(parts, level, path, check);
  if (isEmbedded && hasAdditional)
    errors.push(
      fieldError.forbidden(`${path}.additionalProperties`, `must not be used if ${prefix}embedded-resource is set`),
    );
  if (level === 'root' || isEmbedded) checkTypeMeta(schema, level, path, errors);
  if (isEmbedded && preserves !== true && properties.length === 0)
    errors.push(
      fieldError.required(
        `${path}.properties`,
        `must not be empty if ${prefix}embedded-resource is true without ${prefix}preserve-unknown-fields`,
      ),
    );
}

function checkType(
  { type, preserves, isIntOrString, isEmbedded }: SchemaParts,
  level: Level,
  path: string,
  { prefix, errors }: Check,
): void {
  const at = `${path}.type`;
  if (isEmbedded && type !== 'object') {
    const why = `must be object if ${prefix}embedded-resource is true`;
    errors.push(type === '' ? fieldError.required(at, why) : fieldError.invalid(at, type, why));
  } else if (type === '' && !isIntOrString && preserves !== true)
    errors.push(fieldError.required(at, EMPTY_TYPE[level]));
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(fieldError.invalid(at, type, 'must be object at the root'));
}

/** Checks apiVersion, kind and metadata. A schema may restrict them only in a few ways. */
function checkTypeMeta({ properties = {} }: JSONSchemaProps, level: Level, path: string, errors: FieldError[]): void {
  for (const name of ['kind', 'apiVersion']) {
    const property = properties[name];
    if (property !== undefined && property.type !== 'string')
      errors.push(fieldError.invalid(`${path}.properties[${name}].type`, property.type ?? '', 'must be string'));
  }
  const { metadata } = properties;
  if (metadata === undefined) return;
  if (metadata.type !== 'object')
    errors.push(fieldError.invalid(`${path}.properties[metadata].type`, metadata.type ?? '', 'must be object'));
  // Embedded objects may restrict their metadata in more ways.
  if (level !== 'root') return;
  const { type: _type, default: _default, properties: named = {}, ...others } = metadata;
  const names = Object.keys(named);
  if (Object.keys(others).length === 0 && names.every((name) => name === 'name' || name === 'generateName')) return;
  errors.push(
    fieldError.forbidden(
      `${path}.properties[metadata]`,
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    ),
  );
}

/** The `anyOf` of a value that is an integer or a string. Only this `anyOf` may contain types. */
const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Where an `anyOf` with the types integer and string is allowed: in the schema itself, and in the first schema of its `allOf`. */
interface Pairs {
  readonly ownPair: boolean;
  readonly firstPair: boolean;
}

/** Checks the pattern of a schema, and the schemas in its `allOf`, `anyOf`, `oneOf` and `not`. */
function checkRestrictions(schema: JSONSchemaProps, path: string, { ownPair, firstPair }: Pairs, check: Check): void {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern = '' } = schema;
  if (!(ownPair && anyOf.length > 0 && equalJson(anyOf, INT_OR_STRING)))
    for (const [i, each] of anyOf.entries()) checkNested(each, `${path}.anyOf[${i}]`, false, check);
  for (const [i, each] of allOf.entries()) checkNested(each, `${path}.allOf[${i}]`, firstPair && i === 0, check);
  for (const [i, each] of oneOf.entries()) checkNested(each, `${path}.oneOf[${i}]`, false, check);
  if (not) checkNested(not, `${path}.not`, false, check);
  const problem = pattern === '' ? undefined : check.patternProblem?.(pattern);
  if (problem !== undefined)
    check.errors.push(
      fieldError.invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`),
    );
}

/**
 * Checks that a schema in `allOf`, `anyOf`, `oneOf` or `not` only restricts values: it may not contain types, defaults or descriptions.
 * @param ownPair whether its `anyOf` may be that of the types integer and string
 */
function checkNested(schema: JSONSchemaProps, path: string, ownPair: boolean, check: Check): void {
  const { prefix, errors } = check;
  if (isFull(errors)) return;
  const { type, items, properties, preserves, isEmbedded, isIntOrString, listType, mapType, mapKeys, rules } =
    partsOf(schema);
  checkRestrictions(schema, path, { ownPair, firstPair: false }, check);
  if (items) checkNested(items, `${path}.items`, false, check);
  for (const [name, property] of properties) checkNested(property, `${path}.properties[${name}]`, false, check);
  const forbid = (member: string, present: boolean, must: 'empty' | 'undefined' | 'false') => {
    if (present) errors.push(fieldError.forbidden(`${path}.${member}`, `must be ${must} to be structural`));
  };
  forbid('type', type !== '', 'empty');
  // As in upstream, the value `false` is allowed within `allOf` and the like, while a schema is refused.
  const { additionalProperties } = schema;
  forbid('additionalProperties', additionalProperties !== undefined && additionalProperties !== false, 'undefined');
  forbid('default', schema.default !== undefined, 'undefined');
  forbid('title', (schema.title ?? '') !== '', 'empty');
  forbid('description', (schema.description ?? '') !== '', 'empty');
  forbid('nullable', schema.nullable === true, 'false');
  forbid(`${prefix}preserve-unknown-fields`, preserves === true, 'false');
  forbid(`${prefix}embedded-resource`, isEmbedded, 'false');
  forbid(`${prefix}int-or-string`, isIntOrString, 'false');
  forbid(`${prefix}list-map-keys`, mapKeys.length > 0, 'empty');
  forbid(`${prefix}list-type`, listType !== undefined, 'undefined');
  forbid(`${prefix}map-type`, mapType !== undefined, 'undefined');
  forbid(`${prefix}validations`, rules.length > 0, 'empty');
  if (schema.properties?.['metadata'] !== undefined)
    errors.push(fieldError.forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
}

/** Checks that every field that `allOf`, `anyOf`, `oneOf` or `not` restricts is also declared outside of them. */
function checkComplete(
  restriction: JSONSchemaProps,
  schema: JSONSchemaProps,
  path: string,
  from: string,
  errors: FieldError[],
): void {
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const [i, each] of (restriction[name] ?? []).entries())
      checkNestedComplete(each, schema, path, `${from}.${name}[${i}]`, errors);
  if (restriction.not) checkNestedComplete(restriction.not, schema, path, `${from}.not`, errors);
}

function checkNestedComplete(
  nested: JSONSchemaProps,
  schema: JSONSchemaProps | undefined,
  path: string,
  from: string,
  errors: FieldError[],
): void {
  if (isFull(errors)) return;
  if (schema === undefined) {
    errors.push(fieldError.required(path, `because it is defined in ${from}`));
    return;
  }
  checkComplete(nested, schema, path, from, errors);
  const { items, properties } = partsOf(nested);
  if (items) checkNestedComplete(items, partsOf(schema).items, `${path}.items`, `${from}.items`, errors);
  for (const [name, property] of properties) {
    const step = `properties[${name}]`;
    checkNestedComplete(property, schema.properties?.[name], `${path}.${step}`, `${from}.${step}`, errors);
  }
}
