import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from '../../src/selectors/field-selector.js';
import { type LabelOperator, type LabelRequirement, labelRequirement } from '../../src/selectors/label-requirement.js';
import { labelSelector, parseLabelSelector } from '../../src/selectors/label-selector.js';
import { propertyRuns } from '../support/property-runs.js';

const numbered = (n: number, make: (i: number) => string) => Array.from({ length: n }, (_, i) => make(i)).join();

/** What one requirement asks, as the API describes it. */
function holds({ key, operator, values }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const isIn = value !== undefined && values.includes(value);
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return isIn;
    case '!=':
    case 'notin':
      return !isIn;
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
    case 'lt': {
      if (value === undefined || !/^[+-]?\d+$/.test(value)) return false;
      return operator === 'gt' ? BigInt(value) > BigInt(values[0] ?? '') : BigInt(value) < BigInt(values[0] ?? '');
    }
  }
}

describe('requirements that are compiled together', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'constructor', ...Array.from({ length: 8 }, (_, i) => `k${i}`));
  const value = fc.constantFrom('1', '2', '10', 'x', '');
  const requirement = fc
    .tuple(key, fc.constantFrom<LabelOperator>('in', 'notin', '=', '==', '!=', 'exists', '!', 'gt', 'lt'), value, value)
    .map(([name, operator, one, other]) => {
      if (operator === 'gt' || operator === 'lt') return labelRequirement(name, operator, [/\d/.test(one) ? one : '5']);
      const values = { in: [one, other], notin: [one, other], exists: [], '!': [] }[operator as string] ?? [one];
      return labelRequirement(name, operator, values);
    });
  it('select what each of them selects', () => {
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 14 }), fc.dictionary(key, value), (requirements, labels) => {
        expect(labelSelector(requirements).matches(labels)).toBe(requirements.every((one) => holds(one, labels)));
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it.each([
    ['absence', (i: number) => `!k${i}`],
    ['other values', (i: number) => `k${i}!=v`],
    ['presence', (i: number) => `k${i}`],
    ['one label, again and again', (i: number) => `k notin (v${i})`],
  ])('read each label of an object once at most: %s', (_, term) => {
    const { matches } = parseLabelSelector(numbered(1000, term));
    let reads = 0;
    const labels: Record<string, string> = {};
    const get = () => {
      reads++;
      return 'a value';
    };
    for (const name of ['k', 'x', 'y']) Object.defineProperty(labels, name, { enumerable: true, get });
    matches(labels);
    expect(reads).toBeLessThanOrEqual(3);
  });
});

describe('selectors of requests', () => {
  it('have at most 1,000 requirements', () => {
    expect(parseLabelSelector(numbered(1000, (i) => `!k${i}`)).requirements).toHaveLength(1000);
    expect(() => parseLabelSelector(numbered(1001, (i) => `!k${i}`))).toThrow(
      'invalid selector: it has more than 1000 requirements',
    );
    expect(parseFieldSelector(numbered(1000, (i) => `f!=${i}`)).requirements).toHaveLength(1000);
    expect(() => parseFieldSelector(numbered(1001, (i) => `f!=${i}`))).toThrow('more than 1000 requirements');
  });
  it('have at most 10,000 values', () => {
    expect(parseLabelSelector(`k in (${numbered(10_000, (i) => `v${i}`)})`).requirements).toHaveLength(1);
    expect(() => parseLabelSelector(`k in (${numbered(10_001, (i) => `v${i}`)})`)).toThrow('more than 10000 values');
  });
  it('read each field of an object once', () => {
    let reads = 0;
    parseFieldSelector(numbered(1000, (i) => `metadata.name!=n${i}`)).matches(() => {
      reads++;
      return 'x';
    });
    expect(reads).toBe(1);
  });
});
