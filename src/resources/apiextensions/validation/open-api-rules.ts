import { addErrors, type FieldError, fieldError, isFull, MAX_FIELD_ERRORS } from '../../../meta/field-error.js';
import { followPath } from '../../../schema/field-path.js';
import { trimSpace } from '../../../values/trim-space.js';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.js';
import {
  belowProps,
  isEmbedded,
  isSchema,
  itemsOf,
  listTypeOf,
  mapKeysOf,
  mapTypeOf,
  preserves,
  propertiesOf,
  rulesOf,
  valuesOf,
} from './schema-parts.js';
import { unsupportedKeyword } from './structural-rules.js';

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
  readonly errors: readonly FieldError[];
  /** Paths of schemas with errors. Rules at these paths and above them cannot be compiled. */
  readonly places: readonly string[];
}

/** Checks the keywords of a schema and of all schemas in it (spec 21.2). @param prefix the prefix of extensions */
export function checkOpenApiSchema(schema: JSONSchemaProps, path: string, prefix: string): SchemaProblems {
  const walk = new Walk(prefix);
  walk.visit(schema, path, { root: true, insideMeta: false, noDefaults: undefined });
  return walk;
}

class Walk implements SchemaProblems {
  readonly errors: FieldError[] = [];
  readonly places: string[] = [];
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  visit(schema: JSONSchemaProps, path: string, place: Place): void {
    if (isFull(this.errors)) return;
    const inside = { ...place, root: false };
    if (isPlain(schema)) {
      this.#properties(schema, path, place);
      this.#items(schema, path, inside);
      return;
    }
    this.#report(path, this.#keywords(schema, path, place));
    const values = valuesOf(schema);
    if (values)
      this.visit(
        values,
        `${path}.additionalProperties`,
        place.insideMeta
          ? { ...inside, noDefaults: 'inside additionalProperties applying to object metadata' }
          : inside,
      );
    this.#properties(schema, path, place);
    if (schema.not) this.visit(schema.not, `${path}.not`, inside);
    for (const list of ['allOf', 'oneOf', 'anyOf'] as const)
      schema[list]?.forEach((each, i) => void this.visit(each, `${path}.${list}[${i}]`, inside));
    for (const [name, each] of Object.entries(schema.definitions ?? {}))
      this.visit(each, `${path}.definitions[${name}]`, inside);
    this.#items(schema, path, inside);
    for (const [name, each] of Object.entries(schema.dependencies ?? {}))
      if (isSchema(each)) this.visit(each, `${path}.dependencies[${name}]`, inside);
    // As in upstream, the errors of a schema's extensions are reported after those of its nested schemas.
    this.#report(path, [...typeMarks(schema, path, this.#prefix), ...listProblems(schema, path, this.#prefix)]);
    this.#report(path, this.#rules(schema, path));
  }

  #rules(schema: JSONSchemaProps, path: string): FieldError[] {
    const rules = rulesOf(schema);
    const isWrongPath = (fieldPath: string) => typeof followPath(fieldPath, schema, belowProps) === 'string';
    // As in upstream, the field paths of rules are not checked if the schema has a keyword that is refused anyway.
    const isUnchecked =
      rules.some(({ fieldPath = '' }) => fieldPath !== '' && isWrongPath(fieldPath)) &&
      unsupportedKeyword(schema) !== undefined;
    return rules.flatMap((rule, i) =>
      ruleProblems(rule, `${path}.${this.#prefix}validations[${i}]`, isUnchecked ? () => false : isWrongPath),
    );
  }

  #properties(schema: JSONSchemaProps, path: string, place: Place): void {
    for (const [name, property] of propertiesOf(schema))
      this.visit(property, `${path}.properties[${name}]`, memberPlace(schema, name, place));
  }

  #items(schema: JSONSchemaProps, path: string, inside: Place): void {
    const items = itemsOf(schema);
    if (items) this.visit(items, `${path}.items`, inside);
    if (Array.isArray(schema.items))
      schema.items.forEach((each: JSONSchemaProps, i) => void this.visit(each, `${path}.items[${i}]`, inside));
  }

  #report(place: string, errors: readonly FieldError[]): void {
    if (errors.length === 0) return;
    this.places.push(place);
    addErrors(this.errors, errors);
  }

  #keywords(schema: JSONSchemaProps, path: string, { noDefaults, insideMeta }: Place): FieldError[] {
    const errors: FieldError[] = [];
    const { type = '', items, additionalItems } = schema;
    const forbid = (member: string, present: boolean, why = `${member} is not supported`) => {
      if (present) errors.push(fieldError.forbidden(`${path}.${member}`, why));
    };
    if (type !== '' && !TYPES.includes(type)) errors.push(fieldError.notSupported(`${path}.type`, type, TYPES));
    if (noDefaults !== undefined) forbid('default', schema.default !== undefined, `must not be set ${noDefaults}`);
    forbid('id', (schema.id ?? '') !== '');
    forbid('additionalItems', additionalItems !== undefined);
    forbid('patternProperties', Object.keys(schema.patternProperties ?? {}).length > 0);
    forbid('definitions', Object.keys(schema.definitions ?? {}).length > 0);
    forbid('dependencies', schema.dependencies !== undefined);
    forbid('$ref', schema.$ref !== undefined);
    forbid('type', type === 'null', 'type cannot be set to null, use nullable as an alternative');
    forbid('items', Array.isArray(items) && items.length > 0, 'items must be a schema object and not an array');
    forbid(
      `${this.#prefix}embedded-resource`,
      insideMeta && isEmbedded(schema),
      'must not be used inside of resource meta',
    );
    forbid(
      'uniqueItems',
      schema.uniqueItems === true,
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    );
    const { additionalProperties } = schema;
    forbid(
      'additionalProperties',
      additionalProperties !== undefined && additionalProperties !== true && propertiesOf(schema).length > 0,
      'additionalProperties and properties are mutual exclusive',
    );
    return errors;
  }
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

function memberPlace(schema: JSONSchemaProps, name: string, place: Place): Place {
  const isMeta = (place.root || isEmbedded(schema)) && META_FIELDS.includes(name);
  return {
    root: false,
    insideMeta: place.insideMeta || isMeta,
    noDefaults: isMeta && place.root ? `in top-level ${name}` : place.noDefaults,
  };
}

/** Checks the extensions `preserve-unknown-fields` and `map-type`. */
function typeMarks(schema: JSONSchemaProps, path: string, prefix: string): FieldError[] {
  const errors: FieldError[] = [];
  const { type = '' } = schema;
  if (preserves(schema) === false)
    errors.push(fieldError.invalid(`${path}.${prefix}preserve-unknown-fields`, false, 'must be true or undefined'));
  const mapType = mapTypeOf(schema);
  if (mapType === undefined) return errors;
  const why = `must be object if ${prefix}map-type is specified`;
  if (type === '') errors.push(fieldError.required(`${path}.type`, why));
  else if (type !== 'object') errors.push(fieldError.invalid(`${path}.type`, type, why));
  if (mapType !== 'atomic' && mapType !== 'granular')
    errors.push(fieldError.notSupported(`${path}.${prefix}map-type`, mapType, ['atomic', 'granular']));
  return errors;
}

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLineBreaks = (text: string): boolean => /[\n\r]/.test(text);

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
function listProblems(schema: JSONSchemaProps, path: string, prefix: string): FieldError[] {
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
  // As in upstream, the error about an unsuitable map type contains the list type as the invalid value.
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
