import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localImports, sourceFiles } from '../support/source-files.js';

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
const section = /^## Where something new goes\n([\s\S]*?)(?=^## )/m.exec(page)?.[1] ?? '';
const paths = (cell: string) => [...cell.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, path = '']) => path);
const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)]
  .map(([, what = '', , list = '', example = '']) => ({ what, lists: paths(list), examples: paths(example) }))
  .filter(({ examples }) => examples.length > 0);
const allExamples = new Set(rows.flatMap(({ examples }) => examples));

describe('a sort of thing that can be added', () => {
  it.each(rows)('$what: exactly one list names it', ({ lists, examples }) => {
    expect(lists).toHaveLength(1);
    for (const example of examples) {
      expect(sourceFiles).toContain(example);
      const elsewhere = (file: string) => dirname(file) !== dirname(example) && !allExamples.has(file);
      const named = sourceFiles.filter((file) => localImports(file).includes(example));
      expect(named.filter((file) => lists.includes(file) || elsewhere(file))).toEqual(lists);
    }
  });
  it('is one of at least eight', () => expect(rows.length).toBeGreaterThanOrEqual(8));
});
