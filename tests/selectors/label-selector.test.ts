import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from '../../src/selectors/field-selector.js';
import { type LabelOperator, type LabelRequirement, labelRequirement } from '../../src/selectors/label-requirement.js';
import {
  everyLabel,
  formatLabelSelector,
  labelSelector,
  noLabel,
  parseLabelSelector,
} from '../../src/selectors/label-selector.js';
import { labelSelectorOf, validateLabelSelector } from '../../src/selectors/label-selector-object.js';
import { parseProblem } from '../support/parse-problem.js';
import { propertyRuns } from '../support/property-runs.js';
import { cases, goldenSteps, hasSharedData, type RecordedStatus } from '../support/shared-data.js';

type Listed = { key: string; operator: LabelOperator; values?: string[] | null; strValues?: string[] };
const selectorOf = (list: Listed[]) =>
  labelSelector(
    list.map(({ key, operator, values, strValues }) => labelRequirement(key, operator, values ?? strValues ?? [])),
  );

/** The values that upstream's table states as a set. */
const asSet = ({ values, strValues, ...rest }: Listed): Listed => ({
  ...rest,
  values: [...new Set(values ?? strValues ?? [])].sort(),
});

describe.skipIf(!hasSharedData)('recorded and upstream cases', () => {
  it('reports parse errors as upstream does', () => {
    let seen = 0;
    for (const { step, body, status } of goldenSteps<RecordedStatus | undefined>('list/label-selector-errors')) {
      const match = /^selector (".*")$/.exec(step);
      if (match === null) continue;
      const problem = parseProblem(parseLabelSelector, JSON.parse(match[1] ?? ''));
      expect(problem, step).toBe(status === 200 ? undefined : body?.message);
      seen++;
    }
    expect(seen).toBeGreaterThan(30);
  });

  it('accepts and refuses as TestSelectorParse', () => {
    for (const good of cases<string[]>('meta-labels', 'TestSelectorParse', 'testGoodStrings')) {
      expect(formatLabelSelector(parseLabelSelector(good))).toBe(good.replaceAll(' ', ''));
    }
    for (const bad of cases<string[]>('meta-labels', 'TestSelectorParse', 'testBadStrings')) {
      expect(parseProblem(parseLabelSelector, bad), bad).toBeDefined();
    }
  });

  it('parses as TestSetSelectorParser', () => {
    type Case = { In: string; Out: Listed[] | null; Match: boolean; Valid: boolean };
    for (const { In, Out, Match, Valid } of cases<Case[]>(
      'meta-labels',
      'TestSetSelectorParser',
      'setSelectorParserTests',
    )) {
      if (!Valid) expect(parseProblem(parseLabelSelector, In), In).toBeDefined();
      else if (Array.isArray(Out) && Match)
        expect(parseLabelSelector(In).requirements, In).toEqual(selectorOf(Out.map(asSet)).requirements);
    }
  });

  it('formats as TestToString', () => {
    type Case = { In: Listed[]; Out: string; Valid: boolean };
    for (const { In, Out, Valid } of cases<Case[]>('meta-labels', 'TestToString', 'toStringTests')) {
      if (Valid)
        expect(formatLabelSelector(selectorOf(In)).split(/,(?=[^)]*(?:\(|$))/)).toEqual(
          Out.split(/,(?=[^)]*(?:\(|$))/),
        );
    }
  });

  it('matches as TestRequirementSelectorMatching', () => {
    type Case = { Set: Record<string, string>; Sel: Listed[]; Match: boolean };
    for (const { Set: labels, Sel, Match } of cases<Case[]>(
      'meta-labels',
      'TestRequirementSelectorMatching',
      'labelSelectorMatchingTests',
    )) {
      if (Sel.every((r) => r.key !== undefined)) expect(selectorOf(Sel).matches(labels)).toBe(Match);
    }
  });
});

describe('lists of values', () => {
  it.each([
    ['a in (b,c)', ['b', 'c']],
    ['a in ()', ['']],
    ['a in (,)', ['']],
    ['a in (,b)', ['', 'b']],
    ['a in (b,)', ['', 'b']],
    ['a in (b,,c)', ['', 'b', 'c']],
    ['a in (in,notin)', ['in', 'notin']],
    ['in in (a)', ['a']],
  ])('%s', (text, values) => {
    expect(parseLabelSelector(text).requirements[0]?.values).toEqual(values);
  });

  it.each([
    ['a in (,,)', "unable to parse requirement: found ')', expected: ',', or identifier"],
    ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in (b=c)', "unable to parse requirement: found '=', expected: ',' or ')'"],
    ['a in (b,=c)', "unable to parse requirement: found '=', expected: ',', or identifier"],
    ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['a>1,b<-', /^unable to parse requirement: \[values\[0\]: .* must be an integer, values\[0\]\[b\]: .*\]$/],
  ])('%s is refused', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(message);
  });
});

