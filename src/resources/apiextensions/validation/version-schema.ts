import { languageOf, schemaRules } from '../../../cel/rules.js';
import type { Dialect } from '../../../meta/dialect.js';
import { type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import { openApiToSchema } from '../../../schema/openapi-to-schema.js';
import type { Schema } from '../../../schema/schema.js';
import { prepareSchema } from '../../../schema/structural.js';
import { deepFreeze } from '../../../store/freeze.js';
import { messageOf } from '../../../values/message-of.js';
import type { JSONSchemaProps } from '../json-schema-props.js';
import { checkDefaults } from './default-rules.js';
import { checkExpressions } from './expression-rules.js';
import { checkOpenApiSchema } from './open-api-rules.js';
import { printSchema } from './printed-schema.js';
import { unsupportedKeyword, validateStructuralSchema } from './structural-rules.js';

export interface SchemaOptions {
  readonly dialect: Dialect;
  /** Whether the status is a subresource. */
  readonly hasStatusSubresource: boolean;
  /**
   * Returns the problem with a pattern. All versions of a definition share one function, because the size of their programs is limited
   * together.
   */
  patternProblem(pattern: string): string | undefined;
  /** Whether single rules may exceed the cost limit, because the schema has not changed. */
  readonly keepsCosts: boolean;
}

/** Keywords allowed at the root when the status is a subresource. Others would not apply when the status is validated alone. */
const ALLOWED_AT_ROOT = [
  'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems',
  'uniqueItems multipleOf required items properties externalDocs example preserve-unknown-fields validations',
].flatMap((names) => names.split(' '));

/** Returns the problems of the schema of one version, or of all (spec 21.1). @param path the path of the object that contains the schema */
export async function validateVersionSchema(
  schema: JSONSchemaProps | undefined,
  path: string,
  options: SchemaOptions,
): Promise<FieldError[]> {
  if (schema === undefined) return [];
  const at = `${path}.openAPIV3Schema`;
  const { dialect } = options;
  const prefix = dialect.schemaExtensionPrefix;
  const errors: FieldError[] = options.hasStatusSubresource ? rootMembers(schema, at, prefix) : [];
  if (schema.nullable === true)
    errors.push(fieldError.forbidden(`${at}.nullable`, 'nullable cannot be true at the root'));
  const unsupported = unsupportedKeyword(schema);
  let structural: Schema | undefined;
  if (unsupported === undefined) {
    const found = await checkStructure(schema, at, options);
    structural = found.structural;
    errors.push(...found.errors);
  }
  // The rules are compiled once, because checking defaults evaluates them, too.
  const rules = structural ? schemaRules(structural, languageOf(dialect)) : [];
  if (structural) errors.push(...checkDefaults(structural, rules, at));
  const keywords = checkOpenApiSchema(schema, at, prefix);
  errors.push(...keywords.errors);
  if (structural)
    errors.push(
      ...checkExpressions(schema, rules, at, {
        prefix,
        wrongPlaces: keywords.places,
        keepsCosts: options.keepsCosts,
      }),
    );
  if (errors.length === 0 && unsupported !== undefined)
    errors.push(fieldError.invalid(at, '', `OpenAPIV3 schema '${unsupported}' is not supported`));
  return errors;
}

interface Structure {
  readonly errors: readonly FieldError[];
  readonly structural?: Schema;
}

async function checkStructure(
  schema: JSONSchemaProps,
  at: string,
  { dialect, patternProblem }: SchemaOptions,
): Promise<Structure> {
  const errors = validateStructuralSchema(schema, at, { prefix: dialect.schemaExtensionPrefix, patternProblem });
  if (errors.length > 0) return { errors };
  try {
    // The schema is frozen, so that its converted form can be kept and used for the kind, too.
    const structural = openApiToSchema(deepFreeze(schema));
    await prepareSchema(structural);
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
