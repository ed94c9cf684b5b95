import * as fc from 'fast-check';
import { parse, print } from 'orch-apiserver/cel';
import { expect, it } from 'vitest';
import { propertyRuns } from '../support/property-runs.js';

const leaf = fc.oneof(
  fc.constantFrom(
    'a',
    'b.c',
    '1',
    '-1',
    '2u',
    '1.5',
    '-0.0',
    'null',
    'true',
    "'x\\n'",
    "b'\\xff'",
    '[]',
    '{}',
    'T{f: 1}',
  ),
  fc.string().map((text) => JSON.stringify(text).replaceAll('\u2028', ' ')),
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '<', '==', 'in', '&&', '||'),
        tie('expression'),
      )
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
    fc.tuple(fc.constantFrom('!', '-'), tie('expression')).map(([sign, one]) => `${sign}(${one})`),
    tie('expression').map((one) => `(${one}).f.all(x, x > (${one}))`),
    tie('expression').map((one) => `[${one}, ?a][?${one}].?g`),
  ),
}));
const plain = (source: string) =>
  JSON.stringify(parse(source, { optionalSyntax: true }).root, (key, value) =>
    key === 'id' || key === 'offset' ? undefined : typeof value === 'bigint' ? `${value}n` : value,
  );

it('prints text that parses to the same tree', () => {
  fc.assert(
    fc.property(expression, (source) => {
      let tree: string;
      try {
        tree = plain(source);
      } catch {
        return;
      }
      expect(plain(print(parse(source, { optionalSyntax: true })))).toBe(tree);
    }),
    { numRuns: propertyRuns(300) },
  );
});

it.each(['-((-0.0).f.all(x, x > 1))', '-((-1).f)', '-(1.f)', '-(-a)', '!(-a)', 'toString(a, b)', 'a.constructor(b)'])(
  'prints %s so that it parses to the same tree',
  (source) => {
    expect(plain(print(parse(source)))).toBe(plain(source));
  },
);
