import type { Schema } from '../../schema/schema.js';
import { UNBOUNDED } from '../cost/bounds.js';
import { isEmbedded, MAX_REQUEST_SIZE, minSize, type SchemaType, schemaType } from '../schema/schema-type.js';
import { withinWork } from '../values/work.js';
import { CompilationFailed } from './compile-typed.js';
import { ESTIMATE_LIMIT } from './limits.js';
import { type CompiledRule, compileInScopes, type ExpressionScope, type Rule, type RuleOptions } from './rules.js';

/** A rule with its path in the schema and its estimated cost for a whole object. */
export interface PlacedRule {
  /** The path of the schema that contains the rule: `['properties[spec]', 'items']`. */
  readonly path: readonly string[];
  /** The index of the rule in the list of rules of its schema. */
  readonly index: number;
  readonly rule: Rule;
  readonly place: SchemaType;
  /** The compiled rule, without its message expression if only that does not compile; undefined when the rule does not compile. */
  readonly compiled: CompiledRule | undefined;
  /** The reason why the rule or its message expression does not compile. */
  readonly error: string | undefined;
  /** The highest cost estimates of the rule and of its message, each multiplied by how often the rule can apply to one object. */
  readonly cost: number;
  readonly messageCost: number;
}

/** The expressions of a stored definition. */
export interface StoredExpressions {
  readonly rules: ReadonlySet<string>;
  readonly messageExpressions: ReadonlySet<string>;
}

/** The options of {@link schemaRules}. */
export interface SchemaRulesOptions extends RuleOptions {
  /** Whether the schema describes a whole object. Default: true. */
  readonly resource?: boolean;
  /**
   * The expressions that the stored definition contains. All others may use only what the release before `release` has, because servers of
   * that release may have to read them. Default: no expression is restricted.
   */
  readonly stored?: StoredExpressions;
}

/**
 * Compiles all rules of a schema, innermost first, because a CustomResourceDefinition reports their errors in this order. How often a rule
 * applies to one object follows from `maxItems` and `maxProperties` of the lists and maps around it. If one of these limits is absent, it
 * follows from how many of the smallest possible values fit into a request.
 */
export function schemaRules(schema: Schema, options: SchemaRulesOptions): readonly PlacedRule[] {
  const placed: PlacedRule[] = [];
  const visit = (at: Schema, path: readonly string[], most: number | undefined, resource: boolean): void => {
    switch (at.type) {
      case 'list':
        visit(at.items, [...path, 'items'], times(most, at.maxItems), isEmbedded(at.items));
        break;
      case 'map':
        visit(at.values, [...path, 'additionalProperties'], times(most, at.maxProperties), isEmbedded(at.values));
        break;
      case 'object':
        for (const [name, { schema: own }] of at.properties) {
          visit(own, [...path, `properties[${name}]`], most, isEmbedded(own));
        }
    }
    if (at.rules !== undefined) placed.push(...rulesAt(at, path, most, resource, options));
  };
  withinWork({}, () => visit(schema, [], 1, options.resource ?? true));
  return placed;
}

/**
 * Returns the factor by which a cost exceeds a limit, formatted for messages: `3.1x`, `more than 100x`. Returns undefined for a cost within
 * the limit.
 */
export function excess(cost: number, limit: number = ESTIMATE_LIMIT): string | undefined {
  if (cost <= limit) return undefined;
  const factor = cost / limit;
  if (factor > 100) return 'more than 100x';
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}

const times = (most: number | undefined, bound: number | undefined): number | undefined =>
  most === undefined || bound === undefined ? undefined : Math.min(most * Math.max(0, bound), UNBOUNDED);

function rulesAt(
  schema: Schema,
  path: readonly string[],
  most: number | undefined,
  resource: boolean,
  options: SchemaRulesOptions,
): readonly PlacedRule[] {
  const { release: current = 31 } = options;
  const scopes = new Map<number, ExpressionScope | undefined>();
  const scopeOf = (expression: string, stored: ReadonlySet<string> | undefined): ExpressionScope | undefined => {
    const release = stored === undefined || stored.has(expression) ? current : current - 1;
    if (!scopes.has(release)) {
      const name = ['self', ...path].join('.');
      const place = schemaType(schema, { name, resource, reservedNames: release >= 31 });
      scopes.set(release, place && { place, release });
    }
    return scopes.get(release);
  };
  const count = most ?? Math.floor(MAX_REQUEST_SIZE / (minSize(schema) + 1));
  return (schema.rules ?? []).flatMap((validatedRule, index) => {
    const rule = validatedRule as unknown as Rule; // The rules were validated with their schema, so the cast is safe.
    const scope = scopeOf(rule.rule, options.stored?.rules);
    const { messageExpression } = rule;
    const messageScope =
      messageExpression === undefined ? scope : scopeOf(messageExpression, options.stored?.messageExpressions);
    if (scope === undefined || messageScope === undefined) return [];
    const { compiled, error } = attempt(rule, options, scope, messageScope);
    const cost = Math.min((compiled?.estimate.max ?? 0) * count, UNBOUNDED);
    const messageCost = Math.min((compiled?.messageEstimate?.max ?? 0) * count, UNBOUNDED);
    return [{ path, index, rule, place: scope.place, compiled, error, cost, messageCost }];
  });
}

function attempt(
  rule: Rule,
  options: RuleOptions,
  scope: ExpressionScope,
  messageScope: ExpressionScope,
): Pick<PlacedRule, 'compiled' | 'error'> {
  try {
    return { compiled: compileInScopes(rule, options, scope, messageScope), error: undefined };
  } catch (error) {
    if (!(error instanceof CompilationFailed)) throw error;
    // A rule is evaluated for defaults, and its cost counts, even if its message expression is refused.
    const { messageExpression, ...alone } = rule;
    const compiled =
      messageExpression !== undefined && error.message.startsWith('messageExpression ')
        ? attempt(alone, options, scope, messageScope).compiled
        : undefined;
    return { compiled, error: error.message };
  }
}
