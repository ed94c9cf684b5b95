import {
  AUTHORIZER,
  check,
  createEnvironment,
  type EnvironmentOptions,
  estimate,
  kubernetesLibraries,
  type SizeSource,
  schemaType,
  sizesOf,
} from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';
import { openApiToSchema } from '../../../src/schema/openapi-to-schema.js';
import { readShared } from '../../support/shared-data.js';
import { generatorOf } from './crd-schemas.js';

const read = <T>(name: string) => readShared<T | undefined>(`data/k8s-cel/${name}`);

const options: EnvironmentOptions = { libraries: kubernetesLibraries(31), homogeneousLiterals: true };

function estimated(schema: unknown, rule: string): number {
  const root = schemaType(openApiToSchema(schema), { name: 'self', resource: false });
  if (root === undefined) throw new TypeError('the schema says nothing');
  const variables = ['self', 'oldSelf'].map((name) => ({ name, type: root.type }));
  const environment = createEnvironment({ ...options, variables });
  return estimate(environment, check(environment, environment.parse(rule)), sizesOf(root)).max;
}

interface CrdCase {
  readonly name: string;
  readonly generator: string | null;
  readonly args: readonly unknown[];
  readonly expectedCalcCost: number | null;
  readonly setMaxElements: number;
  readonly expectedSetCost: number | null;
  readonly expectCalcCostExceedsLimit: number | null;
}
/** Rows that have no meaning or contradict others, with the reason. */
const LEFT_OUT: readonly (readonly [name: RegExp, reason: string])[] = [
  [/ with has$/, 'a cost of 0 is one that is not looked at: the same form costs 1 in the table of stable estimates'],
  [/^extended library (replace|split)$/, 'the rule is not part of the data'],
];
const all = read<{ cases: readonly CrdCase[] }>('crd-cost-estimation.json')?.cases ?? [];
const crd = all.filter(({ name }) => !LEFT_OUT.some(([pattern]) => pattern.test(name)));

describe.skipIf(crd.length === 0)(`estimates of rules, as upstream's: ${crd.length} of ${all.length} schemas`, () => {
  it.each(crd.map((row) => [row.name, row] as const))('%s', (name, row) => {
    const generate = generatorOf(name, row.generator, row.args);
    const free = generate(undefined);
    const bounded = generate(row.setMaxElements);
    const without = estimated(free.schema, free.rule);
    if (row.expectedCalcCost !== null) expect(without).toBe(row.expectedCalcCost);
    if (row.expectCalcCostExceedsLimit !== null) expect(without).toBeGreaterThan(row.expectCalcCostExceedsLimit);
    if (row.expectedSetCost !== null) expect(estimated(bounded.schema, bounded.rule)).toBe(row.expectedSetCost);
  });
});

interface Stability {
  readonly name: string;
  readonly schema: unknown;
  readonly expectCost: Readonly<Record<string, number>>;
}
const stable =
  read<{ tables: Readonly<Record<string, readonly Stability[]>> }>('crd-validation-rules.json')?.tables[
    'TestCelEstimatedCostStability'
  ] ?? [];
const rules = stable.flatMap((row) =>
  Object.entries(row.expectCost).map(([rule, cost]) => ({ name: row.name, schema: row.schema, rule, cost })),
);

describe.skipIf(rules.length === 0)(`estimates that must not change: ${rules.length} rules`, () => {
  it.each(rules.map((row) => [`${row.name}: ${row.rule}`, row] as const))('%s', (_name, { schema, rule, cost }) => {
    expect(estimated(schema, rule)).toBe(cost);
  });
});

interface LibraryCase {
  readonly test: string;
  readonly expr: string;
  readonly estimatedMin: number;
  readonly estimatedMax: number;
}
const calls = read<{ cases: readonly LibraryCase[] }>('library-costs.json')?.cases ?? [];

describe.skipIf(calls.length === 0)(`estimates of library functions: ${calls.length} expressions`, () => {
  const environment = createEnvironment({
    libraries: kubernetesLibraries(31, { authorizerSelectors: true }),
    variables: [{ name: 'authorizer', type: AUTHORIZER }],
  });
  // Upstream's test assumes that strings have up to 12 characters.
  const sizes: SizeSource = ({ type }) =>
    type.kind === 'string' || type.kind === 'bytes' ? { min: 0, max: 12 } : undefined;
  it.each(calls.map((row) => [`${row.test}: ${row.expr}`, row] as const))('%s', (_name, row) => {
    const cost = estimate(environment, check(environment, environment.parse(row.expr)), sizes);
    expect(cost).toEqual({ min: row.estimatedMin, max: row.estimatedMax });
  });
});
