import { equalJson } from '../../../json/equal.js';
import { printGoValue } from '../../../json/print-go.js';
import type { JsonObject, JsonValue } from '../../../json/value.js';
import { aggregateErrors } from '../../../meta/aggregate-error.js';
import {
  addErrors,
  type FieldError,
  fieldError,
  formatFieldError,
  isFull,
  printed,
} from '../../../meta/field-error.js';
import { embeddedTypeProblem } from '../../../schema/decode-structural.js';
import { followPath } from '../../../schema/field-path.js';
import { openApiToSchema } from '../../../schema/openapi-to-schema.js';
import { IMPLICIT_FIELDS, prune } from '../../../schema/prune.js';
import type { ObjectSchema, Schema } from '../../../schema/schema.js';
import { pathWithin, prepareSchema, validateValues } from '../../../schema/structural.js';
import { validateEmbedded } from '../../../schema/structural-invariants.js';
import { deepFreeze } from '../../../store/freeze.js';
import { messageOf } from '../../../values/message-of.js';
import type {
  CustomResourceColumnDefinition as CrdColumn,
  CustomResourceSubresourceScale as CrdScale,
  SelectableField,
} from '../apiextensions-v1.types.js';
import type { JSONSchemaProps } from '../json-schema-props.js';
import type { Place } from '../rules/rule-tree.js';
import type { CompilationOptions, SchemaRules } from './expression-rules.js';
import { checkOpenApiSchema } from './open-api-rules.js';
import { printSchema } from './print-schema.js';
import { belowProps, overviewOf } from './schema-parts.js';
import { type StructuralRules, validateStructuralSchema } from './structural-rules.js';

export interface SchemaOptions extends CompilationOptions {
  /** Whether the version has the subresource `status`. */
  readonly hasStatusSubresource: boolean;
  /**
   * Loads the engine of patterns, and returns a function that returns why a pattern is invalid. All versions of a definition share this
   * function, because the total size of their compiled patterns is limited.
   */
  loadPatternProblems(): Promise<(pattern: string) => string | undefined>;
  /** Returns whether a rule may exceed the cost limit of a single rule, because the schema has not changed. */
  keepsCosts(): boolean;
}

/**
 * Keywords that the root may have if the status is a subresource. Any other keyword at the root would not apply when the status is
 * validated alone.
 */
const ALLOWED_AT_ROOT = [
  'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems',
  'uniqueItems multipleOf required items properties externalDocs example preserve-unknown-fields validations',
].flatMap((names) => names.split(' '));

/**
 * Returns the validation errors of the schema of one version, or of the schema that all versions share (spec 21.1).
 * @param path the path of the object that contains the schema
 */
export async function validateVersionSchema(
  schema: JSONSchemaProps,
  path: string,
  options: SchemaOptions,
): Promise<FieldError[]> {
  const at = `${path}.openAPIV3Schema`;
  const prefix = options.dialect.schemaExtensionPrefix;
  const errors: FieldError[] = options.hasStatusSubresource ? rootMembers(schema, at, prefix) : [];
  if (schema.nullable === true)
    errors.push(fieldError.forbidden(`${at}.nullable`, 'nullable cannot be true at the root'));
  const { unsupported, hasPatterns, hasRules, hasDefaults } = overviewOf(schema);
  let structural: Schema | undefined;
  if (unsupported === undefined) {
    const patternProblem = hasPatterns ? await options.loadPatternProblems() : undefined;
    const found = await readStructure(schema, at, { prefix, patternProblem });
    structural = found.structural;
    errors.push(...found.errors);
  }
  // The code of expressions is loaded with the first rule. The check of the defaults evaluates the rules, too.
  const expressions = structural && hasRules ? await import('./expression-rules.js') : undefined;
  const rules = structural && expressions?.compileRules(structural, options);
  const defaultErrors = structural && hasDefaults ? checkDefaults(structural, rules, at) : [];
  errors.push(...defaultErrors);
  const keywords = checkOpenApiSchema(schema, at, prefix);
  errors.push(...keywords.errors);
  // As in upstream, the rules of a schema with an invalid default are not checked.
  if (expressions && rules && defaultErrors.length === 0)
    errors.push(
      ...expressions.checkExpressions(schema, rules.placed, at, {
        prefix,
        wrongPlaces: keywords.places,
        keepsCosts: options.keepsCosts(),
      }),
    );
  if (errors.length === 0 && unsupported !== undefined)
    errors.push(fieldError.invalid(at, '', `OpenAPIV3Schema '${unsupported}' is not supported`));
  return errors;
}

