import { describe, expect, it } from 'vitest';
import { formatPathElement, keyElement, parsePathElement, valueElement } from '../../src/fields/paths/path-element.js';
import { itemElement } from '../../src/fields/typed/item-element.js';
import type { JsonValue } from '../../src/json/value.js';

describe('path elements', () => {
  it.each<[string, string]>([
    ['a\bb', String.raw`v:"a\u0008b"`],
    ['a\fb', String.raw`v:"a\u000cb"`],
    ['a\nb', String.raw`v:"a\nb"`],
    [String.raw`a\bb`, String.raw`v:"a\\bb"`],
    ['<&>', String.raw`v:"\u003c\u0026\u003e"`],
  ])('escape the value %j as upstream does', (value, element) => {
    expect(valueElement(value)).toBe(element);
    expect(parsePathElement(`v:${JSON.stringify(value)}`)).toBe(element);
  });

  it('escape angle brackets in the values of keys, but not in their names', () => {
    const element = String.raw`k:{"a<b":"\u003c"}`;
    expect(keyElement({ 'a<b': '<' })).toBe(element);
    const properties = new Map([['a<b', { schema: { type: 'string' } as const }]]);
    const items = { type: 'object', properties } as const;
    expect(itemElement({ type: 'list', listType: 'map', mapKeys: ['a<b'], items }, { 'a<b': '<' })).toBe(element);
  });

  it.each<[JsonValue, string]>([
    [3, '[=3]'],
    [1234567, '[=1234567]'],
    [0.0001, '[=0.0001]'],
    [0.00001, '[=1e-05]'],
    [1234567.5, '[=1.2345675e+06]'],
    [1e21, '[=1e+21]'],
  ])('show the number %j like upstream', (value, text) => {
    expect(formatPathElement(valueElement(value))).toBe(text);
  });

  it('print keys in the order of their names, even if these are numbers', () => {
    expect(formatPathElement(keyElement({ 9: 'a', 10: 'b' }))).toBe('[10="b",9="a"]');
  });
});
