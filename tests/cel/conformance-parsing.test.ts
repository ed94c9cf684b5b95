import {
  getComprehensionSuite,
  getParsingSuite,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { Double, type Expr, ExpressionError, parse, print, Uint } from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

type Row = { readonly expr: string; readonly ast: string | undefined; readonly error: string | undefined };
function rowsOf(suite: IncrementalTestSuite): Row[] {
  const own = suite.tests.map(({ original, ast, error }) => ({ expr: original.expr, ast, error }));
  return [...own, ...suite.suites.flatMap(rowsOf)];
}

/** Prints the syntax tree in the format of the test data, without the kinds. */
function dump(node: Expr): string {
  switch (node.kind) {
    case 'const':
      return constant(node.value);
    case 'ident':
      return node.name;
    case 'select':
      return `${dump(node.operand)}.${node.field}${node.testOnly ? '~test-only~' : ''}`;
    case 'call':
      return `${node.target ? `${dump(node.target)}.` : ''}${node.function}(${node.args.map(dump).join(',')})`;
    case 'list':
      return `[${node.elements.map(dump).join(',')}]`;
    case 'map':
      return `{${node.entries.map((e) => `${e.optional ? '?' : ''}${dump(e.key)}:${dump(e.value)}`).join(',')}}`;
    case 'struct':
      return `${node.type}{${node.fields.map((f) => `${f.optional ? '?' : ''}${f.name}:${dump(f.value)}`).join(',')}}`;
    case 'comprehension':
      return `__comprehension__(${[node.variable, dump(node.range), node.accumulator, ...[node.initial, node.condition, node.step, node.result].map(dump)].join(',')})`;
  }
}
function constant(value: unknown): string {
  if (typeof value === 'string') return 'STRING';
  if (value instanceof Uint8Array) return 'STRING';
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return String(value.value);
  return String(value);
}
const normal = (text: string) =>
  text
    .replace(/b?"(?:[^"\\]|\\.)*"/g, 'STRING')
    .replace(/\^#[^#]*#/g, '')
    .replace(/\/\/ \w+\n/g, '')
    .replace(/\s/g, '');

/** `existsOne` with one variable came after release 1.31. */
const isLater = ({ expr }: Row) => expr.includes('.existsOne(');
const rows = [...rowsOf(getParsingSuite()), ...rowsOf(getComprehensionSuite())].filter((row) => !isLater(row));
const parsed = rows.filter((row) => row.ast !== undefined);

describe('parsing data of cel-spec', () => {
  it.each(parsed.map((row) => [row.expr, row] as const))('%s', (_name, { expr, ast = '' }) => {
    const optionalSyntax = /\.\?|\[\?|[{,]\s*\?/.test(expr);
    const tree = parse(expr, { optionalSyntax });
    if (!/`/.test(expr)) expect(dump(tree.root)).toBe(normal(ast));
    expect(dump(parse(print(tree), { optionalSyntax }).root)).toBe(dump(tree.root));
  });

  const wrong = rows.filter(
    (row) => row.ast === undefined && row.error?.startsWith('ERROR: :') && !/`|limit|depth/.test(row.error),
  );
  it.each(wrong.map((row) => [row.expr, row] as const))('fails: %s', (_name, { expr, error = '' }) => {
    const first = error.split('\nERROR')[0]?.replace('ERROR: :', 'ERROR: <input>:').replace(', ESC_IDENTIFIER', '');
    expect(() => parse(expr)).toThrow(ExpressionError);
    try {
      parse(expr);
    } catch (thrown) {
      expect((thrown as Error).message.split('\nERROR')[0]).toBe(first);
    }
  });
});
