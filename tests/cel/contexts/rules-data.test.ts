import { checkRule } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { readShared } from '../../support/shared-data.js';

interface Row {
  readonly name: string;
  readonly isRoot?: boolean;
  readonly expectSkipped?: boolean;
  readonly schema: object;
  readonly obj: unknown;
  readonly oldObj?: unknown;
  readonly valid?: readonly string[];
  readonly errors?: Readonly<Record<string, string>>;
  readonly expectCost?: Readonly<Record<string, number>>;
}
const tables: Readonly<Record<string, readonly Row[]>> = readShared('data/k8s-cel/crd-validation-rules.json', {
  tables: {},
}).tables;
const rows = tables['TestValidationExpressions'] ?? [];
const valid = rows.flatMap((row) => (row.valid ?? []).map((rule) => ({ ...row, rule })));
const failing = rows.flatMap((row) =>
  Object.entries(row.errors ?? {}).map(([rule, error]) => ({ ...row, rule, error })),
);
const costs = (tables['TestCelCostStability'] ?? []).flatMap((row) =>
  Object.entries(row.expectCost ?? {}).map(([rule, cost]) => ({ ...row, rule, cost })),
);
/** The data's expression for an array of a thousand numbers. */
const filled = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    JSON.stringify(member) === '["$LargeArray"]' ? Array.from({ length: 1000 }, (_, i) => i) : member,
  );
const check = (row: Row & { readonly rule: string }) =>
  checkRule(row.schema, row.rule, {
    self: filled(row.obj),
    release: 31,
    oldSelf: row.oldObj,
    dialect: 'k8s',
    // The table of costs omits the name of the root variable.
    resource: row.isRoot ?? /^typemeta .* not specified$/.test(row.name),
  });

describe.skipIf(rows.length === 0)(`rules evaluate as upstream: ${valid.length} hold, ${failing.length} fail`, () => {
  it.each(valid.map((row) => [`${row.name}: ${row.rule}`, row] as const))('%s', (_name, row) => {
    const result = row.expectSkipped ? 'skipped' : 'valid';
    expect(check(row)).toMatchObject({ result, errors: [] });
  });
  it.each(failing.map((row) => [`${row.name}: ${row.rule}`, row] as const))('fails: %s', (_name, row) => {
    const { result, errors, message } = check(row);
    expect(result).not.toBe('valid');
    expect([...errors, message].join('\n')).toContain(row.error.replace(/^(rule )?compile error: /, ''));
  });
});

describe.skipIf(costs.length === 0)(`runtime costs that must not change: ${costs.length} rules`, () => {
  it.each(costs.map((row) => [`${row.name}: ${row.rule}`, row] as const))('%s', (_name, row) => {
    expect(check(row).actualCost).toBe(row.cost);
  });
});
