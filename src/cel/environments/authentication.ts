import { type Compiled, compileTyped } from '../contexts/compile-typed.js';
import type { Environment } from '../environment.js';
import { ANY, mapOf, STRING } from '../typing/type.js';
import { type ReleaseEnvironmentOptions, releaseEnvironment } from './release-environment.js';
import { requestTypes } from './request-types.js';

/** Environments for the expressions of AuthenticationConfiguration. Each expression may cost up to `CALL_LIMIT`; they share no budget. */

/** Makes the environment of claim mappings and claim validation rules. Its variable is `claims`, a map of the token's claims. */
export const claimsEnvironment = (options?: ReleaseEnvironmentOptions): Environment =>
  releaseEnvironment([{ name: 'claims', type: mapOf(STRING, ANY) }], options);

/**
 * Makes the environment of user validation rules. Its variable is `user`, with `username`, `uid`, `groups` and `extra`. The caller must
 * pass empty values for members without a value.
 */
export const userEnvironment = (options?: ReleaseEnvironmentOptions): Environment =>
  releaseEnvironment([{ name: 'user', type: requestTypes(options?.typePackage).userInfo }], options);

/**
 * Compiles a validation rule.
 * @throws CompilationFailed also when the type of the rule is not bool. The type of a claim is unknown, so a bare `claims.admin` is
 * refused.
 */
export const compileValidation = (environment: Environment, expression: string): Compiled =>
  compileTyped(environment, expression, ['bool']);

/**
 * Compiles a mapping of claims. The caller must check the type of the mapping's result.
 * @throws CompilationFailed
 */
export const compileMapping = (environment: Environment, expression: string): Compiled =>
  compileTyped(environment, expression);
