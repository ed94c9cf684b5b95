import { jsonTypeName } from '../../json/number-text.js';
import type { UserInfo } from '../../meta/user-info.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { type ClaimExpressions, type Expression, type ExpressionValue, userVariable } from './claim-expressions.js';
import type { DecodedJwt } from './jwt-configuration.js';

export type Claims = Readonly<Record<string, unknown>>;

/** Maps verified claims to a user. @throws Error whose message begins with `oidc: ` when the claims are refused */
export type MapUser = (claims: Claims) => UserInfo;

/**
 * Returns a function that maps claims to a user. The configuration must be valid. The username, groups, uid and extra are mapped in this
 * order; then the rules are checked (spec 11.14, 11.15).
 * @param expressions absent when the configuration has none.
 */
export function mapUser(jwt: DecodedJwt, expressions: ClaimExpressions | undefined): MapUser {
  const { claimMappings: mappings, claimValidationRules: rules = [], userValidationRules: userRules = [] } = jwt;
  const compileExpression = (make: keyof ClaimExpressions, source = ''): Expression | undefined =>
    source === '' ? undefined : expressions?.[make](source);
  const username = usernameOf(mappings.username, compileExpression('mapping', mappings.username.expression));
  const groups = groupsOf(mappings.groups, compileExpression('mapping', mappings.groups.expression));
  const uid = uidOf(mappings.uid.claim ?? '', compileExpression('mapping', mappings.uid.expression));
  const extra = extraOf(
    (mappings.extra ?? []).map(({ key, valueExpression }) => [key, compileExpression('mapping', valueExpression)]),
  );
  const claimRules = rules.map((rule) => ({ ...rule, compiled: compileExpression('claimRule', rule.expression) }));
  const lastRules = userRules.map((rule) => ({ ...rule, compiled: compileExpression('userRule', rule.expression) }));

  return (claims) => {
    const user = frozenUser(username(claims), groups(claims), uid(claims), extra(claims));
    for (const { claim = '', requiredValue = '' } of claimRules)
      if (claim !== '') require(claims, claim, requiredValue);
    for (const rule of claimRules)
      if (rule.compiled) requireTrue(rule.compiled, claims, rule.message, 'claim validation expression');
    const seen = lastRules.length === 0 ? user : userVariable(user);
    for (const rule of lastRules)
      if (rule.compiled) requireTrue(rule.compiled, seen, rule.message, 'user info validation rule');
    return user;
  };
}

type Mapping = DecodedJwt['claimMappings']['username'];

function usernameOf(
  { claim = '', prefix = '' }: Mapping,
  expression: Expression | undefined,
): (claims: Claims) => string {
  if (expression) return (claims) => usernameByExpression(expression, claims);
  return (claims) => {
    const name = withStepName(`oidc: parse username claims ${quote(claim)}`, () => textClaim(claims, claim));
    if (claim === 'email' && has(claims, 'email_verified')) {
      const verified = withStepName("oidc: parse 'email_verified' claim", () => booleanClaim(claims, 'email_verified'));
      if (!verified) throw new Error('oidc: email not verified');
    }
    return prefix + name;
  };
}

function usernameByExpression(expression: Expression, claims: Claims): string {
  const failed = 'oidc: error evaluating username claim expression';
  const name = withStepName(failed, () => expression.evaluate(claims));
  if (typeof name !== 'string') throw new Error(`${failed}: username claim expression must return a string`);
  if (name === '') throw new Error('oidc: empty username via CEL expression is not allowed');
  return name;
}

function groupsOf(
  { claim = '', prefix = '' }: Mapping,
  expression: Expression | undefined,
): (claims: Claims) => readonly string[] {
  if (expression)
    return (claims) =>
      withStepName('oidc: error evaluating group claim expression', () => nonEmptyStrings(expression.evaluate(claims)));
  if (claim === '') return () => [];
  return (claims) => {
    refuseDistributed(claims, claim);
    if (!has(claims, claim)) return [];
    const groups = withStepName(`oidc: parse groups claim ${quote(claim)}`, () => textsClaim(claims[claim]));
    return groups.map((group) => prefix + group);
  };
}

/**
 * Refuses a distributed claim: a claim that has to be fetched from another server, which the token names. Fetching it would let the token
 * decide which server is called with which credentials. A token that also contains the claim itself is accepted.
 */
