import { expect, it } from 'vitest';
import { checkRule } from '../../../src/cel/contexts/check-rule.js';

// Spec 19.5.
it.each([
  ['orch', 40],
  ['k8s', 10],
] as const)('a list literal of %s costs %d', (dialect, cost) => {
  const costOf = (rule: string) => checkRule({ type: 'integer' }, rule, { self: 1, dialect }).actualCost ?? Number.NaN;
  expect(costOf('size([self]) == 1') - costOf('self == 1')).toBe(cost + 1); // and one for the call
});
