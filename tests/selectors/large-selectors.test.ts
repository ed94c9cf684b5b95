import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from '../../src/selectors/field-selector.js';
import { type LabelOperator, type Labels, labelRequirement } from '../../src/selectors/label-requirement.js';
import { labelSelector, parseLabelSelector } from '../../src/selectors/label-selector.js';

const list = (count: number, term: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => term(i)).join(',');

describe('large selectors', () => {
  it('are refused beyond 1,000 terms', () => {
    expect(() => parseLabelSelector(list(1000, (i) => `!x${i}`))).not.toThrow();
    expect(() => parseLabelSelector(list(1001, (i) => `!x${i}`))).toThrow('a selector has at most 1000 terms');
    expect(() => parseFieldSelector(list(1000, (i) => `metadata.name!=x${i}`))).not.toThrow();
    expect(() => parseFieldSelector(list(1001, (i) => `metadata.name!=x${i}`))).toThrow(
      'a selector has at most 1000 terms',
    );
  });

  it('are refused beyond 10,000 values', () => {
    expect(() => parseLabelSelector(`a in (${list(10_000, (i) => `x${i}`)})`)).not.toThrow();
    const half = list(5001, (i) => `x${i}`);
    expect(() => parseLabelSelector(`a in (${half}),b notin (${half})`)).toThrow('a selector has at most 10000 values');
  });

  it('select what their terms select one by one', () => {
    const key = fc.integer({ min: 0, max: 11 }).map((i) => `k${i}`);
    const value = fc.constantFrom('', '1', '2', '3', 'a');
    const terms = fc.oneof<fc.MaybeWeightedArbitrary<[string, LabelOperator, string[]]>[]>(
      fc.tuple(key, fc.constantFrom<LabelOperator>('=', '!='), fc.tuple(value)),
      fc.tuple(key, fc.constantFrom<LabelOperator>('in', 'notin'), fc.array(value, { minLength: 1 })),
      fc.tuple(key, fc.constantFrom<LabelOperator>('exists', '!'), fc.constant([])),
      fc.tuple(key, fc.constantFrom<LabelOperator>('gt', 'lt'), fc.tuple(fc.constantFrom('1', '2', '3'))),
    );
    fc.assert(
      fc.property(fc.array(terms, { maxLength: 24 }), fc.option(fc.dictionary(key, value)), (given, labels) => {
        const all = given.map((term) => labelRequirement(...term));
        const expected = given.every((term) => oneByOne(...term, labels ?? undefined));
        expect(labelSelector(all).matches(labels ?? undefined)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

function oneByOne(key: string, operator: LabelOperator, values: readonly string[], labels: Labels): boolean {
  const value = labels?.[key];
  const [only = ''] = values;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'gt':
    case 'lt':
      if (value === undefined || !/^\d+$/.test(value)) return false;
      return operator === 'gt' ? Number(value) > Number(only) : Number(value) < Number(only);
    default:
      return value !== undefined && values.includes(value);
  }
}
