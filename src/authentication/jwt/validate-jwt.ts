import { domainPrefixedPath } from '../../meta/domain-prefixed-path.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { messageOf } from '../../values/message-of.js';
import type { ClaimExpressions, Expression } from './claim-expressions.js';
import type { DecodedJwt } from './jwt-configuration.js';
import { validateIssuer } from './validate-issuer.js';

const BOTH = "claim and expression can't both be set";
const NEITHER = 'claim or expression is required';

/** Compiles an expression. If compilation fails, it records an error and returns undefined. */
type Compile = (source: string, path: string) => Expression | undefined;

/**
 * Returns the validation errors of one entry of `jwt`, in upstream's order and words (spec 11.18).
 * @param expressions absent when the configuration has no expressions.
 */
export function validateJwt(
  jwt: DecodedJwt,
  path: string,
  disallowedIssuers: readonly string[],
  expressions: ClaimExpressions | undefined,
): FieldError[] {
  const errors: FieldError[] = validateIssuer(jwt.issuer, `${path}.issuer`, disallowedIssuers);
  const compileWith =
    (make: keyof ClaimExpressions): Compile =>
    (source, at) => {
      try {
        return expressions?.[make](source);
      } catch (error) {
        errors.push(fieldError.invalid(at, source, messageOf(error)));
        return undefined;
      }
    };
  const mapping = compileWith('mapping');
  const verifying = validateClaimRules(jwt, `${path}.claimValidationRules`, errors, compileWith('claimRule'));
  validateMappings(jwt.claimMappings, `${path}.claimMappings`, errors, mapping, verifying);
  validateUserRules(jwt, `${path}.userValidationRules`, errors, compileWith('userRule'));
  return errors;
}

/** Validates the claim rules. @returns whether an expression reads `email_verified`. */
function validateClaimRules(
  { claimValidationRules: rules = [] }: DecodedJwt,
  path: string,
  errors: FieldError[],
  compile: Compile,
): boolean {
  const claims = new Set<string>();
  const sources = new Set<string>();
  let verifies = false;
  for (const [i, { claim = '', requiredValue = '', expression = '', message = '' }] of rules.entries()) {
    const at = `${path}[${i}]`;
    if (claim !== '' && expression !== '') errors.push(fieldError.invalid(at, claim, BOTH));
    else if (claim === '' && expression === '') errors.push(fieldError.required(at, NEITHER));
    else if (claim !== '') {
      if (message !== '')
        errors.push(fieldError.invalid(`${at}.message`, message, "message can't be set when claim is set"));
      if (claims.has(claim)) errors.push(fieldError.duplicate(`${at}.claim`, claim));
      claims.add(claim);
    } else {
      const detail = "requiredValue can't be set when expression is set";
      if (requiredValue !== '') errors.push(fieldError.invalid(`${at}.requiredValue`, requiredValue, detail));
      if (sources.has(expression)) errors.push(fieldError.duplicate(`${at}.expression`, expression));
      else if (compile(expression, `${at}.expression`)?.fields.has('email_verified')) verifies = true;
      sources.add(expression);
    }
  }
  return verifies;
}

type Mappings = DecodedJwt['claimMappings'];

function validateMappings(
  mappings: Mappings,
  path: string,
  errors: FieldError[],
  compile: Compile,
  verifying: boolean,
): void {
  const username = validatePrefixed(mappings.username, `${path}.username`, errors, compile, true);
  validatePrefixed(mappings.groups, `${path}.groups`, errors, compile, false);
  const { claim = '', expression = '' } = mappings.uid;
  if (claim !== '' && expression !== '') errors.push(fieldError.invalid(`${path}.uid`, '', BOTH));
  else if (expression !== '') compile(expression, `${path}.uid.expression`);
  const extraVerifies = validateExtra(mappings.extra ?? [], `${path}.extra`, errors, compile);

  const verified = verifying || extraVerifies || username?.fields.has('email_verified');
  if (!username?.fields.has('email') || verified) return;
  const places =
    'claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression';
  const detail = `claims.email_verified must be used in ${places} when claims.email is used in claimMappings.username.expression`;
  errors.push(fieldError.invalid(`${path}.username.expression`, username.source, detail));
}

function validatePrefixed(
  { claim = '', prefix, expression = '' }: Mappings['username'],
  path: string,
  errors: FieldError[],
  compile: Compile,
  isRequired: boolean,
): Expression | undefined {
  if (claim !== '' && expression !== '') errors.push(fieldError.invalid(path, '', BOTH));
  else if (expression !== '') {
    if (prefix !== undefined)
      errors.push(fieldError.invalid(`${path}.prefix`, prefix, "prefix can't be set when expression is set"));
    const compiled = compile(expression, `${path}.expression`);
    // As in upstream, the claims of a mapping with errors are not checked any further.
    return prefix === undefined ? compiled : undefined;
  } else if (claim === '') {
    if (isRequired) errors.push(fieldError.required(path, NEITHER));
  } else if (prefix === undefined) {
    const detail = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
    errors.push(fieldError.required(`${path}.prefix`, detail));
  }
  return undefined;
}

/** Validates the extra mappings. @returns whether an expression reads `email_verified`. */
function validateExtra(
  extra: NonNullable<Mappings['extra']>,
  path: string,
  errors: FieldError[],
  compile: Compile,
): boolean {
  const keys = new Set<string>();
  let verifies = false;
  for (const [i, { key, valueExpression }] of extra.entries()) {
    const at = `${path}[${i}]`;
    errors.push(...validateKey(key, `${at}.key`));
    if (keys.has(key)) {
      errors.push(fieldError.duplicate(`${at}.key`, key));
      continue;
    }
    keys.add(key);
    if (valueExpression === '')
      errors.push(fieldError.required(`${at}.valueExpression`, 'valueExpression is required'));
    else if (compile(valueExpression, `${at}.valueExpression`)?.fields.has('email_verified')) verifies = true;
  }
  return verifies;
}

function validateKey(key: string, path: string): FieldError[] {
  const errors = domainPrefixedPath(path, key);
  if (key !== key.toLowerCase()) errors.push(fieldError.invalid(path, key, 'key must be lowercase'));
  return errors;
}

function validateUserRules(
  { userValidationRules: rules = [] }: DecodedJwt,
  path: string,
  errors: FieldError[],
  compile: Compile,
): void {
  const sources = new Set<string>();
  for (const [i, { expression }] of rules.entries()) {
    const at = `${path}[${i}].expression`;
    if (expression === '') errors.push(fieldError.required(at, 'expression is required'));
    else if (sources.has(expression)) errors.push(fieldError.duplicate(at, expression));
    else compile(expression, at);
    sources.add(expression);
  }
}
