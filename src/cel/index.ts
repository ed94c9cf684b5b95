/**
 * The Common Expression Language (CEL): parses, checks, compiles and evaluates expressions. It does not need a server.
 *
 *   syntax/        ast, lexer, token-stream, expressions (grammar), parser, macros, extension-macros, print, source-error (caret lines)
 *   typing/        type (all types, how messages show them), unify (assignability, type parameters)
 *   declarations   variables, functions, overloads
 *   environment    libraries + variables + types + costs -> the input of every stage
 *   checker/       check: an AST and an environment -> checked; scope (names), overloads, literals
 *   values/        value (the values of expressions), numbers, lists, maps (views over API objects), time, equality, arithmetic,
 *                  conversions, work (a meter of the work that costs do not count)
 *   libraries/     library: a set of functions as a value; one file per library; kubernetes: those of a release
 *   cost/          cost: what costs are; estimate (the static estimate), bounds, standard-estimates, library-estimates
 *   schema/        schema-type: types and sizes of a schema; adapt (values of what it describes); keyed-list; escape (names of properties)
 *   rules          the other entry point, what an API server does with expressions; its code is in the next two folders:
 *   contexts/      rules (validation rules of schemas), schema-rules (all rules of a schema, with how often they apply),
 *                  check-rule (tries a rule without a server), limits, variables (expressions by name, evaluated when needed)
 *   environments/  expressions that are evaluated for requests: admission (policy: a ValidatingAdmissionPolicy, match-conditions),
 *                  authentication (claims, user), authorization (access reviews); conditions (several expressions that share a budget),
 *                  request-types, release-environment
 *   compile/       program (what a compiled expression is), compile, compiler (nodes), attributes, calls, operators, folds, literals, logic,
 *                  plan (a compiled node), slots, variables, member (members of API objects that are read without conversion)
 *
 * The reasons for this design: docs/decisions/0012-expressions.md.
 */
export { check } from './checker/check.js';
export type { Checked, Reference } from './checker/checked.js';
export { type CompileOptions, compile } from './compile/compile.js';
export { type Bindings, type Budget, BudgetExceeded, type Evaluation, type Program } from './compile/program.js';
export { UNBOUNDED } from './cost/bounds.js';
export {
  type Bounds,
  type CallEstimate,
  type CostTable,
  type Estimate,
  type EstimateNode,
  type Estimates,
  type OverloadCost,
  STANDARD_COSTS,
} from './cost/cost.js';
export { estimate, type Path, type SizeSource } from './cost/estimate.js';
export type { FunctionDeclaration, Overload, VariableDeclaration } from './declarations.js';
export { createEnvironment, type Environment, type EnvironmentOptions, withVariables } from './environment.js';
export {
  AUTHORIZER,
  type AuthorizationAnswer,
  type AuthorizationCheck,
  authorizerSelectors,
  authorizers,
  authorizerValue,
  type CheckAuthorization,
  RESOURCE_CHECK,
  resourceCheckValue,
} from './libraries/authorizer.js';
export { bindings } from './libraries/bindings.js';
export { twoVariableComprehensions } from './libraries/comprehensions.js';
export { KUBERNETES_COSTS, kubernetesLibraries, type ReleaseOptions } from './libraries/kubernetes.js';
export type { CallCheck, Implementation, Library } from './libraries/library.js';
export { lists } from './libraries/lists.js';
export { literalChecks } from './libraries/literal-checks.js';
export { formats } from './libraries/named-format.js';
export { cidrs, ips, networkText } from './libraries/network/network.js';
export { urls } from './libraries/network/url.js';
export { optionals } from './libraries/optional.js';
export { patternProblem } from './libraries/pattern.js';
export { QUANTITY, QuantityValue, quantities } from './libraries/quantity.js';
export { regex } from './libraries/regex.js';
export { semvers } from './libraries/semver.js';
export { sets } from './libraries/sets.js';
export { standard } from './libraries/standard.js';
export { strings } from './libraries/strings.js';
export { escapeName, unescapeName } from './schema/escape.js';
export { KeyedView } from './schema/keyed-list.js';
export { MAX_REQUEST_SIZE, minSize, type SchemaType, schemaType, sizesOf } from './schema/schema-type.js';
export * from './syntax/ast.js';
export { BIND_MACRO, OPTIONAL_MACROS, TWO_VARIABLE_MACROS } from './syntax/extension-macros.js';
export { type Macro, type MacroContext, STANDARD_MACROS } from './syntax/macros.js';
export { type ParseOptions, parse } from './syntax/parser.js';
export { print } from './syntax/print.js';
export { ExpressionError, formatErrors, position, type SourceError } from './syntax/source-error.js';
export * from './typing/type.js';
export type { TypePackage } from './typing/type-package.js';
export { Substitution, TypeTooComplex } from './typing/unify.js';
export { type Adapt, ArrayList, ListView, SetView, TextList } from './values/lists.js';
export { ComputedMap, MapBuilder, MapView, ObjectView } from './values/maps.js';
export type { Message } from './values/messages.js';
export { adaptDynamic } from './values/natives.js';
export { Double, type Int, Uint } from './values/numbers.js';
export { NONE, Optional, TypeValue } from './values/optional.js';
export { Duration, parseDuration, parseTimestamp, Timestamp } from './values/time.js';
export { typeName } from './values/types.js';
export { EvaluationError, ListValue, MapValue, ObjectValue, type Outcome, type Value } from './values/value.js';
