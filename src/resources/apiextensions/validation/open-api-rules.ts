import { addErrors, type FieldError, fieldError, isFull } from '../../../meta/field-error.js';
import type { JSONSchemaProps } from '../json-schema-props.js';
import { listProblems } from './list-rules.js';
import { ruleProblems } from './rule-members.js';
import {
  isEmbedded,
  isSchema,
  itemsOf,
  mapTypeOf,
  preserves,
  propertiesOf,
  rulesOf,
  valuesOf,
} from './schema-parts.js';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META_FIELDS = ['metadata', 'kind', 'apiVersion'];

/** The properties of a schema's place that rules depend on. */
interface Place {
  readonly root: boolean;
  /** Whether the schema is inside metadata, kind or apiVersion of a whole object. */
  readonly insideMeta: boolean;
  /** Why defaults are not allowed here; undefined when they are allowed. */
  readonly noDefaults: string | undefined;
}

/** The problems of a definition's schemas, and their places. */
export interface SchemaProblems {
  readonly errors: readonly FieldError[];
  /** Paths of schemas with errors. Rules at these places and above them cannot be compiled. */
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
    // The reference reports the problems of extensions after those of the schemas below.
    this.#report(path, [...typeMarks(schema, path, this.#prefix), ...listProblems(schema, path, this.#prefix)]);
    this.#report(
      path,
      rulesOf(schema).flatMap((rule, i) => ruleProblems(rule, schema, `${path}.${this.#prefix}validations[${i}]`)),
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

/** Keywords that these checks ignore. */
const PLAIN: ReadonlySet<string> = new Set(
  [
    'description title format $schema example externalDocs nullable enum required properties items pattern multipleOf',
    'maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems maxProperties minProperties',
  ].flatMap((names) => names.split(' ')),
);

/** Whether a schema has only such keywords, as most schemas do. */
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

/** Checks the extensions for unknown fields and for the merging of objects. */
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
