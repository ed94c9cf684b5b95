import { describe, expect, it } from 'vitest';
import { parseBoolean, parseInt64, parseQuery } from '../../src/meta/query.js';
import { compareVersions, parseKubeVersion } from '../../src/values/versions.js';
import { parseProblem } from '../support/parse-problem.js';
import { cases, hasSharedData } from '../support/shared-data.js';

describe('the query', () => {
  it.each([
    ['a=1&a=2', ['1', '2']],
    ['a', ['']],
    ['a=', ['']],
    ['a=b=c', ['b=c']],
    ['A=1', []],
    ['', []],
    ['&&a=x&', ['x']],
    ['a=l+in+(a)', ['l in (a)']],
    ['a=1%30', ['10']],
    ['%61=l%3Da', ['l=a']],
    ['a=%C3%A4', ['ä']],
    ['a=%ff', ['\ufffd']],
    ['a=%EF%BB%BFx', ['\ufeffx']],
    ['a=%zz&a=2', ['2']],
    ['a=%4', []],
    ['a=1;b=2&a=3', ['3']],
    ['%zz=1', []],
    ['%&a=1', ['1']],
    ['ba=1&ab=2&b=a&a=3', ['3']],
    ['a=1&%61=2&a=3&%61=%zz&%61=4;&%61', ['1', '2', '3', '']],
  ])('%s', (raw, values) => {
    const query = parseQuery(raw);
    expect(query.all('a')).toEqual(values);
    expect(query.first('a')).toBe(values[0]);
    expect(query.has('a')).toBe(values.length > 0);
  });

  it('finds parameters whose names are percent-encoded', () => {
    const query = parseQuery('a+b=1&%26=2&c%3Dd=3&a b=4&%C3%A4=5&c=d=6');
    expect(query.all('a b')).toEqual(['1', '4']);
    expect([query.first('&'), query.first('c=d'), query.first('\u00e4')]).toEqual(['2', '3', '5']);
  });

  it('accepts any name', () => {
    expect(parseQuery('__proto__=1').first('__proto__')).toBe('1');
    expect(parseQuery('').first('constructor')).toBeUndefined();
  });

  it.each([
    [undefined, undefined],
    ['', true],
    ['0', false],
    ['false', false],
    ['FALSE', false],
    ['maybe', true],
    ['true', true],
  ])('the boolean %s is %s', (text, value) => {
    expect(parseBoolean(text)).toBe(value);
  });
});

describe('numbers', () => {
  it('reads integers', () => {
    expect(parseInt64('-5')).toBe(-5);
    expect(parseInt64('+0010')).toBe(10);
  });
  it.each([
    ['x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['1_0', 'strconv.ParseInt: parsing "1_0": invalid syntax'],
    ['1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['9223372036854775808', 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['-9223372036854775809', 'strconv.ParseInt: parsing "-9223372036854775809": value out of range'],
  ])('refuses %s', (text, message) => {
    expect(parseProblem(parseInt64, text)).toBe(message);
  });
});

describe('versions', () => {
  it('orders the preferred version first', () => {
    const versions = ['foo10', 'v1', 'v11alpha2', 'foo1', 'v3beta1', 'v12alpha1', 'v10', 'v11beta2', 'v10beta3', 'v2'];
    expect(versions.sort(compareVersions)).toEqual([
      ...['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'],
    ]);
  });
  it.skipIf(!hasSharedData)('agrees with the upstream tables', () => {
    type Case = { v1: string; v2: string; expectedGreater: boolean };
    for (const c of cases<Case[]>('meta-version', 'TestCompareKubeAwareVersionStrings', 'tests')) {
      expect(compareVersions(c.v1, c.v2) < 0, `${c.v1} ${c.v2}`).toBe(c.expectedGreater);
    }
    for (const c of cases<{ v: string; wantOk: boolean }[]>('meta-version', 'Test_parseKubeVersion', 'tests')) {
      expect(parseKubeVersion(c.v) !== undefined).toBe(c.wantOk);
    }
  });
});
