import { check, createEnvironment, KUBERNETES_COSTS, kubernetesLibraries, schemaType } from 'orch-apiserver/cel';
import { compileRule, languageOf, type Rule } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { AUTHORIZER } from '../../../src/cel/libraries/authorizer.js';
import { dialectOf } from '../../../src/meta/dialect.js';
import { openApiToSchema } from '../../../src/schema/openapi-to-schema.js';
import { readShared } from '../../support/shared-data.js';

/* Upstream's tables of expressions that compile: rules of schemas, and expressions by release. */

interface Expected {
  readonly all?: readonly Expected[];
  readonly noError?: true;
  readonly transitionRule?: boolean;
  readonly invalidError?: string;
  readonly messageExpressionError?: string;
}
interface Row {
  readonly name: string;
  readonly input: { readonly 'x-kubernetes-validations': readonly Rule[] };
  readonly expectedResults: readonly Expected[];
}
interface Release {
  readonly name: string;
  readonly typeVersionCombinations: readonly {
    readonly version: { readonly args: readonly [number, number] };
    readonly envType: 'NewExpressions' | 'StoredExpressions';
  }[];
  readonly validExpressions?: readonly string[];
  readonly invalidExpressions?: readonly string[];
  readonly opts?: unknown;
}

const tablesOf = <T>(file: string): Readonly<Record<string, readonly T[]>> =>
  readShared(`data/k8s-cel/${file}.json`, { tables: {} }).tables;

/** An environment with a function that only upstream's test declares. */
const OF_THE_TEST = / features planned to be added in future releases$/;
const rows: readonly Row[] = (tablesOf<Row>('crd-validation-rules')['TestCelCompilation'] ?? []).filter(
  ({ name }: Row) => !OF_THE_TEST.test(name),
);
const rules = rows.flatMap(({ name, input, expectedResults }) =>
  input['x-kubernetes-validations'].map(
    (rule, i) => [`${name}: ${rule.rule}`, input, rule, expectedResults[i] ?? {}] as const,
  ),
);
const { costs } = languageOf(dialectOf('k8s'));

describe.skipIf(rows.length === 0)(`rules that compile, and those that do not: ${rules.length}`, () => {
  it.each(rules)('%s', (_, input, rule, expected) => {
    const place = schemaType(openApiToSchema(input), { name: 'self', resource: false });
    if (!place) throw new Error('the schema has no type');
    for (const one of expected.all ?? [expected]) {
      const problem = one.invalidError ?? one.messageExpressionError;
      const compile = () => compileRule(place, rule, { costs });
      if (problem !== undefined) expect(compile).toThrow(problem);
      else if (one.transitionRule !== undefined) expect(compile().isTransition).toBe(one.transitionRule);
      else expect(compile()).toBeDefined();
    }
  });
});

const environments: readonly Release[] =
  tablesOf<Release>('admission-cel-tables')['environment:TestBaseEnvironment.cases'] ?? [];
/** The other rows concern options by release that the test itself defines. */
const byRelease = environments.filter(({ name, opts }) => opts === undefined || name.startsWith('authz'));

describe.skipIf(environments.length === 0)(`expressions by release: ${byRelease.length} cases`, () => {
  it.each(byRelease.map((one) => [one.name, one] as const))('%s', (_, one) => {
    for (const { version, envType } of one.typeVersionCombinations) {
      // Stored expressions may use all features.
      const minor = envType === 'StoredExpressions' ? 99 : version.args[1];
      const environment = createEnvironment({
        libraries: kubernetesLibraries(minor),
        costs: KUBERNETES_COSTS,
        variables: minor >= 27 ? [{ name: 'authorizer', type: AUTHORIZER }] : [],
      });
      const compile = (source: string) => () => check(environment, environment.parse(source));
      for (const source of one.validExpressions ?? []) expect(compile(source), source).not.toThrow();
      for (const source of one.invalidExpressions ?? []) expect(compile(source), source).toThrow();
    }
  });
});
