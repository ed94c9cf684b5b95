import { UNBOUNDED } from '../../../cel/index.js';
import {
  excess,
  languageOf,
  type PlacedRule,
  REQUEST_LIMIT,
  SCHEMA_ESTIMATE_LIMIT,
  type StoredExpressions,
  schemaRules,
} from '../../../cel/rules.js';
import { type Work, withinWork } from '../../../cel/values/work.js';
import type { Dialect } from '../../../meta/dialect.js';
import { addErrors, type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import type { Schema } from '../../../schema/schema.js';
import type { JSONSchemaProps } from '../json-schema-props.js';
import { defaultProblems, type Place, placeRules } from '../rules/rule-tree.js';
import { printRule } from './print-schema.js';
import { partsOf, type SchemaParts } from './schema-parts.js';

const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
/** If the total cost is above its limit, each rule with at least this cost is reported as contributing to it. */
const MIN_CONTRIBUTION = SCHEMA_ESTIMATE_LIMIT / 100;
const MOST_CONTRIBUTIONS = 4;

/** The options of {@link compileRules}. */
export interface CompilationOptions {
  readonly dialect: Dialect;
  /** Returns the expressions of all versions of the stored definition. */
  stored(): StoredExpressions;
  /** The work that is left to compile the rules of all versions of the definition. */
  readonly work: Work;
}

/** The compiled rules of a schema. */
export interface SchemaRules {
  readonly placed: readonly PlacedRule[];
  /** The root of the tree of schema positions with rules; undefined if no rule could be compiled. */
  readonly root: Place | undefined;
  /** Returns the errors of the rules about the default at a position. */
  defaultProblems(place: Place, path: string): readonly FieldError[];
  /** Whether the evaluations of the defaults have used up the cost limit for one schema. */
  isSpent(): boolean;
}

/** Compiles the rules of a schema. */
export function compileRules(schema: Schema, { dialect, stored, work }: CompilationOptions): SchemaRules {
  const placed = withinWork(work, () => schemaRules(schema, { ...languageOf(dialect), stored: stored() }));
  const budget = { remaining: REQUEST_LIMIT };
  return {
    placed,
    root: placed.length > 0 ? placeRules(schema, placed) : undefined,
    defaultProblems: (place, path) => defaultProblems(place, path, budget),
    isSpent: () => budget.remaining < 0,
  };
}

interface ExpressionRules {
  /** The prefix of schema extensions in the API dialect, such as `x-kubernetes-`. Paths in error messages contain it. */
  readonly prefix: string;
  /** Paths of schemas with errors other than those of rules. Rules at these paths and above them are not compiled. */
  readonly wrongPlaces: readonly string[];
  /** Whether a rule may exceed the cost limit of a single rule, because the stored definition contains the same schema. */
  readonly keepsCosts: boolean;
}

/** Returns the validation errors of a schema's rules: compilation errors and costs above the limits (spec 21.1). */
export function checkExpressions(
  schema: JSONSchemaProps,
  rules: readonly PlacedRule[],
  path: string,
  options: ExpressionRules,
): FieldError[] {
  const errors = typelessPlaces(schema, path, options).map((place) =>
    fieldError.internal(`${place}.${options.prefix}validations`, noType(options.prefix)),
  );
  const spent: { readonly path: string; readonly cost: number }[] = [];
  for (const rule of rules) {
    const place = [path, ...rule.path].join('.');
    if (options.wrongPlaces.some((wrong) => isAtOrBelow(wrong, place))) continue;
    const at = `${place}.${options.prefix}validations[${rule.index}]`;
    addErrors(errors, ruleErrors(rule, at, options));
    spent.push({ path: `${at}.rule`, cost: rule.cost });
    if (rule.messageCost > 0) spent.push({ path: `${at}.messageExpression`, cost: rule.messageCost });
    addErrors(errors, oldSelfErrors(rule, schema, path, at));
  }
  const total = Math.min(
    spent.reduce((sum, { cost }) => sum + cost, 0),
    UNBOUNDED,
  );
  const excessCost = excess(total, SCHEMA_ESTIMATE_LIMIT);
  if (excessCost === undefined) return errors;
  const greatest = spent.filter(({ cost }) => cost >= MIN_CONTRIBUTION).sort((a, b) => b.cost - a.cost);
  for (const { path: contributor } of greatest.slice(0, MOST_CONTRIBUTIONS))
    errors.push(
      fieldError.forbidden(
        contributor,
        'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      ),
    );
  const whole = `${options.prefix}validations estimated rule cost total for entire OpenAPIv3 schema`;
  errors.push(fieldError.forbidden(path, costMessage(whole, excessCost)));
  return errors;
}

const noType = (prefix: string) =>
  `internal error: failed to construct type information for ${prefix}validations rules: unable to convert structural schema to CEL declarations`;

/** Returns the paths of schemas that have rules but no type. Their rules cannot be compiled. */
function typelessPlaces(root: JSONSchemaProps, path: string, { wrongPlaces }: ExpressionRules): readonly string[] {
  const found: string[] = [];
  const visit = (schema: JSONSchemaProps, at: string): void => {
    const { properties, items, values, rules } = partsOf(schema);
    for (const [name, property] of properties) visit(property, `${at}.properties[${name}]`);
    if (items) visit(items, `${at}.items`);
    if (values) visit(values, `${at}.additionalProperties`);
    if (rules.length > 0 && isTypeless(schema) && !wrongPlaces.some((wrong) => isAtOrBelow(wrong, at))) found.push(at);
  };
  visit(root, path);
  return found;
}

function isTypeless(schema: JSONSchemaProps): boolean {
  const { type, items, values, isIntOrString } = partsOf(schema);
  const inner = type === 'array' ? items : type === 'object' ? values : undefined;
  return inner ? isTypeless(inner) : type === '' && !isIntOrString;
}

const isAtOrBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}.`);

const costMessage = (what: string, factor: string) => `${what} exceeds budget by factor of ${factor} ${ADVICE}`;

function ruleErrors(
  { rule, error, cost, messageCost }: PlacedRule,
  at: string,
  options: ExpressionRules,
): FieldError[] {
  const errors: FieldError[] = [];
  const excessCost = options.keepsCosts ? undefined : excess(cost);
  if (excessCost !== undefined)
    errors.push(fieldError.forbidden(`${at}.rule`, costMessage('estimated rule cost', excessCost)));
  if (error !== undefined) {
    const member = error.startsWith('messageExpression ') ? 'messageExpression' : 'rule';
    errors.push(fieldError.invalid(`${at}.${member}`, printed(printRule(rule)), error));
  }
  const message = options.keepsCosts ? undefined : excess(messageCost);
  if (message !== undefined)
    errors.push(
      fieldError.forbidden(`${at}.messageExpression`, costMessage('estimated messageExpression cost', message)),
    );
  return errors;
}

/** Returns the validation errors of the use of `oldSelf` in a rule. */
function oldSelfErrors(
  { path, rule, compiled }: PlacedRule,
  schema: JSONSchemaProps,
  root: string,
  at: string,
): readonly FieldError[] {
  if (compiled?.isTransition) {
    const apart = uncorrelatable(schema, path);
    if (apart === undefined) return [];
    const within = [root, ...apart].join('.');
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${within}`;
    return [fieldError.invalid(`${at}.rule`, rule.rule, why)];
  }
  return rule.optionalOldSelf === undefined
    ? []
    : [
        fieldError.invalid(
          `${at}.optionalOldSelf`,
          rule.optionalOldSelf,
          'may not be set if oldSelf is not used in rule',
        ),
      ];
}

/**
 * Returns the path of the first schema on `path` whose values cannot be matched with those of the old object: a list without keys, or an
 * object of an unknown map type. Returns undefined when all values can be matched.
 */
function uncorrelatable(schema: JSONSchemaProps, path: readonly string[]): readonly string[] | undefined {
  let at: JSONSchemaProps | undefined = schema;
  for (const [i, step] of path.entries()) {
    if (at === undefined) return undefined;
    const { items, values, listType, mapType = 'granular' }: SchemaParts = partsOf(at);
    const known = step === 'items' ? listType === 'map' : mapType === 'granular' || mapType === 'atomic';
    if (!known) return path.slice(0, i);
    if (step === 'items') at = items;
    else if (step === 'additionalProperties') at = values;
    else at = at.properties?.[step.slice('properties['.length, -1)];
  }
  return undefined;
}
