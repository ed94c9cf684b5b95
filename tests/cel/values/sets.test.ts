import { type CheckRuleOptions, checkRule } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';

const set = (items: object) => ({
  type: 'object',
  properties: { a: { type: 'array', 'x-kubernetes-list-type': 'set', items }, b: { type: 'array', items } },
});
const judge = (items: object, rule: string, self: CheckRuleOptions['self']) =>
  checkRule(set(items), rule, { self }).result;

describe('lists that are sets', () => {
  const text = { type: 'string' };
  it('are equal with the same elements in any order', () => {
    expect(judge(text, 'self.a == self.b', { a: ['x', 'y'], b: ['y', 'x'] })).toBe('valid');
    expect(judge(text, 'self.a == self.b', { a: ['x', 'y'], b: ['y', 'z'] })).toBe('invalid');
    // The list has as many elements as the set, all of which the set contains. Upstream checks no more than that.
    expect(judge(text, 'self.a == self.b', { a: ['x', 'y'], b: ['x', 'x'] })).toBe('valid');
    expect(judge(text, 'self.b == self.a', { a: ['x', 'y'], b: ['x', 'x'] })).toBe('invalid');
  });
  it('compare numbers by value', () => {
    expect(judge({ type: 'number' }, 'self.a == [2, 1]', { a: [1, 2], b: [] })).toBe('error');
    expect(judge({ type: 'number' }, 'self.a == [2.0, 1.0]', { a: [1, 2], b: [] })).toBe('valid');
    expect(judge({ type: 'number' }, 'self.a == dyn([2, 1])', { a: [1, 2], b: [] })).toBe('valid');
  });
  it('add missing elements, objects included', () => {
    const object = { type: 'object', properties: { k: text, v: { type: 'integer' } } };
    const a = [
      { k: 'x', v: 1 },
      { k: 'x', v: 2 },
    ];
    expect(judge(object, '(self.a + self.a).size() == 2', { a })).toBe('valid');
    expect(judge(text, 'self.a + self.b == ["x", "y", "z"]', { a: ['x', 'y'], b: ['y', 'z'] })).toBe('valid');
  });
  it('are compared in time proportional to their size', () => {
    const many = Array.from({ length: 50_000 }, (_, i) => `element-${i}`);
    expect(
      judge(text, 'self.a == self.b && (self.a + self.b).size() == 50000', { a: many, b: many.toReversed() }),
    ).toBe('valid');
  });
});
