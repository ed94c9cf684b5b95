import { schemaType } from 'orch-apiserver/cel';
import {
  CALL_LIMIT,
  checkRule,
  compileRule,
  languageOf,
  type PlacedRule,
  REQUEST_LIMIT,
  type Rule,
  type RuleOutcome,
  schemaRules,
} from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { dialectOf } from '../../../src/meta/dialect.js';
import { openApiToSchema } from '../../../src/schema/openapi-to-schema.js';
import { readShared } from '../../support/shared-data.js';

/* Tables of upstream's tests of validation rules beyond those of single expressions. */

type Json = Readonly<Record<string, unknown>>;
const tables: Readonly<Record<string, readonly Json[]>> = readShared('data/k8s-cel/crd-validation-rules.json', {
  tables: {},
}).tables;
const table = <T>(name: string): readonly T[] => (tables[name] ?? []) as unknown as readonly T[];
const { costs } = languageOf(dialectOf('k8s'));

interface Row {
  readonly name: string;
  readonly schema: object;
  readonly obj: unknown;
  readonly oldObj?: unknown;
  readonly errors?: readonly string[];
}

/** Returns the values at a path, each with its old value; elements of lists have none. */
function valuesAt(path: readonly string[], self: unknown, old: unknown): readonly (readonly [unknown, unknown])[] {
  const [first, ...rest] = path;
  if (first === undefined) return self === undefined ? [] : [[self, old]];
  const name = /^properties\[(.*)\]$/.exec(first)?.[1];
  const member = (of: unknown, key: string): unknown => (of as Json | null | undefined)?.[key];
  if (name !== undefined) return valuesAt(rest, member(self, name), member(old, name));
  if (first === 'items') return ((self ?? []) as unknown[]).flatMap((one) => valuesAt(rest, one, undefined));
  return Object.keys((self ?? {}) as object).flatMap((key) => valuesAt(rest, member(self, key), member(old, key)));
}

/** Returns the errors that a server would report for an object. */
function errorsOf({ schema, obj, oldObj }: Row, more: Partial<Rule> = {}): readonly string[] {
  const marked = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'x-kubernetes-validations' ? (value as Rule[]).map((rule) => ({ ...rule, ...more })) : value,
  );
  const budget = { remaining: REQUEST_LIMIT };
  const said = ({ path, compiled, error }: PlacedRule): readonly string[] => {
    if (compiled === undefined) return [error ?? ''];
    return valuesAt(path, obj, oldObj).flatMap(([self, old]) =>
      messagesOf(compiled.evaluate({ self, oldSelf: old }, budget)),
    );
  };
  return schemaRules(openApiToSchema(marked), { costs, resource: false }).flatMap(said);
}
const messagesOf = (outcome: RuleOutcome): readonly string[] => ('message' in outcome ? [outcome.message] : []);

function judge(row: Row, more?: Partial<Rule>): void {
  const found = errorsOf(row, more);
  if ((row.errors ?? []).length === 0) expect(found).toEqual([]);
  // The server determines the path of the error.
  for (const error of row.errors ?? [])
    expect(found.join('\n')).toContain(error.replace(/^Invalid value: "\w+": /, ''));
}

const levels = table<Row>('TestValidationExpressionsAtSchemaLevels');
describe.skipIf(levels.length === 0)(`rules at all levels of a schema: ${levels.length} schemas`, () => {
  it.each(levels.map((row) => [row.name, row] as const))('%s', (_name, row) => judge(row));
});

const optional = ['TestOptionalOldSelf', 'TestOptionalOldSelfCheckForNull', 'TestOptionalOldSelfIsOptionalType'];
describe.skipIf(tables['TestOptionalOldSelf'] === undefined).each(optional)('%s', (name) => {
  it.each(table<Row>(name).map((row) => [row.name, row] as const))('%s', (_name, row) =>
    judge(row, { optionalOldSelf: true }),
  );
});

interface MessageRow {
  readonly name: string;
  readonly message?: string;
  readonly messageExpression: string;
  readonly costBudget: number;
  readonly perCallLimit?: number;
  readonly expectedValidationErr: string;
  readonly expectedLogErr?: string;
  readonly expectedRemainingBudget?: number;
}
/** Rows that cannot occur, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'default rule message used if messageExpression does not eval to string':
    'no such rule is compiled: a definition with it is refused',
};
const all = table<MessageRow>('TestMessageExpression');
const messages = all.filter(({ name }) => LEFT_OUT[name] === undefined);
describe.skipIf(all.length === 0)(`messages that expressions make: ${messages.length} of ${all.length} rules`, () => {
  const place = schemaType(openApiToSchema({ type: 'object', properties: { str: { type: 'string' } } }), {
    name: 'self',
  });
  it.each(messages.map((row) => [row.name, row] as const))('%s', (_name, row) => {
    if (place === undefined) throw new TypeError('no place');
    const { messageExpression, message } = row;
    const rule = { rule: 'false', messageExpression, ...(message === undefined ? {} : { message }) };
    const budget = { remaining: row.costBudget };
    const self = { str: 'a string' };
    const outcome = compileRule(place, rule, { costs }).evaluate({ self }, budget, row.perCallLimit ?? CALL_LIMIT);
    expect(outcome).toMatchObject({ message: expect.stringContaining(row.expectedValidationErr) });
    if (row.expectedLogErr !== undefined) {
      expect(outcome).toMatchObject({ messageError: expect.stringContaining(row.expectedLogErr) });
    }
    const remaining = row.expectedRemainingBudget;
    if (remaining === -1) expect(outcome.result).toBe('exhausted');
    else if (remaining !== undefined) expect(budget.remaining).toBe(remaining);
  });
});

interface Limit {
  readonly name: string;
  readonly schema: object;
  readonly obj: unknown;
  readonly valid: readonly string[];
}
const limits = table<Limit>('TestCELValidationLimit');
describe.skipIf(limits.length === 0)('rules many times over', () => {
  it.each(limits.map((row) => [row.name, row] as const))('%s', (_name, { schema, obj, valid }) => {
    for (const rule of valid) expect(checkRule(schema, rule, { self: obj, dialect: 'k8s' }).result).toBe('valid');
  });
});
