import { check, compile } from 'orch-apiserver/cel';
import { releaseEnvironment } from 'orch-apiserver/cel/rules';
import { expect, it } from 'vitest';

function costOf(source: string, strictCosts: boolean): number {
  const environment = releaseEnvironment([], { strictCosts });
  return compile(environment, check(environment, environment.parse(source)), { fold: false }).evaluate({}).cost;
}

it.each([
  // The library defines the cost.
  ["'x123456789x123456789x123456789'.lowerAscii()", 3, 1],
  ["isQuantity('1000000000000000000000')", 3, 1],
  // The language defines the cost.
  ["strings.quote('x123456789x123456789x123456789')", 3, 3],
  ["'x123456789x123456789x123456789'.format([])", 3, 3],
  ["'x123456789x123456789x123456789'.startsWith('x')", 3, 3],
])('%s has the cost of its library only with strict costs', (source, strict, otherwise) => {
  expect(costOf(source, true)).toBe(strict);
  expect(costOf(source, false)).toBe(otherwise);
});
