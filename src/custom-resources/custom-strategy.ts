import { reading } from '../meta/clock.js';
import { addErrors, type FieldError, fieldError } from '../meta/field-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import { histogram, USUAL_SECONDS } from '../metrics/families.js';
import type { Strategy, StrategyContext } from '../registry/strategy.js';
import type { CustomResourceSubresourceScale as CrdScale } from '../resources/apiextensions/apiextensions-v1.types.js';
import type { JSONSchemaProps } from '../resources/apiextensions/json-schema-props.js';
import type { RuleTree } from '../resources/apiextensions/rules/rule-tree.js';
import { isTypedMetadata } from '../schema/object-meta-schema.js';
import { openApiToSchema } from '../schema/openapi-to-schema.js';
import { pruneDefaults } from '../schema/prune-defaults.js';
import type { ObjectSchema, Schema } from '../schema/schema.js';
import { pathWithin, prepareSchema, validateValues, validateWhole } from '../schema/structural.js';
import { validateEmbedded, validateListTypes } from '../schema/structural-invariants.js';
import { fieldAt, stepsOf, typedFieldAt } from './field-at.js';

const MAX_REPLICAS = 2 ** 31 - 1;
/**
 * The types of errors that keep the CEL rules from being evaluated. An object with such an error may make rules fail for reasons that are
 * hard to understand.
 */
const BLOCKING: ReadonlySet<FieldError['type']> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);

/** The rules that validate the custom resources of one kind. */
export interface CustomRules extends KindSchema {
  readonly scale: CrdScale | undefined;
}

type Validation = Pick<Strategy<ApiObject>, 'validate' | 'validateUpdate'>;

/** Returns the validation of whole custom resources, and the validation of their status alone (spec 21.4). */
export function customValidation(rules: CustomRules): { readonly whole: Validation; readonly status: Validation } {
  const evaluate = ruleEvaluation(rules.schema);
  let isPrepared = false;
  const validate: Validate = (problemsOf, object, old, context, metadataErrors) => {
    // The patterns are compiled at the first validation, because a server may have many kinds whose objects are never written.
    if (!isPrepared)
      return prepareSchema(rules.schema).then(() => {
        isPrepared = true;
        return validate(problemsOf, object, old, context, metadataErrors);
      });
    const errors = problemsOf(rules, object, old, ratchets(context) ? old : undefined);
    return evaluate(object, old, errors, context, metadataErrors);
  };
  return {
    whole: {
      validate: (object, context, metadataErrors) =>
        validate(wholeProblems, object, undefined, context, metadataErrors),
      validateUpdate: (...write) => validate(wholeProblems, ...write),
    },
    status: { validateUpdate: (...write) => validate(statusProblems, ...write) },
  };
}

type Validate = (
  problemsOf: typeof wholeProblems,
  object: ApiObject,
  old: ApiObject | undefined,
  context: StrategyContext,
  metadataErrors?: readonly FieldError[],
) => FieldError[] | Promise<FieldError[]>;

/** Returns whether values that an update leaves unchanged may stay invalid (ratcheting validation). */
const ratchets = ({ host }: StrategyContext): boolean => host.gates.CRDValidationRatcheting;

/**
 * Returns the validation errors of a whole object, except those of the CEL rules in its schema.
 * @param known the object before an update, whose invalid values are tolerated; undefined if they are not
 */
function wholeProblems(
  { schema, metadata, scale }: CustomRules,
  object: ApiObject,
  old: ApiObject | undefined,
  known: ApiObject | undefined,
): FieldError[] {
  const errors = validateWhole(schema, object, known);
  if (metadata) addErrors(errors, validateValues(metadata, object.metadata, 'metadata', known?.metadata));
  if (scale) {
    addErrors(errors, scaleProblems(scale, object, 'spec'));
    addErrors(errors, scaleProblems(scale, object, 'status'));
  }
  addErrors(errors, validateEmbedded(schema, object, ''));
  addErrors(errors, validateListTypes(schema, object, '', old));
  return errors;
}

/**
 * Returns the validation errors of an object's status, as {@link wholeProblems}. The errors name fields relative to the status, so the
 * prefix `status` is added to their paths.
 */
function statusProblems(
  { schema, scale }: CustomRules,
  object: ApiObject,
  old: ApiObject | undefined,
  known: ApiObject | undefined,
): FieldError[] {
  const own = schema.properties.get('status')?.schema;
  const value = fieldAt(object, ['status']);
  const found = own && value !== undefined ? validateValues(own, value, '', known && fieldAt(known, ['status'])) : [];
  const errors = found.map((error) => ({ ...error, path: pathWithin('status', error) }));
  if (scale) addErrors(errors, scaleProblems(scale, object, 'status'));
  addErrors(errors, validateListTypes(schema, object, '', old));
  return errors;
}

