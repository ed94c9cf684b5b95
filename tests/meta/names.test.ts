import { describe, expect, it } from 'vitest';
import {
  configMapKey,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelValue,
  nameIsDns1123Label,
  nameIsDns1123Subdomain,
  nameIsPathSegment,
  pathSegment,
  qualifiedName,
  type Validator,
} from '../../src/meta/names.js';
import { cases, goldenSteps, hasSharedData, type RecordedStatus } from '../support/shared-data.js';

const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NAME_PART_TEXT =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe.skipIf(!hasSharedData)('the upstream tables of names', () => {
  const tables: [string, Validator, string, string][] = [
    ['TestIsDNS1123Label', dns1123Label, 'goodValues', 'badValues'],
    ['TestIsDNS1123Subdomain', dns1123Subdomain, 'goodValues', 'badValues'],
    ['TestIsDNS1035Label', dns1035Label, 'goodValues', 'badValues'],
    ['TestIsQualifiedName', qualifiedName, 'successCases', 'errorCases'],
    ['TestIsValidLabelValue', labelValue, 'successCases', 'errorCases'],
    ['TestIsConfigMapKey', configMapKey, 'successCases', 'failureCases'],
  ];
  for (const [test, validate, good, bad] of tables) {
    it(test, () => {
      for (const value of cases<string[]>('meta-names', test, good)) expect(validate(value), value).toEqual([]);
      for (const value of cases<string[]>('meta-names', test, bad)) expect(validate(value), value).not.toEqual([]);
    });
  }

  it('TestValidatePathSegmentName', () => {
    type Case = { Name: string; Prefix: boolean; ExpectedMsg: string };
    const all = cases<Record<string, Case>>('meta-names', 'TestValidatePathSegmentName', 'testcases');
    for (const { Name, Prefix, ExpectedMsg } of Object.values(all)) {
      const problems = nameIsPathSegment(Name, Prefix).join();
      if (ExpectedMsg === '') expect(problems, Name).toBe('');
      else expect(problems, Name).toContain(ExpectedMsg);
    }
  });

  it('the recorded names of the server', () => {
    const rules = { ServiceAccount: nameIsDns1123Subdomain, Namespace: nameIsDns1123Label, Role: nameIsPathSegment };
    let seen = 0;
    for (const { step, body } of goldenSteps<RecordedStatus | undefined>('resources/metadata-names')) {
      const match = /^create (ServiceAccount|Namespace|Role) (".*")$/.exec(step);
      if (match === null) continue;
      const name: string = JSON.parse(match[2] ?? '');
      const told = body?.details?.causes?.filter((c) => c.field === 'metadata.name') ?? [];
      // The cast is safe, because the pattern matches only the keys of the table.
      const problems = rules[match[1] as keyof typeof rules](name, false);
      expect(problems.map((p) => `Invalid value: ${JSON.stringify(name)}: ${p}`)).toEqual(told.map((c) => c.message));
      seen++;
    }
    expect(seen).toBeGreaterThan(15);
  });
});

describe('messages', () => {
  it.each<[Validator, string, string[]]>([
    [dns1123Subdomain, 'Bad', [SUBDOMAIN_TEXT]],
    [dns1123Subdomain, `B${'x'.repeat(253)}`, ['must be no more than 253 characters', SUBDOMAIN_TEXT]],
    [dns1123Label, 'a.b', ['must not contain dots']],
    [dns1123Label, `${'x'.repeat(63)}.b`, ['must be no more than 63 characters', 'must not contain dots']],
    [dns1123Label, 'x'.repeat(64), ['must be no more than 63 characters']],
    [qualifiedName, '/a', ['prefix part must be non-empty']],
    [qualifiedName, 'Bad/a', [`prefix part ${SUBDOMAIN_TEXT}`]],
    [qualifiedName, 'a/', ['name part must be non-empty', NAME_PART_TEXT]],
    [qualifiedName, 'ä'.repeat(32), ['name part must be no more than 63 characters', NAME_PART_TEXT]],
    [pathSegment, '..', ["may not be '..'"]],
    [pathSegment, 'a/b%', ["may not contain '/'", "may not contain '%'"]],
    [configMapKey, '..', ["must not be '..'"]],
    [configMapKey, '..a', ["must not start with '..'"]],
  ])('%o of %s', (validate, value, expected) => {
    expect(validate(value)).toEqual(expected);
  });

  it('accepts a prefix that ends with dashes', () => {
    expect(nameIsDns1123Subdomain('web-', true)).toEqual([]);
    expect(nameIsDns1123Subdomain('web-', false)).toEqual([SUBDOMAIN_TEXT]);
    expect(nameIsDns1123Subdomain('web---', true)).toEqual([]);
    expect(nameIsDns1123Subdomain('-', true)).toEqual([SUBDOMAIN_TEXT]);
  });

  it('refuses very long values in linear time', () => {
    const huge = 400_000;
    for (const value of ['a'.repeat(huge), '-'.repeat(huge), 'a.'.repeat(huge / 2), `${'a-'.repeat(huge / 2)}!`]) {
      for (const validate of [dns1123Label, dns1123Subdomain, qualifiedName, labelValue, configMapKey]) {
        expect(validate(value)[0]).toMatch(/must be no more than \d+ characters/);
      }
    }
  });
});
