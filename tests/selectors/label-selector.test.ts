import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LabelOperator, type LabelRequirement, labelRequirement } from '../../src/selectors/label-requirement.js';
import { everyLabel, labelSelector, noLabel, parseLabelSelector } from '../../src/selectors/label-selector.js';
import { labelSelectorOf, validateLabelSelector } from '../../src/selectors/label-selector-object.js';
import { parseProblem } from '../support/parse-problem.js';
import { cases, goldenSteps, hasSharedData, type RecordedStatus } from '../support/shared-data.js';
import { formatLabelSelector } from './format.js';

type Listed = { key: string; operator: LabelOperator; values?: string[] | null; strValues?: string[] };
const selectorOf = (list: Listed[]) =>
  labelSelector(
    list.map(({ key, operator, values, strValues }) => labelRequirement(key, operator, values ?? strValues ?? [])),
  );

describe.skipIf(!hasSharedData)('recorded and upstream cases', () => {
  it('tells parse errors as the server does', () => {
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
        expect(parseLabelSelector(In).requirements, In).toEqual(selectorOf(Out).requirements);
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

  it('tells what is wrong with one', () => {
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
  it('takes inherited members for absent', () => {
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
    .map(([k, operator, values]) => labelRequirement(k, operator, values));
  const selector = fc.array(requirement, { maxLength: 5 }).map(labelSelector);

  it('parses what it formats', () => {
    fc.assert(
      fc.property(selector, (s) => {
        expect(parseLabelSelector(formatLabelSelector(s)).requirements).toEqual(s.requirements);
      }),
    );
  });

  it('matches as its words say', () => {
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