interface Structure {
  readonly errors: readonly FieldError[];
  readonly structural?: Schema;
}

async function readStructure(schema: JSONSchemaProps, at: string, rules: StructuralRules): Promise<Structure> {
  const errors = validateStructuralSchema(schema, at, rules);
  if (errors.length > 0) return { errors };
  try {
    // The schema is frozen, so that its converted form can be cached and used to serve the custom resource, too.
    const structural = openApiToSchema(deepFreeze(schema));
    if (rules.patternProblem) await prepareSchema(structural);
    return { errors, structural };
  } catch (error) {
    // The schema is nested too deeply, or exceeds a limit of compilation.
    return { errors: [fieldError.invalid(at, '', messageOf(error))] };
  }
}

function rootMembers(schema: JSONSchemaProps, at: string, prefix: string): FieldError[] {
  const { type = '' } = schema;
  if (type !== '' && type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [fieldError.invalid(`${at}.type`, type, why)];
  }
  const member = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  if (Object.keys(schema).every((name) => ALLOWED_AT_ROOT.includes(member(name)))) return [];
  const names = ALLOWED_AT_ROOT.map((name) =>
    (/-|validations/.test(name) ? `x-${name}` : name)
      .split('-')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(''),
  );
  const why = `only [${names.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [fieldError.invalid(at, printed(printSchema(schema, prefix)), why)];
}

/** The object that contains a default: the custom resource itself, or an object embedded in it. */
interface DefaultContext {
  readonly schema: Schema;
  /** Returns the object with a value in the place of the default. */
  put(value: JsonValue): JsonValue;
  /** Whether the default is inside apiVersion, kind or metadata. */
  readonly inMeta: boolean;
}

/**
 * Returns the validation errors of a schema's defaults. They must satisfy the schema and its rules, and have no unknown fields (spec 21.2).
 * @param rules the compiled rules of the schema; undefined if it has none
 */
function checkDefaults(schema: Schema, rules: SchemaRules | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const visit = (at: Schema, place: Place | undefined, here: string, outer: DefaultContext): void => {
    if (isFull(errors) || rules?.isSpent()) return;
    const isWhole = at === schema || isEmbedded(at);
    const around = isWhole ? wholeObject(at as ObjectSchema) : outer; // Only object schemas are embedded, so the cast is safe.
    if (at.default !== undefined) {
      // A default of the whole object must have an apiVersion and a kind, too.
      const found = checkDefault(isWhole ? around.schema : at, `${here}.default`, around);
      // The rules are not evaluated for a default that does not satisfy the schema.
      const wrong = found.some(({ detail }) => detail !== UNKNOWN_FIELDS);
      addErrors(errors, found);
      if (rules && place && !wrong) addErrors(errors, rules.defaultProblems(place, `${here}.default`));
    }
    // Values of maps are not visited, because their defaults are not checked.
    if (at.type === 'list')
      visit(at.items, place?.below.get('items'), `${here}.items`, {
        ...around,
        put: (value) => around.put([value]),
      });
    if (at.type === 'object')
      for (const [name, { schema: inner }] of at.properties) {
        const step = `properties[${name}]`;
        visit(inner, place?.below.get(step), `${here}.${step}`, {
          schema: around.schema,
          put: (value) => around.put({ [name]: value }),
          inMeta: around.inMeta || (isWhole && IMPLICIT_FIELDS.includes(name)),
        });
      }
  };
  visit(schema, rules?.root, path, wholeObject(schema as ObjectSchema));
  return errors;
}

const UNKNOWN_FIELDS = 'must not have unknown fields';

const isEmbedded = (schema: Schema): boolean => schema.type === 'object' && schema.embeddedResource === true;

const wholeObject = (schema: ObjectSchema): DefaultContext => ({
  schema: { ...schema, embeddedResource: true },
  put: (value) => ({ apiVersion: 'validation/v1', kind: 'Validation', ...(value as JsonObject) }),
  inMeta: false,
});

function checkDefault(schema: Schema, path: string, { schema: outer, put, inMeta }: DefaultContext): FieldError[] {
  const value = schema.default ?? null;
  const errors: FieldError[] = [];
  if (inMeta) {
    const problem = objectProblem(outer, put(value));
    if (problem !== undefined)
      return [fieldError.invalid(path, printed(printGoValue(value)), `must result in valid metadata: ${problem}`)];
  } else {
    if (!equalJson(prune(schema, value, { keepsNull: true }), value))
      errors.push(fieldError.invalid(path, printed(printGoValue(value)), UNKNOWN_FIELDS));
    const wrongType = embeddedTypeProblem(schema, value, path);
    if (wrongType) return [...errors, wrongType];
    const embedded = validateEmbedded(schema, value, path);
    if (embedded.length > 0) return [...errors, ...embedded];
  }
  // `validateValues` returns paths relative to the default, so `path` is put before them.
  // As in upstream, which converts the schema for this check, defaults of any type are accepted where an integer or a string is expected.
  for (const error of validateValues(schema, value, ''))
    if (error.type !== 'TypeInvalid' || !error.detail.includes(' must be of type integer,string: '))
      errors.push({ ...error, path: pathWithin(path, error) });
  return errors;
}

/** Returns why the apiVersion, kind or metadata of an object or of an object embedded in it is invalid; undefined when all are valid. */
function objectProblem(schema: Schema, object: JsonValue): string | undefined {
  const wrongType = embeddedTypeProblem(schema, object, '');
  if (wrongType) return formatFieldError(wrongType);
  return aggregateErrors(validateEmbedded(schema, object, '').map((error) => new Error(formatFieldError(error))))
    ?.message;
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const SELECTABLE_TYPES = ['string', 'boolean', 'integer'];
const MAX_SELECTABLE = 8;

/** Returns the validation errors of printer columns. */
export function checkColumns(columns: readonly CrdColumn[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { name, type, format = '', jsonPath }] of columns.entries()) {
    const at = `${path}[${i}]`;
    if (name === '') errors.push(fieldError.required(`${at}.name`));
    const types = `must be one of ${COLUMN_TYPES.join(',')}`;
    if (type === '') errors.push(fieldError.required(`${at}.type`, types));
    else if (!COLUMN_TYPES.includes(type)) errors.push(fieldError.invalid(`${at}.type`, type, types));
    if (format !== '' && !COLUMN_FORMATS.includes(format))
      errors.push(fieldError.invalid(`${at}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
    if (jsonPath === '') errors.push(fieldError.required(`${at}.JSONPath`));
    else errors.push(...simplePath(jsonPath, `${at}.JSONPath`));
  }
  return errors;
}

