import { type Dialect, dialectOf, ofDialect } from '../../meta/dialect.js';
import { openApiToSchema } from '../../schema/openapi-to-schema.js';
import type { Bounds, CostTable } from '../cost/cost.js';
import { KUBERNETES_COSTS } from '../libraries/kubernetes.js';
import { schemaType } from '../schema/schema-type.js';
import type { TypePackage } from '../typing/type-package.js';
import { CompilationFailed } from './compile-typed.js';
import { REQUEST_LIMIT } from './limits.js';
import { type CompiledRule, compileRule, type Rule } from './rules.js';

/** The options of `checkRule`. */
export interface CheckRuleOptions {
  /** The value to which the rule applies. Default: the rule is only compiled. */
  readonly self?: unknown;
  /** The value before an update. Default: there is no old value. */
  readonly oldSelf?: unknown;
  /** The API dialect, which determines the costs and the package of the API's types. Default: `orch`. */
  readonly dialect?: Dialect['name'];
  /** Whether the schema describes a whole object, which always has `kind`, `apiVersion` and `metadata`. Default: false. */
  readonly resource?: boolean;
  /** The minor version of the Kubernetes release whose CEL libraries the rule may use. Default: 31. */
  readonly release?: number;
}

/** The result of `checkRule`. */
export interface CheckedRule {
  /**
   * `valid` and `invalid` (with `message`) are outcomes of the evaluation. `skipped` means that the rule uses `oldSelf`, which is absent.
   * `unchecked` means that `self` is absent, so the rule was only compiled. `error` means that `errors` contains the reasons.
   */
  readonly result: 'valid' | 'invalid' | 'skipped' | 'unchecked' | 'error';
  /** The reasons why the rule was refused or could not be evaluated, or why its message expression failed. */
  readonly errors: readonly string[];
  /** The message for a client whose value is not valid. */
  readonly message: string | undefined;
  /** The minimum and maximum cost of one evaluation, estimated from the sizes that the schema allows. */
  readonly estimatedCost: Bounds | undefined;
  /** The cost of this evaluation, including that of the message. */
  readonly actualCost: number | undefined;
}

/**
 * Returns the costs and the package of the API's types in an API dialect. Calls with the same dialect return the same object, because
 * environments are cached by the identity of their cost table.
 */
export const languageOf: (dialect: Dialect) => { readonly costs: CostTable; readonly typePackage: TypePackage } =
  ofDialect(({ rulings, typePackage }) =>
    Object.freeze({ costs: Object.freeze({ ...KUBERNETES_COSTS, list: rulings.listLiteralCost }), typePackage }),
  );

const NOTHING = { message: undefined, estimatedCost: undefined, actualCost: undefined };

/**
 * Tries a validation rule without a server.
 * @param schema the OpenAPI v3 schema to which the rule belongs, as in a custom resource definition.
 * @throws TypeError when the schema is not valid.
 */
export function checkRule(schema: unknown, rule: string | Rule, options: CheckRuleOptions = {}): CheckedRule {
  const { release = 31, resource = false } = options;
  const place = schemaType(openApiToSchema(schema), { name: 'self', resource, reservedNames: release >= 31 });
  if (place === undefined) return { ...NOTHING, result: 'error', errors: ['the schema says nothing of its values'] };
  const language = languageOf(dialectOf(options.dialect ?? 'orch'));
  const written = typeof rule === 'string' ? { rule } : rule;
  let compiled: CompiledRule;
  try {
    compiled = compileRule(place, written, { ...language, release });
  } catch (error) {
    if (!(error instanceof CompilationFailed)) throw error;
    return { ...NOTHING, result: 'error', errors: [error.message] };
  }
  return evaluateRule(compiled, options);
}

function evaluateRule(compiled: CompiledRule, { self, oldSelf }: CheckRuleOptions): CheckedRule {
  const estimatedCost = compiled.estimate;
  if (self === undefined) return { ...NOTHING, result: 'unchecked', errors: [], estimatedCost };
  const budget = { remaining: REQUEST_LIMIT };
  // A server evaluates a message with `oldSelf` only if a rule of the same schema uses it.
  const outcome = compiled.evaluate({ self, oldSelf: compiled.isTransition ? oldSelf : undefined }, budget);
  const known = { estimatedCost, actualCost: REQUEST_LIMIT - budget.remaining };
  switch (outcome.result) {
    case 'valid':
    case 'skipped':
      return { ...known, result: outcome.result, errors: [], message: undefined };
    case 'invalid': {
      const errors = outcome.messageError === undefined ? [] : [outcome.messageError];
      return { ...known, result: 'invalid', errors, message: outcome.message };
    }
    default:
      return { ...known, result: 'error', errors: [outcome.message], message: undefined };
  }
}