describe('objects', () => {
  it('selects nothing when absent and everything when empty', () => {
    expect(labelSelectorOf(undefined)).toBe(noLabel);
    expect(labelSelectorOf({})).toBe(everyLabel);
    expect(noLabel.matches({ a: 'b' })).toBe(false);
    expect(everyLabel.matches(undefined)).toBe(true);
  });

  it('joins labels and expressions', () => {
    const selector = labelSelectorOf({
      matchLabels: { b: '1' },
      matchExpressions: [
        { key: 'a', operator: 'NotIn', values: ['y', 'x'] },
        { key: 'c', operator: 'DoesNotExist' },
      ],
    });
    expect(formatLabelSelector(selector)).toBe('a notin (x,y),b=1,!c');
  });

  it('keeps repeated values of an expression, but not those of a text', () => {
    const selector = labelSelectorOf({ matchExpressions: [{ key: 'a', operator: 'In', values: ['y', 'x', 'y'] }] });
    expect(formatLabelSelector(selector)).toBe('a in (x,y,y)');
    expect(formatLabelSelector(parseLabelSelector('a in (y,x,y)'))).toBe('a in (x,y)');
  });

  it('reports what is wrong with a selector', () => {
    const object = {
      matchLabels: { 'a b': 'c' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'Exists', values: ['x'] },
        { key: '-', operator: 'Near', values: ['-'] },
      ],
    };
    expect(validateLabelSelector(object, 'spec.selector').map(({ path, type }) => `${path} ${type}`)).toEqual([
      'spec.selector.matchLabels Invalid',
      'spec.selector.matchExpressions[0].values Required',
      'spec.selector.matchExpressions[1].values Forbidden',
      'spec.selector.matchExpressions[2].operator Invalid',
      'spec.selector.matchExpressions[2].key Invalid',
      'spec.selector.matchExpressions[2].values[0] Invalid',
    ]);
    expect(() => labelSelectorOf({ matchExpressions: [{ key: 'a', operator: 'Near' }] })).toThrow(
      '"Near" is not a valid label selector operator',
    );
  });
});

describe('hostile labels', () => {
  it('treats inherited members as absent', () => {
    expect(parseLabelSelector('constructor').matches({})).toBe(false);
    expect(parseLabelSelector('!constructor,a').matches({ a: '' })).toBe(true);
    expect(parseLabelSelector('toString!=x,valueOf notin (x)').matches({})).toBe(true);
  });
});

describe('properties', () => {
  const key = fc.constantFrom('a', 'b', 'example.com/a', 'in', 'notin', 'constructor');
  const value = fc.constantFrom('', 'a', 'b', 'in', '1', '2', '10', '-5x'.slice(1));
  const requirement: fc.Arbitrary<LabelRequirement> = fc
    .oneof(
      fc.tuple(key, fc.constantFrom<LabelOperator>('in', 'notin'), fc.array(value, { minLength: 1, maxLength: 4 })),
      fc.tuple(key, fc.constantFrom<LabelOperator>('=', '==', '!='), fc.tuple(value)),
      fc.tuple(key, fc.constantFrom<LabelOperator>('exists', '!'), fc.constant([])),
      fc.tuple(key, fc.constantFrom<LabelOperator>('gt', 'lt'), fc.tuple(fc.nat().map(String))),
    )
    .map(([k, operator, values]) => labelRequirement(k, operator, [...new Set(values)].sort()));
  const selector = fc.array(requirement, { maxLength: 5 }).map(labelSelector);

  it('parses what it formats', () => {
    fc.assert(
      fc.property(selector, (s) => {
        expect(parseLabelSelector(formatLabelSelector(s)).requirements).toEqual(s.requirements);
      }),
    );
  });

  it('matches according to its definition', () => {
    const holds = ({ key: k, operator, values }: LabelRequirement, labels: Map<string, string>): boolean => {
      const found = labels.get(k);
      const isIn = found !== undefined && values.includes(found);
      const integer = found !== undefined && /^\d+$/.test(found) ? Number(found) : Number.NaN;
      if (operator === 'exists') return found !== undefined;
      if (operator === '!') return found === undefined;
      if (operator === 'gt') return integer > Number(values[0]);
      if (operator === 'lt') return integer < Number(values[0]);
      return operator === 'notin' || operator === '!=' ? !isIn : isIn;
    };
    fc.assert(
      fc.property(selector, fc.array(fc.tuple(key, value)), (s, pairs) => {
        const labels = new Map(pairs);
        expect(s.matches(Object.fromEntries(labels))).toBe(s.requirements.every((r) => holds(r, labels)));
      }),
    );
  });

  it('never throws anything but a ParseError', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a=!(),<> \u0000-in') }), (text) => {
        parseProblem(parseLabelSelector, text);
      }),
    );
  });
});

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
  it('select the objects that each of them selects', () => {
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 14 }), fc.dictionary(key, value), (requirements, labels) => {
        expect(labelSelector(requirements).matches(labels)).toBe(requirements.every((one) => holds(one, labels)));
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it.each([
    ['for absence', (i: number) => `!k${i}`],
    ['for other values', (i: number) => `k${i}!=v`],
    ['for presence', (i: number) => `k${i}`],
    ['for one label in all requirements', (i: number) => `k notin (v${i})`],
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