function refuseDistributed(claims: Claims, claim: string): void {
  const names = claims['_claim_names'];
  if (has(claims, claim) || typeof names !== 'object' || names === null || !Object.hasOwn(names, claim)) return;
  const source = (names as Claims)[claim];
  // `readTokenTimes` has checked the type of this claim, so the cast is safe.
  const sources = claims['_claim_sources'] as Claims | undefined;
  const claimSource = typeof source === 'string' ? sources?.[source] : undefined;
  // Only a source with an endpoint is a distributed claim. An entry of `_claim_sources` that contains the claims itself is ignored.
  if (typeof claimSource !== 'object' || claimSource === null || !('endpoint' in claimSource)) return;
  throw new Error(
    `oidc: could not expand distributed claims: claim ${quote(claim)} is not in the token itself, which is not supported; configure the issuer to include it`,
  );
}

function uidOf(claim: string, expression: Expression | undefined): (claims: Claims) => string {
  if (expression)
    return (claims) => {
      const failed = 'oidc: error evaluating uid claim expression';
      const uid = withStepName(failed, () => expression.evaluate(claims));
      if (typeof uid !== 'string') throw new Error(`${failed}: uid claim expression must return a string`);
      return uid;
    };
  if (claim === '') return () => '';
  return (claims) => withStepName(`oidc: parse uid claim ${quote(claim)}`, () => textClaim(claims, claim));
}

type Extra = readonly (readonly [string, readonly string[]])[];

function extraOf(mappings: readonly (readonly [string, Expression | undefined])[]): (claims: Claims) => Extra {
  return (claims) =>
    mappings.flatMap(([key, expression]) => {
      if (!expression) return [];
      // As in upstream, the error of an evaluation has no prefix here.
      const value = expression.evaluate(claims);
      const failed = `oidc: error evaluating extra claim expression: ${expression.source}`;
      const values = withStepName(failed, () => nonEmptyStrings(value));
      return values.length === 0 ? [] : [[key, values] as const];
    });
}

function require(claims: Claims, claim: string, requiredValue: string): void {
  if (!has(claims, claim)) throw new Error(`oidc: required claim ${claim} not present in ID token`);
  const value = withStepName(`oidc: parse claim ${claim}`, () => textClaim(claims, claim));
  if (value !== requiredValue)
    throw new Error(`oidc: required claim ${claim} value does not match. Got = ${value}, want = ${requiredValue}`);
}

function requireTrue(rule: Expression, variable: object, message = '', what = ''): void {
  const failed = `oidc: error evaluating ${what}`;
  const value = withStepName(failed, () => rule.evaluate(variable));
  if (value !== true) throw new Error(`${failed}: validation expression '${rule.source}' failed: ${message}`);
}

/** Calls `work`. If it throws, the message of the error is prefixed with `what`, which names the failed step. */
function withStepName<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`);
  }
}

/** Returns the result of an expression (a string, a list of strings or null) as a list without empty strings. */
function nonEmptyStrings(value: ExpressionValue): readonly string[] {
  if (value === null) return [];
  const list = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list)) return list.filter((text) => text !== '');
  throw new Error('expression must return a string or a list of strings');
}

const has = (claims: Claims, name: string): boolean => Object.hasOwn(claims, name);

const wrongType = (value: unknown, goType: string) =>
  new Error(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${goType}`);

/** Returns a claim that must be a string; null counts as ''. */
function textClaim(claims: Claims, name: string): string {
  if (!has(claims, name)) throw new Error('claim not present');
  return stringOf(claims[name]);
}

function stringOf(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  throw wrongType(value, 'string');
}

function booleanClaim(claims: Claims, name: string): boolean {
  const value = claims[name];
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  throw wrongType(value, 'bool');
}

/** Returns a claim that is a string or a list of strings. A list with any other element is refused as a whole. */
function textsClaim(value: unknown): readonly string[] {
  if (value === null) return [];
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string' || each === null);
  return isTexts ? value.map(stringOf) : [stringOf(value)];
}

function frozenUser(username: string, groups: readonly string[], uid: string, extra: Extra): UserInfo {
  return Object.freeze({
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: Object.freeze([...groups]) }),
    ...(extra.length === 0
      ? {}
      : { extra: Object.freeze(Object.fromEntries(extra.map(([key, values]) => [key, Object.freeze([...values])]))) }),
  });
}
