import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/custom-resources/columns.js';
import { compileJsonPath, PathError } from '../../src/custom-resources/json-path.js';
import { ParseError } from '../../src/values/parse-error.js';

const value = {
  a: { b: 1, 'c.d': 2 },
  l: [
    { k: 'x', v: 1 },
    { k: 'y', v: 2 },
    { k: 'x', v: 3 },
  ],
  n: [1, 2, 3, 4],
  f: [{ x: 1.5 }, { w: 1.5 }, { w: 2.5 }],
  b: [{ w: true }],
  s: [{ x: [] }, { x: [1] }],
};

describe('the path of a column finds', () => {
  it.each<[string, readonly unknown[]]>([
    ['.a.b', [1]],
    ['.a.none', []],
    // A quoted key is a path: only an escaped dot is part of the name.
    [".a['c\\.d']", [2]],
    [".a['c.d']", []],
    ["['a.b']", [1]],
    ['.a.c\\.d', [2]],
    ['.a.b ', [1]],
    [".l[*]['k', 'v']", ['x', 'y', 'x', 1, 2, 3]],
    ['.n[]', [1]],
    ['.n[9:9]', []],
    ['.n[0:-1]', [1, 2, 3]],
    // A slice of an empty list ends the search in its siblings.
    ['.s[*].x[*]', []],
    ['.l[?(@.k == ")x")].v', []],
    ['.l[?(@.none<>1)].v', []],
    ['.l[*].k', ['x', 'y', 'x']],
    ['.l[0].v', [1]],
    ['.l[-1].v', [3]],
    ['.n[1:3]', [2, 3]],
    ['.n[0,2]', [1, 3]],
    ['.n[::2]', [1, 3]],
    ['.l[?(@.k=="x")].v', [1, 3]],
    ['.l[?(@.v>1)].k', ['y', 'x']],
    ['.l[?(@.none)].k', []],
    ['.f[?(@.w<2.5)].w', [1.5]],
    ['.b[?(@.w==true)].w', [true]],
    ['.b[?(@.w!=true)].w', []],
    ['..v', [1, 2, 3]],
    // The parts of a string are its bytes.
    ['.a.c\\.d.*', []],
    ['.l[0].k.*', ['120']],
    // The path ends at a closing brace.
    ['.a.b} text', [1]],
    ['.a.b}{.l[0].v', [1]],
    // A dot is followed by the name of a field, which may be empty.
    ['.', []],
    [".a.['b']", []],
  ])('%s', (path, found) => expect(compileJsonPath(path)(value)).toEqual(found));

  it.each([
    '.n[9]',
    '.n[-5]',
    '.n[0:-5]',
    '.n[3:1]',
    '.n[::0]',
    '.a[*]',
    '.l[?(@.k<>"x")]',
    '.l range',
    '.l[?(@.k>1)]',
    '.a[0]',
    '.l[?(@.v<1.5)]',
    '.f[?(@.w>1)]',
    '.b[?(@.w<true)]',
  ])('nothing for %s, which has no meaning', (path) => expect(() => compileJsonPath(path)(value)).toThrow(PathError));

  it.each([
    '.a[',
    '.a.b}{.l[',
    '.a[x]',
    '.a{',
    '.a["b"]',
    '.a[ 0 ]',
    '.a[-]',
    '..*',
    '....a',
    '.l[?(@.k=="x" && @.v==1)]',
    '.l[?(@.v==+1.2.3)]',
    `.a${'[?(@'.repeat(500)}`,
  ])('nothing for %s, which does not parse', (path) => expect(() => compileJsonPath(path)).toThrow(ParseError));

  it('a bounded number of values, so that nested descendants end', () => {
    const deep = Array.from({ length: 400 }).reduce((inner) => ({ a: inner }), {});
    expect(() => compileJsonPath('..a..a..a..a..a..a')(deep)).toThrow(PathError);
  });
});

it.each([
  ['2026-01-01T00:00:00Z', '60s'],
  ['', '<unknown>'],
  ['null', '<unknown>'],
  ['yesterday', '<invalid>'],
  [1, null],
])('a column of a date shows %j as %j', (at, cell) => {
  const [, column] = columnsOf([{ name: 'At', type: 'date', jsonPath: '.at' }]);
  const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: {}, at };
  expect(column?.cell(object, Date.parse('2026-01-01T00:01:00Z'))).toBe(cell);
});
