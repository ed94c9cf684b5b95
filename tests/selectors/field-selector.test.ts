import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeFieldValue,
  fieldSelector,
  formatFieldSelector,
  parseFieldSelector,
  requiredFieldValue,
  unsupportedField,
} from '../../src/selectors/field-selector.js';
import { parseProblem } from '../../src/values/parse-error.js';
import { cases, goldenSteps, hasSharedData } from '../meta/shared-data.js';

describe.skipIf(!hasSharedData)('recorded and upstream cases', () => {
  it('accepts and refuses as TestSelectorParse', () => {
    for (const good of cases<string[]>('meta-fields', 'TestSelectorParse', 'testGoodStrings')) {
      expect(formatFieldSelector(parseFieldSelector(good))).toBe(good);
    }
    for (const bad of cases<string[]>('meta-fields', 'TestSelectorParse', 'testBadStrings')) {
      expect(parseProblem(parseFieldSelector, bad), bad).toBeDefined();
    }
  });

  it('escapes as TestEscapeValue', () => {
    for (const [plain, escaped] of Object.entries(
      cases<Record<string, string>>('meta-fields', 'TestEscapeValue', 'testcases'),
    )) {
      expect(escapeFieldValue(plain)).toBe(escaped);
      expect(parseFieldSelector(`f=${escaped}`).requirements[0]?.value).toBe(plain);
    }
    for (const bad of cases<string[]>('meta-fields', 'TestEscapeValue', 'invalidTestcases')) {
      expect(parseProblem(parseFieldSelector, `f=${bad}`)).toMatch(
        /^invalid field selector: invalid escape sequence: \\/,
      );
    }
  });

  it('tells errors as the server does', () => {
    const own: Record<string, string[]> = {
      secrets: ['metadata.name', 'metadata.namespace', 'type'],
      namespaces: ['metadata.name', 'status.phase'],
      certificatesigningrequests: ['metadata.name', 'spec.signerName'],
      clustertrustbundles: ['metadata.name', 'spec.signerName'],
      nodes: ['metadata.name', 'spec.unschedulable'],
    };
    for (const { step, body, status } of goldenSteps('list/field-selectors')) {
      const match = /^(\w+): (".*")$/.exec(step);
      if (match === null) continue;
      const text: string = JSON.parse(match[2] ?? '');
      const parsed = parseProblem(parseFieldSelector, text);
      const problem = parsed ?? unsupportedField(parseFieldSelector(text), own[match[1] ?? '']);
      expect(problem, step).toBe(status === 200 ? undefined : body?.message);
    }
  });
});

describe('matching', () => {
  const get = (field: string) => ({ 'metadata.name': 'a', type: 'x' })[field] ?? '';
  it.each([
    ['', true],
    ['metadata.name=a', true],
    ['metadata.name==a,type!=y', true],
    ['metadata.name=a,metadata.name=b', false],
    ['absent=', true],
    ['absent!=', false],
    [',', true],
  ])('%s', (text, expected) => {
    expect(parseFieldSelector(text).matches(get)).toBe(expected);
  });

  it('finds the value a field must have', () => {
    expect(requiredFieldValue(parseFieldSelector('a!=b,metadata.name=n'), 'metadata.name')).toBe('n');
    expect(requiredFieldValue(parseFieldSelector('metadata.name!=n'), 'metadata.name')).toBeUndefined();
  });
});

describe('properties', () => {
  const requirement = fc.record({
    field: fc.constantFrom('metadata.name', 'type', 'a.b'),
    operator: fc.constantFrom<'=' | '!='>('=', '!='),
    value: fc.string(),
  });
  it('parses what it formats', () => {
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const parsed = parseFieldSelector(formatFieldSelector(fieldSelector(requirements)));
        expect(new Set(parsed.requirements.map((r) => JSON.stringify(r)))).toEqual(
          new Set(requirements.map((r) => JSON.stringify(r))),
        );
        expect(formatFieldSelector(parseFieldSelector(formatFieldSelector(parsed)))).toBe(formatFieldSelector(parsed));
      }),
    );
  });
});
