import { type Dialect, dialectOf, ofDialect } from '../../meta/dialect.js';
import { openApiToSchema } from '../../schema/openapi-to-schema.js';
import type { Bounds, CostTable } from '../cost/cost.js';
import { KUBERNETES_COSTS } from '../libraries/kubernetes.js';
import { schemaType } from '../schema/schema-type.js';
import type { TypePackage } from '../typing/type-package.js';
import { CompilationFailed } from './compile-typed.js';
import { REQUEST_LIMIT } from './limits.js';
import { type CompiledRule, compileRule, type Rule } from './rules.js';

export interface CheckRuleOptions {
  /** What the API object holds at the rule's place. Without it the rule is compiled only. */
  readonly self?: unknown;
  /** What it held before an update. Default: there was none. */
  readonly oldSelf?: unknown;
  /** Default: `orch`. */
  readonly dialect?: Dialect['name'];
  /** Whether the schema is that of a whole object, which has `kind`, `apiVersion` and `metadata` in any case. Default: false. */
  readonly resource?: boolean;
  /** Minor version of the release whose libraries the rule may use. Default: 31. */
  readonly release?: number;
}

export interface CheckedRule {
  /** `valid`; `invalid`, with `message`; `skipped`: speaks of `oldSelf` and there is none; `unchecked`: no `self` was given. */
  readonly result: 'valid' | 'invalid' | 'skipped' | 'unchecked' | 'error';
  /** Why the rule cannot be used, or gave no answer. */
  readonly errors: readonly string[];
  /** What a client is answered where the value is not valid. */
  readonly message: string | undefined;
  /** Bounds of the cost of one evaluation, from the sizes that the schema allows. */
  readonly estimatedCost: Bounds | undefined;
  /** What this evaluation cost, that of the message included. */
  readonly actualCost: number | undefined;
}

/** The language as a dialect has it: what things cost, and the package of the API's own types. One for each, as environments are kept by it. */
export const languageOf: (dialect: Dialect) => { readonly costs: CostTable; readonly typePackage: TypePackage } =
  ofDialect(({ rulings, typePackage }) =>
    Object.freeze({ costs: Object.freeze({ ...KUBERNETES_COSTS, list: rulings.listLiteralCost }), typePackage }),
  );

const NOTHING = { message: undefined, estimatedCost: undefined, actualCost: undefined };

/**
 * Tries a validation rule without a server.
 * @param schema The OpenAPI v3 schema of the rule's place, as a custom resource definition has it.
 * @throws {TypeError} where the schema is no schema.
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
  return evaluated(compiled, options);
}

function evaluated(compiled: CompiledRule, { self, oldSelf }: CheckRuleOptions): CheckedRule {
  const estimatedCost = compiled.estimate;
  if (self === undefined) return { ...NOTHING, result: 'unchecked', errors: [], estimatedCost };
  const budget = { remaining: REQUEST_LIMIT };
  const outcome = compiled.evaluate({ self, oldSelf }, budget);
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
