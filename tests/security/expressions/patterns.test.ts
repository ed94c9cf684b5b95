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
import { validatingAdmissionPolicy } from '../../../src/resources/admissionregistration/index.js';
import { customResourceDefinition } from '../../../src/resources/apiextensions/index.js';
import { reachableMegabytes } from '../../support/collect-garbage.js';
import { definitionOf } from '../../support/definitions.js';
import { closeAfterTest, startServer } from '../../support/servers.js';

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

it('many patterns keep little memory after they were matched', () => {
  const program = programOf("'abc'.matches(s)");
  const match = (i: number) => program.evaluate({ s: `(x${i}|\\pL){990}` }).outcome;
  expect(match(0)).toBe(false);
  const before = reachableMegabytes();
  for (let i = 1; i <= 40; i++) match(i);
  expect(reachableMegabytes() - before).toBeLessThan(30);
});

const large = (name: string, count: number) =>
  `'${Array.from({ length: count }, (_, i) => `(${name}${i}|\\\\pL){990}`).join('')}'`;

it('large constant patterns are refused, and leave the work of other expressions as it is', () => {
  expect(() => programOf(`s.matches(${large('x', 120)})`)).toThrow(BudgetExceeded);
  // Together these patterns are larger than those of one expression may be.
  for (let i = 0; i < 28; i++)
    expect(programOf(`s.matches(${large(`m${i}x`, 4)})`).evaluate({ s: '' }).outcome).toBe(false);
});

it('the expressions of one policy or definition share the limit of work on patterns, and others have their own', async () => {
  const server = closeAfterTest(await startServer({ dialect: 'k8s' }));
  const client = server.client();
  const policyWith = (name: string, expressions: readonly string[]) => ({
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      validations: expressions.map((expression) => ({ expression })),
    },
  });
  const expressions = Array.from({ length: 10 }, (_, i) => `object.kind.matches(${large(`p${i}x`, 15)})`);
  const tooMany = client.create(validatingAdmissionPolicy, policyWith('too-many', expressions) as never);
  await expect(tooMany).rejects.toThrow('compilation failed: operation cancelled: actual cost limit exceeded');
  await client.create(validatingAdmissionPolicy, policyWith('one', [expressions[9] as string]) as never);

  const text = (i: number) => ({
    type: 'string',
    maxLength: 10,
    'x-kubernetes-validations': [{ rule: `self.matches(${large(`d${i}x`, 15)})` }],
  });
  const properties = Object.fromEntries(expressions.map((_, i) => [`text${i}`, text(i)]));
  const withRules = definitionOf('things', 'Thing', { schema: { type: 'object', properties } });
  await expect(client.create(customResourceDefinition, withRules as never)).rejects.toThrow('cost limit exceeded');
  await client.create(customResourceDefinition, definitionOf('things', 'Thing') as never);
});
