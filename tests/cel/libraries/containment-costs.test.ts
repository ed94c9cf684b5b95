import { checkRule } from 'orch-apiserver/cel/rules';
import { expect, it } from 'vitest';

const rule = (expression: string) =>
  checkRule({ type: 'array', items: { type: 'string' } }, expression, { self: ['1.2.3.4'] });

it.each([
  ['cidr("1.2.3.4/8").containsIP("1.2.3.4")', 3],
  ['cidr("1.2.3.4/8").containsIP(dyn("1.2.3.4"))', 2],
  ['cidr("1::/1").containsCIDR(dyn("1::/1"))', 4],
  // The argument fails, but the checker knows that it is a string.
  ['cidr("1.2.3.4/8").containsIP(self[1])', 5],
  ['cidr("1.2.3.4/8").containsIP(dyn(self[1]))', 5],
])('%s costs %d, and reads only an argument that is declared as a string', (expression, cost) => {
  expect(rule(expression).actualCost).toBe(cost);
});

it('estimates only the separators of joined values without a declared type', () => {
  const estimateOf = (expression: string) => rule(`${expression} == ""`).estimatedCost?.max;
  expect(estimateOf('dyn(self).join()')).toBeLessThan(10);
  expect(estimateOf('self.join()')).toBeGreaterThan(100_000);
});