/** Validates the values of a scale: the number of replicas in `part`, and for the status also the label selector. */
function scaleProblems(scale: CrdScale, object: ApiObject, part: 'spec' | 'status'): FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  const errors: FieldError[] = [];
  const path = part === 'spec' ? specReplicasPath : statusReplicasPath;
  const { value = 0, problem } = { value: 0, ...typedFieldAt(object, stepsOf(path), 'int64') };
  if (problem !== undefined) errors.push(fieldError.invalid(path, 0, problem));
  else if (value < 0) errors.push(fieldError.invalid(path, value, 'should be a non-negative integer'));
  else if (value > MAX_REPLICAS)
    errors.push(fieldError.invalid(path, value, `should be less than or equal to ${MAX_REPLICAS}`));
  if (part === 'status' && labelSelectorPath !== '') {
    const picks = typedFieldAt(object, stepsOf(labelSelectorPath), 'string');
    if (picks.problem !== undefined) errors.push(fieldError.invalid(labelSelectorPath, '', picks.problem));
  }
  return errors;
}

type Evaluate = (
  object: ApiObject,
  old: ApiObject | undefined,
  errors: FieldError[],
  context: StrategyContext,
  metadataErrors?: readonly FieldError[],
) => FieldError[] | Promise<FieldError[]>;

// Upstream registers these metrics without a help text, so their help text is empty here, too.
const compilationDuration = histogram('apiserver_cel_compilation_duration_seconds', '', [], USUAL_SECONDS);
const evaluationDuration = histogram('apiserver_cel_evaluation_duration_seconds', '', [], USUAL_SECONDS);

/**
 * Returns a function that evaluates CEL rules after all other validation. The CEL engine is loaded and the rules are compiled when the
 * first object is evaluated.
 */
function ruleEvaluation(schema: ObjectSchema): Evaluate {
  let isNeeded: boolean | undefined;
  let tree: RuleTree | undefined;
  const run: (tree: RuleTree, ...args: Parameters<Evaluate>) => FieldError[] = (
    rules,
    object,
    old,
    errors,
    context,
  ) => {
    const { metrics, clock } = context.host;
    const since = reading(clock);
    const found = rules.evaluate(object, old, ratchets(context));
    metrics.observe(evaluationDuration, [], (reading(clock) - since) / 1000);
    for (const warning of found.warnings) context.warn(warning);
    addErrors(errors, found.errors);
    return errors;
  };
  return (object, old, errors, context, metadataErrors = []) => {
    if (!(isNeeded ??= hasRules(schema))) return errors;
    // Errors of the metadata keep the rules from being evaluated as well, although the registry reports them.
    if ([...metadataErrors, ...errors].some(({ type }) => BLOCKING.has(type))) {
      errors.push(fieldError.invalid('<nil>', undefined, NOT_CHECKED));
      return errors;
    }
    if (tree) return run(tree, object, old, errors, context);
    return import('../resources/apiextensions/rules/rule-tree.js').then(({ compileRules }) => {
      const { metrics, clock, dialect } = context.host;
      const since = reading(clock);
      tree ??= compileRules(schema, dialect);
      metrics.observe(compilationDuration, [], (reading(clock) - since) / 1000);
      return run(tree, object, old, errors, context);
    });
  };
}
const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** The schema of one version of a custom resource, with the parts of it that validation needs separately. */
export interface KindSchema {
  readonly schema: ObjectSchema;
  /** The restrictions of the definition on metadata, for example on the name; undefined if there are none. */
  readonly metadata: Schema | undefined;
}

/** Reads the schema of a version. @throws TypeError for a schema whose type is not object */
export function readKindSchema(props: JSONSchemaProps): KindSchema {
  const schema = pruneDefaults(objectSchema(props));
  if (schema.type !== 'object') throw new TypeError('the schema must be an object');
  const metadata = schema.properties.get('metadata')?.schema;
  const restricts = metadata?.type === 'object' && metadata.properties.size > 0 && !isTypedMetadata(metadata);
  return { schema, metadata: restricts ? metadata : undefined };
}

/**
 * Only objects are stored, so the schema of a kind describes an object even if it has no type, and keeps all fields. No object is valid by
 * the schema of an integer or a string.
 */
function objectSchema(props: JSONSchemaProps): Schema {
  const schema = openApiToSchema(props);
  if (schema.type === 'any') return openApiToSchema({ ...props, type: 'object' });
  if (schema.type !== 'intOrString') return schema;
  const named = Object.entries(props).filter(([name]) => !name.endsWith('-int-or-string'));
  return {
    ...openApiToSchema({ ...Object.fromEntries(named), type: 'object' }),
    declaredType: schema.type,
  } as ObjectSchema;
}

/** Returns whether rules are evaluated. Expressions do not see values without a type, so rules in such parts are not. */
function hasRules(schema: Schema): boolean {
  const declared = schema.type === 'object' ? schema.declaredType : undefined;
  if (schema.type === 'any' || declared === 'any') return false;
  if (schema.rules !== undefined) return true;
  if (declared !== undefined) return false;
  if (schema.type === 'list') return hasRules(schema.items);
  if (schema.type === 'map') return hasRules(schema.values);
  if (schema.type === 'object')
    for (const property of schema.properties.values()) if (hasRules(property.schema)) return true;
  return false;
}