function simplePath(text: string, path: string): FieldError[] {
  return text.startsWith('.') ? [] : [fieldError.invalid(path, text, 'must be a simple json path starting with .')];
}

/** Returns the validation errors of the field paths in the subresource `scale`. */
export function checkScale(scale: CrdScale, path: string): FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  return [
    ...pathUnder(specReplicasPath, ['.spec'], `${path}.specReplicasPath`),
    ...pathUnder(statusReplicasPath, ['.status'], `${path}.statusReplicasPath`),
    ...(labelSelectorPath === ''
      ? []
      : pathUnder(labelSelectorPath, ['.spec', '.status'], `${path}.labelSelectorPath`)),
  ];
}

function pathUnder(text: string, roots: readonly string[], path: string): FieldError[] {
  if (text === '') return [fieldError.required(path)];
  const errors = simplePath(text, path);
  if (errors.length > 0 || roots.some((root) => text.startsWith(`${root}.`))) return errors;
  const under = roots.length > 1 ? `either ${roots.join(' or ')}` : roots[0];
  return [fieldError.invalid(path, text, `should be a json path under ${under}`)];
}

/** Returns the validation errors of selectable fields. @param withoutSchema the message for a version without a schema */
export function checkSelectableFields(
  fields: readonly SelectableField[],
  schema: JSONSchemaProps | undefined,
  path: string,
  withoutSchema: string,
): FieldError[] {
  if (schema === undefined) return [fieldError.invalid(path, '', withoutSchema)];
  const errors: FieldError[] = [];
  const unique = new Set<string>();
  for (const [i, { jsonPath }] of fields.entries()) {
    const at = `${path}[${i}].jsonPath`;
    if (jsonPath === '') {
      errors.push(fieldError.required(at));
      continue;
    }
    const found = followPath(jsonPath, schema, belowProps, { keys: false });
    if (typeof found === 'string') {
      errors.push(fieldError.invalid(at, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (/^metadata(?:[.[]|$)/.test(found.path))
      errors.push(fieldError.invalid(at, jsonPath, 'must not point to fields in metadata'));
    if (!SELECTABLE_TYPES.includes(found.schema.type ?? ''))
      errors.push(
        fieldError.invalid(
          at,
          jsonPath,
          'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        ),
      );
    if (unique.has(found.path)) errors.push(fieldError.duplicate(at, jsonPath));
    unique.add(found.path);
  }
  if (unique.size > MAX_SELECTABLE) errors.push(fieldError.tooMany(path, unique.size, MAX_SELECTABLE));
  return errors;
}
