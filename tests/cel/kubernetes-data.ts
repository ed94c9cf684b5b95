import { check, createEnvironment, type Environment, type EnvironmentOptions } from 'orch-apiserver/cel';
import { compile } from '../../src/cel/compile/compile.js';
import type { Bindings, Evaluation } from '../../src/cel/compile/program.js';
import { AUTHORIZER, authorizerValue } from '../../src/cel/libraries/authorizer.js';
import { kubernetesLibraries } from '../../src/cel/libraries/kubernetes.js';

/** The complete environment of release 1.31, with the variable `authorizer`. */
export const release = (options: EnvironmentOptions = {}): Environment =>
  createEnvironment({
    libraries: kubernetesLibraries(31, { authorizerSelectors: true }),
    variables: [{ name: 'authorizer', type: AUTHORIZER }],
    ...options,
  });

const allowsAll = authorizerValue(() => ({ allowed: true, reason: 'yes' }));

export function evaluate(environment: Environment, expr: string, bindings: Bindings = {}, fold = true): Evaluation {
  const program = compile(environment, check(environment, environment.parse(expr)), { fold });
  return program.evaluate({ authorizer: allowsAll, ...bindings });
}
