import {
  adaptDynamic,
  BudgetExceeded,
  check,
  compile,
  createEnvironment,
  INT,
  kubernetesLibraries,
  listOf,
  STRING,
  type Value,
} from 'orch-apiserver/cel';
import { expect, it } from 'vitest';

const environment = createEnvironment({
  libraries: kubernetesLibraries(31),
  variables: [
    { name: 's', type: STRING },
    { name: 'ints', type: listOf(INT) },
  ],
});
const programOf = (source: string) => compile(environment, check(environment, environment.parse(source)));

it('patterns that backtrack in other engines are matched in linear time', () => {
  const text = `${'a'.repeat(200_000)}!`;
  for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '(.*a){12}$', '^((a*)*)*$'])
    expect([pattern, programOf(`s.matches('${pattern}')`).evaluate({ s: text }).outcome]).toEqual([pattern, false]);
});

it('patterns with large repetitions, and searches for distant matches, are stopped by the cost limit', () => {
  const values = {
    s: 'a'.repeat(15_000),
    ints: adaptDynamic(Array.from({ length: 1_000 }, (_, i) => i)) as Value,
  };
  for (const source of ["ints.all(i, s.matches('a{' + string(i) + '}b?'))", "s.findAll('a[^b]*b|a').size() > 0"])
    expect(() => programOf(source).evaluate(values), source).toThrow(BudgetExceeded);
  const label = "ints.all(i, 'a-label-of-some-length'.matches('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$'))";
  expect(programOf(label).evaluate(values).outcome).toBe(true);
});
