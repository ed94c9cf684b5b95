import { addErrors, type FieldError, fieldError, isFull, MAX_FIELD_ERRORS } from '../../../meta/field-error.js';
import { followPath } from '../../../schema/field-path.js';
import { trimSpace } from '../../../values/trim-space.js';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.js';
import { belowProps, isSchema, overviewOf, partsOf, type SchemaParts } from './schema-parts.js';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META_FIELDS = ['metadata', 'kind', 'apiVersion'];

/** The position of a schema in the definition. Some validation rules depend on it. */
interface Place {
  readonly root: boolean;
  /** Whether the schema is inside metadata, kind or apiVersion of a whole object. */
  readonly insideMeta: boolean;
  /** The reason why defaults are not allowed at this position; undefined when they are allowed. */
  readonly noDefaults: string | undefined;
}

/** The validation errors of a definition's schemas, and the paths of the schemas that have errors. */
interface SchemaProblems {
  readonly errors: FieldError[];
  /** Paths of schemas with errors. Rules at these paths and above them cannot be compiled. */
  readonly places: string[];
}

/** Checks the keywords of a schema and of all schemas in it (spec 21.2). @param prefix the prefix of extensions */
export function checkOpenApiSchema(schema: JSONSchemaProps, path: string, prefix: string): SchemaProblems {
  const found: SchemaProblems = { errors: [], places: [] };
  checkSchema(schema, path, { root: true, insideMeta: false, noDefaults: undefined }, prefix, found);
  return found;
}

function checkSchema(schema: JSONSchemaProps, path: string, place: Place, prefix: string, found: SchemaProblems): void {
  if (isFull(found.errors)) return;
  const parts = isPlain(schema) ? undefined : partsOf(schema);
  const inside = { ...place, root: false };
  const below = (each: JSONSchemaProps, step: string, at: Place = inside) =>
    checkSchema(each, `${path}.${step}`, at, prefix, found);
  const report = (errors: readonly FieldError[]) => {
    if (errors.length === 0) return;
    found.places.push(path);
    addErrors(found.errors, errors);
  };
  if (parts) report(keywordProblems(schema, parts, path, place, prefix));
  if (parts?.values) {
    const noDefaults = 'inside additionalProperties applying to object metadata';
    below(parts.values, 'additionalProperties', place.insideMeta ? { ...inside, noDefaults } : inside);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMeta = (place.root || parts?.isEmbedded === true) && META_FIELDS.includes(name);
    const noDefaults = isMeta && place.root ? `in top-level ${name}` : place.noDefaults;
    below(property, `properties[${name}]`, { root: false, insideMeta: place.insideMeta || isMeta, noDefaults });
  }
  if (parts) {
    if (schema.not) below(schema.not, 'not');
    for (const list of ['allOf', 'oneOf', 'anyOf'] as const)
      for (const [i, each] of (schema[list] ?? []).entries()) below(each, `${list}[${i}]`);
    for (const [name, each] of Object.entries(schema.definitions ?? {})) below(each, `definitions[${name}]`);
  }
  if (isSchema(schema.items)) below(schema.items, 'items');
  if (!parts) return;
  if (Array.isArray(schema.items))
    for (const [i, each] of schema.items.entries()) below(each as JSONSchemaProps, `items[${i}]`);
  for (const [name, each] of Object.entries(schema.dependencies ?? {}))
    if (isSchema(each)) below(each, `dependencies[${name}]`);
  // As in upstream, the errors of a schema's extensions are reported after those of its nested schemas.
  const { preserves, mapType, listType, mapKeys, rules } = parts;
  if (preserves === false)
    report([fieldError.invalid(`${path}.${prefix}preserve-unknown-fields`, false, 'must be true or undefined')]);
  if (mapType !== undefined) report(mapTypeProblems(parts.type, mapType, path, prefix));
  if (listType !== undefined || mapKeys.length > 0) report(listProblems(schema, parts, path, prefix));
  if (rules.length > 0) report(rulesProblems(schema, rules, `${path}.${prefix}validations`));
}

