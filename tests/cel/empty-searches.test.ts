import { check, compile, createEnvironment, EvaluationError, standard, strings } from 'orch-apiserver/cel';
import { expect, it } from 'vitest';

it('lastIndexOf on an empty string is an error in the API, and -1 from library version 3 on', () => {
  const outcomeOf = (version: 2 | 3, source: string) => {
    const environment = createEnvironment({ libraries: [standard, strings(version)] });
    const { outcome } = compile(environment, check(environment, environment.parse(source))).evaluate({});
    return outcome instanceof EvaluationError ? outcome.message : outcome;
  };
  expect([outcomeOf(2, "''.lastIndexOf('l')"), outcomeOf(3, "''.lastIndexOf('l')")]).toEqual([
    'index out of range: -1',
    -1,
  ]);
  expect([outcomeOf(2, "''.lastIndexOf('')"), outcomeOf(3, "''.lastIndexOf('')")]).toEqual([0, 0]);
});
