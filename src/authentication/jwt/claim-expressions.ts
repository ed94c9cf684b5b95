import type { Environment, Expr, Program } from '../../cel/index.js';
import { children } from '../../cel/syntax/ast.js';
import type { Dialect } from '../../meta/dialect.js';
import type { UserInfo } from '../../meta/user-info.js';

/** A compiled expression and the claims that it reads. */
export interface Expression {
  readonly source: string;
  /** Fields of `claims` that the expression reads. */
  readonly fields: ReadonlySet<string>;
  /** Evaluates the expression. @throws Error `expression '<source>' resulted in error: …` */
  evaluate(variable: object): ExpressionValue;
}

/** The result of an expression. A value of a type that cannot be part of a user is replaced by a symbol. */
export type ExpressionValue = string | boolean | null | readonly string[] | typeof OTHER;

const OTHER = Symbol('a value of another type');

/** Compiles the expressions of JWT authenticators (spec 11.15, 11.18). Every method throws CompilationFailed with upstream's message. */
export interface ClaimExpressions {
  /** Compiles an expression over `claims` with a result of any type. */
  mapping(source: string): Expression;
  /** Compiles an expression over `claims` that must be a bool. */
  claimRule(source: string): Expression;
  /** Compiles an expression over `user` that must be a bool. */
  userRule(source: string): Expression;
}

/** Loads the CEL engine, which is large, and creates the CEL environments. */
export async function loadClaimExpressions(dialect: Dialect): Promise<ClaimExpressions> {
  const cel = await import('../../cel/index.js');
  const rules = await import('../../cel/rules.js');
  const language = rules.languageOf(dialect);
  const claims = rules.claimsEnvironment(language);
  const user = rules.userEnvironment(language);

  function compile(environment: Environment, source: string, bind: Bind, wantsBool: boolean): Expression {
    const compileAs = wantsBool ? rules.compileValidation : rules.compileMapping;
    const { program, checked } = compileAs(environment, source);
    return {
      source,
      fields: fieldsOf(checked.ast.root, 'claims'),
      evaluate: (variable) => evaluate(cel, program, source, bind(variable), rules.CALL_LIMIT),
    };
  }
  const bindClaims: Bind = (variable) => ({ claims: () => cel.adaptDynamic(variable) ?? null });
  const bindUser: Bind = (variable) => ({ user: () => cel.adaptDynamic(variable) ?? null });
  return {
    mapping: (source) => compile(claims, source, bindClaims, false),
    claimRule: (source) => compile(claims, source, bindClaims, true),
    userRule: (source) => compile(user, source, bindUser, true),
  };
}

/** Returns the value of the CEL variable `user`, in which every field is present. */
export function userVariable({ username, uid = '', groups = [], extra = {} }: UserInfo): object {
  return { username, uid, groups, extra };
}

type Cel = typeof import('../../cel/index.js');
type Bind = (variable: object) => Parameters<Program['evaluate']>[0];

function evaluate(
  cel: Cel,
  program: Program,
  source: string,
  bindings: ReturnType<Bind>,
  limit: number,
): ExpressionValue {
  const evaluationError = (why: string) => new Error(`expression '${source}' resulted in error: ${why}`);
  try {
    const { outcome } = program.evaluate(bindings, undefined, limit);
    if (outcome instanceof cel.EvaluationError) throw evaluationError(outcome.message);
    if (typeof outcome === 'string' || typeof outcome === 'boolean' || outcome === null) return outcome;
    if (!(outcome instanceof cel.ListValue) || outcome instanceof cel.TextList) return OTHER;
    const all = Array.from({ length: outcome.size }, (_, i) => outcome.at(i));
    return all.every((each) => typeof each === 'string') ? all : OTHER;
  } catch (error) {
    throw error instanceof cel.BudgetExceeded ? evaluationError(error.message) : error;
  }
}

/** Returns the names of the fields that an expression selects from a variable: `claims.email`, `claims.?email`, `has(claims.email)`. */
function fieldsOf(root: Expr, variable: string): ReadonlySet<string> {
  const fields = new Set<string>();
  const waiting: Expr[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const field = selectedField(node, variable);
    if (field !== undefined) fields.add(field);
    waiting.push(...children(node));
  }
  return fields;
}

function selectedField(node: Expr, variable: string): string | undefined {
  if (node.kind === 'select') return isVariable(node.operand, variable) ? node.field : undefined;
  if (node.kind !== 'call' || node.function !== '_?._') return undefined;
  const [operand, field] = node.args;
  if (!isVariable(operand, variable) || field?.kind !== 'const') return undefined;
  return typeof field.value === 'string' ? field.value : undefined;
}

const isVariable = (node: Expr | undefined, variable: string): boolean =>
  node?.kind === 'ident' && node.name === variable;