function keywordProblems(
  schema: JSONSchemaProps,
  { type, isEmbedded, properties }: SchemaParts,
  path: string,
  { noDefaults, insideMeta }: Place,
  prefix: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const { additionalProperties } = schema;
  const forbid = (member: string, present: boolean, why = `${member} is not supported`) => {
    if (present) errors.push(fieldError.forbidden(`${path}.${member}`, why));
  };
  if (type !== '' && !TYPES.includes(type)) errors.push(fieldError.notSupported(`${path}.type`, type, TYPES));
  if (noDefaults !== undefined) forbid('default', schema.default !== undefined, `must not be set ${noDefaults}`);
  forbid('id', (schema.id ?? '') !== '');
  forbid('additionalItems', schema.additionalItems !== undefined);
  forbid('patternProperties', Object.keys(schema.patternProperties ?? {}).length > 0);
  forbid('definitions', Object.keys(schema.definitions ?? {}).length > 0);
  forbid('dependencies', schema.dependencies !== undefined);
  forbid('$ref', schema.$ref !== undefined);
  forbid('type', type === 'null', 'type cannot be set to null, use nullable as an alternative');
  forbid(
    'items',
    Array.isArray(schema.items) && schema.items.length > 0,
    'items must be a schema object and not an array',
  );
  forbid(`${prefix}embedded-resource`, insideMeta && isEmbedded, 'must not be used inside of resource meta');
  forbid(
    'uniqueItems',
    schema.uniqueItems === true,
    'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
  );
  forbid(
    'additionalProperties',
    additionalProperties !== undefined && additionalProperties !== true && properties.length > 0,
    'additionalProperties and properties are mutual exclusive',
  );
  return errors;
}

/** Keywords that the validation in this file ignores. */
const PLAIN: ReadonlySet<string> = new Set(
  [
    'description title format $schema example externalDocs nullable enum required properties items pattern multipleOf',
    'maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems maxProperties minProperties',
  ].flatMap((names) => names.split(' ')),
);

/** Whether a schema has only keywords of `PLAIN`, as most schemas do. */
function isPlain(schema: JSONSchemaProps): boolean {
  for (const name in schema) if (name === 'type' ? !TYPES.includes(schema.type ?? '') : !PLAIN.has(name)) return false;
  return !Array.isArray(schema.items);
}

/** Checks the extension `map-type`. */
function mapTypeProblems(type: string, mapType: string, path: string, prefix: string): FieldError[] {
  const errors: FieldError[] = [];
  const why = `must be object if ${prefix}map-type is specified`;
  if (type === '') errors.push(fieldError.required(`${path}.type`, why));
  else if (type !== 'object') errors.push(fieldError.invalid(`${path}.type`, type, why));
  if (mapType !== 'atomic' && mapType !== 'granular')
    errors.push(fieldError.notSupported(`${path}.${prefix}map-type`, mapType, ['atomic', 'granular']));
  return errors;
}

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLineBreaks = (text: string): boolean => /[\n\r]/.test(text);

/** Returns the validation errors of the rules of a schema, except those of their expressions. */
function rulesProblems(schema: JSONSchemaProps, rules: readonly ValidationRule[], path: string): FieldError[] {
  const isWrongPath = (fieldPath: string) => typeof followPath(fieldPath, schema, belowProps) === 'string';
  // As in upstream, the field paths of rules are not checked if the schema has a keyword that is refused anyway.
  const isUnchecked =
    rules.some(({ fieldPath = '' }) => fieldPath !== '' && isWrongPath(fieldPath)) &&
    overviewOf(schema).unsupported !== undefined;
  return rules.flatMap((rule, i) => ruleProblems(rule, `${path}[${i}]`, isUnchecked ? () => false : isWrongPath));
}

