import { equalJson } from '../../../json/equal.js';
import { compareText } from '../../../json/order.js';
import { addErrors, type FieldError, fieldError, formatFieldError, isFull } from '../../../meta/field-error.js';
import type { JSONSchemaProps } from '../json-schema-props.js';
import {
  isEmbedded,
  isIntOrString,
  isSchema,
  itemsOf,
  listTypeOf,
  mapKeysOf,
  mapTypeOf,
  preserves,
  propertiesOf,
  rulesOf,
  schemasIn,
  valuesOf,
} from './schema-parts.js';

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
  /** Returns why a pattern is invalid; undefined when it is valid. */
  patternProblem(pattern: string): string | undefined;
}

/**
 * Returns the first keyword that structural schemas do not support; undefined if there is none. A schema with such a keyword is refused
 * without further checks (spec 21.2).
 */
export function unsupportedKeyword(schema: JSONSchemaProps): string | undefined {
  for (const at of schemasIn(schema)) {
    const {
      id = '',
      $schema = '',
      $ref = '',
      additionalItems,
      items,
      patternProperties,
      definitions,
      dependencies,
    } = at;
    if (id !== '') return 'id';
    if ($schema !== '') return 'schema';
    if ($ref !== '') return '$ref';
    if (additionalItems !== undefined) return 'additionalItems';
    if (Array.isArray(items) && items.length > 0) return 'items';
    if (!isNone(patternProperties)) return 'patternProperties';
    if (!isNone(definitions)) return 'definitions';
    if (!isNone(dependencies)) return 'dependencies';
    if (preserves(at) === false) return 'preserve-unknown-fields';
  }
  return undefined;
}
const isNone = (map: object | undefined): boolean => map === undefined || Object.keys(map).length === 0;

/** Returns the reasons why a schema is not structural, sorted alphabetically (spec 21.2). */
export function validateStructuralSchema(schema: JSONSchemaProps, path: string, rules: StructuralRules): FieldError[] {
  const checks = new StructuralChecks(rules);
  checks.structure(schema, 'root', path);
  checks.complete(schema, schema, path, path);
  return checks.errors.sort((a, b) => compareText(formatFieldError(a), formatFieldError(b)));
}

class StructuralChecks {
  readonly errors: FieldError[] = [];
  readonly #rules: StructuralRules;

  constructor(rules: StructuralRules) {
    this.#rules = rules;
  }

