import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldSelector, parseFieldSelector, requiredFieldValue } from '../../src/selectors/field-selector.js';
import { ask } from '../support/ask.js';
import { parseProblem } from '../support/parse-problem.js';
import { openServer } from '../support/servers.js';
import { cases, goldenSteps, hasSharedData, type RecordedStatus } from '../support/shared-data.js';
import { formatFieldSelector } from './format.js';

/** Collections whose selectors were recorded. */
const PATHS = [
  ...['secrets', 'configmaps', 'serviceaccounts', 'namespaces', 'nodes'].map((resource) => `/api/v1/${resource}`),
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  '/apis/coordination.k8s.io/v1/leases',
];

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
      const [requirement] = parseFieldSelector(`f=${escaped}`).requirements;
      expect(requirement?.value).toBe(plain);
    }
    for (const bad of cases<string[]>('meta-fields', 'TestEscapeValue', 'invalidTestcases')) {
      expect(parseProblem(parseFieldSelector, `f=${bad}`)).toMatch(
        /^invalid field selector: invalid escape sequence: \\/,
      );
    }
  });

  it('reports errors as upstream does', async () => {
    await using server = await openServer();
    let seen = 0;
    for (const { step, body, status } of goldenSteps<RecordedStatus | undefined>('list/field-selectors')) {
      const [, resource, text] = /^(\w+): (".*")$/.exec(step) ?? [];
      const path = PATHS.find((each) => each.endsWith(`/${resource}`));
      if (path === undefined || text === undefined) continue;
      const query = `fieldSelector=${encodeURIComponent(JSON.parse(text))}`;
      const answer = await ask(server, { path, query });
      const problem = answer.status === 200 ? undefined : answer.message;
      expect([answer.status, problem], step).toEqual([status, status === 200 ? undefined : body?.message]);
      seen++;
    }
    expect(seen).toBeGreaterThan(10);
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

  it('finds the value that a field must have', () => {
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