/** Returns the validation errors of a rule, except those of its expressions. */
function ruleProblems(
  validationRule: ValidationRule,
  path: string,
  isWrongPath: (fieldPath: string) => boolean,
): FieldError[] {
  const { rule, message = '', messageExpression = '', reason, fieldPath = '' } = validationRule;
  const errors: FieldError[] = [];
  const plain = trimSpace(message);
  if (trimSpace(rule) === '') errors.push(fieldError.required(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && plain === '')
    errors.push(fieldError.invalid(`${path}.message`, message, 'message must be non-empty if specified'));
  else if (hasLineBreaks(plain))
    errors.push(fieldError.invalid(`${path}.message`, message, 'message must not contain line breaks'));
  else if (hasLineBreaks(trimSpace(rule)) && plain === '')
    errors.push(fieldError.required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  if (messageExpression !== '' && trimSpace(messageExpression) === '')
    errors.push(fieldError.required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  if (reason !== undefined && !REASONS.includes(reason))
    errors.push(fieldError.notSupported(`${path}.reason`, reason, REASONS));
  if (fieldPath === '') return errors;
  const wrong = (why: string) => void errors.push(fieldError.invalid(`${path}.fieldPath`, fieldPath, why));
  if (trimSpace(fieldPath) === '') wrong('fieldPath must be non-empty if specified');
  if (hasLineBreaks(fieldPath)) wrong('fieldPath must not contain line breaks');
  if (isWrongPath(fieldPath)) wrong('fieldPath must be a valid path');
  return errors;
}

/** If a list has more keys than this, only one error about its keys is reported. */
const MANY_KEYS = 64;
const LIST_TYPES = ['atomic', 'set', 'map'];

/** Returns the validation errors of the extensions `list-type` and `list-map-keys` (spec 21.2). */
function listProblems(schema: JSONSchemaProps, parts: SchemaParts, path: string, prefix: string): FieldError[] {
  const { listType, mapKeys: keys } = parts;
  const errors: FieldError[] = [];
  if (listType !== undefined) {
    errors.push(...ofType(parts, listType, path, prefix));
    if (!LIST_TYPES.includes(listType))
      errors.push(fieldError.notSupported(`${path}.${prefix}list-type`, listType, LIST_TYPES));
  }
  if (keys.length > 0 && listType !== 'map') {
    const why = `must be map if ${prefix}list-map-keys is non-empty`;
    const at = `${path}.${prefix}list-type`;
    errors.push(listType === undefined ? fieldError.required(at, why) : fieldError.invalid(at, listType, why));
  }
  if (listType === 'map') errors.push(...keyedProblems(schema, parts, path, prefix));
  if (parts.items && (listType === 'map' || listType === 'set'))
    errors.push(...itemProblems(parts.items, keys, listType, path, prefix));
  return errors;
}

function ofType({ type, items }: SchemaParts, listType: string, path: string, prefix: string): FieldError[] {
  if (type !== 'array') {
    const why = `must be array if ${prefix}list-type is specified`;
    return [type === '' ? fieldError.required(`${path}.type`, why) : fieldError.invalid(`${path}.type`, type, why)];
  }
  if (listType !== 'set' || items === undefined) return [];
  const why = `must be atomic as item of a list with ${prefix}list-type=set`;
  const { type: itemType, listType: inner, mapType } = partsOf(items);
  if (itemType === 'array' && inner !== undefined && inner !== 'atomic')
    return [fieldError.invalid(`${path}.items.${prefix}list-type`, inner, why)];
  // As in upstream, the error about an unsuitable map type contains the list type as the invalid value.
  if (itemType === 'object' && mapType !== 'atomic')
    return [fieldError.invalid(`${path}.items.${prefix}map-type`, inner, why)];
  return [];
}

function keyedProblems(
  schema: JSONSchemaProps,
  { mapKeys: keys, items }: SchemaParts,
  path: string,
  prefix: string,
): FieldError[] {
  const errors: FieldError[] = [];
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
  // Each error about a key prints all keys, so the number of errors is limited.
  const most = keys.length > MANY_KEYS ? 1 : MAX_FIELD_ERRORS;
  for (const key of keys) {
    if (errors.length > most) break;
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    if (property === undefined)
      errors.push(
        fieldError.invalid(`${path}.${prefix}list-map-keys`, keys, 'entries must all be names of item properties'),
      );
    else if (property.type === 'array' || property.type === 'object')
      // As in upstream, the error about an unsuitable property type contains the type of the items as the invalid value.
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

function itemProblems(
  items: JSONSchemaProps,
  keys: readonly string[],
  listType: 'set' | 'map',
  path: string,
  prefix: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (items.nullable === true)
    errors.push(
      fieldError.forbidden(`${path}.items.nullable`, `cannot be nullable when ${prefix}list-type is ${listType}`),
    );
  if (listType === 'set') return errors;
  const required = new Set(items.required);
  for (const key of keys) {
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