  #add(...errors: readonly FieldError[]): void {
    addErrors(this.errors, errors);
  }

  structure(schema: JSONSchemaProps, level: Level, path: string): void {
    if (isFull(this.errors)) return;
    const { type = '' } = schema;
    const x = `${path}.${this.#rules.prefix}`;
    const items = itemsOf(schema);
    if (type === 'array' && items === undefined) this.#add(fieldError.required(`${path}.items`, 'must be specified'));
    if (items) this.structure(items, 'item', `${path}.items`);
    for (const [name, property] of propertiesOf(schema))
      this.structure(property, 'field', `${path}.properties[${name}]`);
    if (schema.additionalProperties !== undefined && level === 'root')
      this.#add(fieldError.forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
    const values = valuesOf(schema);
    if (values) this.structure(values, 'field', `${path}.additionalProperties`);
    if (isIntOrString(schema) && preserves(schema) === true)
      this.#add(
        fieldError.invalid(`${x}preserve-unknown-fields`, true, `must be false if ${this.#intOrString()} is true`),
      );
    if (isIntOrString(schema) && isEmbedded(schema))
      this.#add(fieldError.invalid(`${x}embedded-resource`, true, `must be false if ${this.#intOrString()} is true`));
    this.#values(schema, path, isIntOrStringPair(schema.anyOf), isIntOrStringPair(schema.allOf?.[0]?.anyOf));
    this.#type(schema, level, path);
    if (isEmbedded(schema) && schema.additionalProperties !== undefined)
      this.#add(
        fieldError.forbidden(
          `${path}.additionalProperties`,
          `must not be used if ${this.#rules.prefix}embedded-resource is set`,
        ),
      );
    if (level === 'root' || isEmbedded(schema)) this.#typeMeta(schema, level, path);
    if (isEmbedded(schema) && preserves(schema) !== true && propertiesOf(schema).length === 0)
      this.#add(
        fieldError.required(
          `${path}.properties`,
          `must not be empty if ${this.#rules.prefix}embedded-resource is true without ${this.#rules.prefix}preserve-unknown-fields`,
        ),
      );
  }

  #intOrString(): string {
    return `${this.#rules.prefix}int-or-string`;
  }

  #type(schema: JSONSchemaProps, level: Level, path: string): void {
    const { type = '' } = schema;
    const at = `${path}.type`;
    if (isEmbedded(schema) && type !== 'object') {
      const why = `must be object if ${this.#rules.prefix}embedded-resource is true`;
      this.#add(type === '' ? fieldError.required(at, why) : fieldError.invalid(at, type, why));
    } else if (type === '' && !isIntOrString(schema) && preserves(schema) !== true)
      this.#add(fieldError.required(at, EMPTY_TYPE[level]));
    if (level === 'root' && type !== '' && type !== 'object')
      this.#add(fieldError.invalid(at, type, 'must be object at the root'));
  }

  /** Checks apiVersion, kind and metadata. A schema may restrict them only in a few ways. */
  #typeMeta({ properties = {} }: JSONSchemaProps, level: Level, path: string): void {
    for (const name of ['kind', 'apiVersion']) {
      const property = properties[name];
      if (property !== undefined && property.type !== 'string')
        this.#add(fieldError.invalid(`${path}.properties[${name}].type`, property.type ?? '', 'must be string'));
    }
    const { metadata } = properties;
    if (metadata === undefined) return;
    if (metadata.type !== 'object')
      this.#add(fieldError.invalid(`${path}.properties[metadata].type`, metadata.type ?? '', 'must be object'));
    // Embedded objects may restrict their metadata in more ways.
    if (level !== 'root') return;
    const { type: _type, default: _default, properties: named = {}, ...others } = metadata;
    const names = Object.keys(named);
    if (Object.keys(others).length === 0 && names.every((name) => name === 'name' || name === 'generateName')) return;
    this.#add(
      fieldError.forbidden(
        `${path}.properties[metadata]`,
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    );
  }

  #values(schema: JSONSchemaProps, path: string, skipAnyOf: boolean, skipFirst: boolean): void {
    const { anyOf = [], allOf = [], oneOf = [], not, pattern = '' } = schema;
    if (!skipAnyOf) anyOf.forEach((each, i) => void this.#checkNested(each, `${path}.anyOf[${i}]`));
    allOf.forEach((each, i) => void this.#checkNested(each, `${path}.allOf[${i}]`, skipFirst && i === 0));
    oneOf.forEach((each, i) => void this.#checkNested(each, `${path}.oneOf[${i}]`));
    if (not) this.#checkNested(not, `${path}.not`);
    const problem = pattern === '' ? undefined : this.#rules.patternProblem(pattern);
    if (problem !== undefined)
      this.#add(
        fieldError.invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`),
      );
  }

  /**
   * Checks that a schema in `allOf`, `anyOf`, `oneOf` or `not` only restricts values: it may not contain types, defaults or descriptions.
   */
  #checkNested(schema: JSONSchemaProps, path: string, skipAnyOf = false): void {
    if (isFull(this.errors)) return;
    this.#values(schema, path, skipAnyOf, false);
    const items = itemsOf(schema);
    if (items) this.#checkNested(items, `${path}.items`);
    for (const [name, property] of propertiesOf(schema)) this.#checkNested(property, `${path}.properties[${name}]`);
    const forbid = (member: string, present: boolean, must: 'empty' | 'undefined' | 'false') => {
      if (present) this.#add(fieldError.forbidden(`${path}.${member}`, `must be ${must} to be structural`));
    };
    const x = this.#rules.prefix;
    forbid('type', (schema.type ?? '') !== '', 'empty');
    // As in upstream, the value `false` is allowed within `allOf` and the like, while a schema is refused.
    const { additionalProperties } = schema;
    forbid('additionalProperties', additionalProperties !== undefined && additionalProperties !== false, 'undefined');
    forbid('default', schema.default !== undefined, 'undefined');
    forbid('title', (schema.title ?? '') !== '', 'empty');
    forbid('description', (schema.description ?? '') !== '', 'empty');
    forbid('nullable', schema.nullable === true, 'false');
    forbid(`${x}preserve-unknown-fields`, preserves(schema) === true, 'false');
    forbid(`${x}embedded-resource`, isEmbedded(schema), 'false');
    forbid(`${x}int-or-string`, isIntOrString(schema), 'false');
    forbid(`${x}list-map-keys`, mapKeysOf(schema).length > 0, 'empty');
    forbid(`${x}list-type`, listTypeOf(schema) !== undefined, 'undefined');
    forbid(`${x}map-type`, mapTypeOf(schema) !== undefined, 'undefined');
    forbid(`${x}validations`, rulesOf(schema).length > 0, 'empty');
    if (schema.properties?.['metadata'] !== undefined)
      this.#add(fieldError.forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }

  /** Checks that every field that `allOf`, `anyOf`, `oneOf` or `not` restricts is also declared outside of them. */
  complete(restriction: JSONSchemaProps, schema: JSONSchemaProps | undefined, path: string, from: string): void {
    if (isFull(this.errors)) return;
    if (schema === undefined) {
      this.#add(fieldError.required(path, `because it is defined in ${from}`));
      return;
    }
    for (const name of ['allOf', 'anyOf', 'oneOf'] as const)
      restriction[name]?.forEach((each, i) => void this.#completeNested(each, schema, path, `${from}.${name}[${i}]`));
    if (restriction.not) this.#completeNested(restriction.not, schema, path, `${from}.not`);
  }

  #completeNested(nested: JSONSchemaProps, schema: JSONSchemaProps, path: string, from: string): void {
    this.complete(nested, schema, path, from);
    const below = (inner: JSONSchemaProps, own: JSONSchemaProps | undefined, step: string) => {
      if (own === undefined) this.complete(inner, undefined, `${path}.${step}`, `${from}.${step}`);
      else this.#completeNested(inner, own, `${path}.${step}`, `${from}.${step}`);
    };
    const items = itemsOf(nested);
    if (items) below(items, itemsOf(schema), 'items');
    for (const [name, property] of propertiesOf(nested))
      below(property, schema.properties?.[name], `properties[${name}]`);
  }
}

const PAIR = [{ type: 'integer' }, { type: 'string' }];
/** Whether an `anyOf` consists of the types integer and string. Only this `anyOf` may contain types. */
const isIntOrStringPair = (anyOf: unknown): boolean =>
  Array.isArray(anyOf) && anyOf.every(isSchema) && equalJson(anyOf, PAIR);
