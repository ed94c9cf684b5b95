/**
 * The use of expressions (CEL) in an API server: validation rules of schemas, admission policies, match conditions, and mappings of token
 * claims. `checkRule` tries a rule without a server. The engine itself is `orch-apiserver/cel`.
 */
export { type CheckedRule, type CheckRuleOptions, checkRule, languageOf } from './contexts/check-rule.js';
export { CompilationFailed, type Compiled, compileTyped } from './contexts/compile-typed.js';
export * from './contexts/limits.js';
export {
  type CompiledRule,
  compileRule,
  type Rule,
  type RuleOptions,
  type RuleOutcome,
  type RuleValues,
} from './contexts/rules.js';
export {
  excess,
  type PlacedRule,
  type SchemaRulesOptions,
  type StoredExpressions,
  schemaRules,
} from './contexts/schema-rules.js';
export { Composition, LazyValues } from './contexts/variables.js';
export {
  type AdmissionEnvironmentOptions,
  type AdmissionRequest,
  type AdmissionValues,
  admissionBindings,
  admissionEnvironment,
  matchBindings,
} from './environments/admission.js';
export {
  claimsEnvironment,
  compileMapping,
  compileValidation,
  userEnvironment,
} from './environments/authentication.js';
export {
  accessReviewBindings,
  accessReviewEnvironment,
  compileAccessCondition,
  matchAccess,
} from './environments/authorization.js';
export {
  type Condition,
  type ConditionResult,
  compileCondition,
  evaluateConditions,
  OutOfBudget,
  type Spending,
} from './environments/conditions.js';
export { deviceEnvironment } from './environments/device.js';
export {
  type CompiledMatchConditions,
  compileMatchConditions,
  type MatchCondition,
  type MatchResult,
} from './environments/match-conditions.js';
export {
  type AuditAnnotation,
  type CompiledPolicy,
  compilePolicy,
  type PolicyDecision,
  type PolicyExpressions,
  type PolicyLimits,
  type PolicyResult,
  type Validation,
} from './environments/policy.js';
export { checkPolicyTypes, type PolicyTypes, type TypeProblem } from './environments/policy-types.js';
export { type ReleaseEnvironmentOptions, releaseEnvironment } from './environments/release-environment.js';
export { requestTypes } from './environments/request-types.js';
