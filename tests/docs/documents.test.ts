import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedUrl } from '../support/shared-data.js';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const documents = sharedUrl('spec/');

const page = read('docs/documents.md');
const parity = read('docs/parity.md');
const sections = new Set([...read('docs/specification.md').matchAll(/^### (\d+\.\d+) /gm)].map(([, number]) => number));

interface Row {
  readonly row: string;
  /** `D2 5.8` */
  readonly section: string;
  readonly ordinal: number;
  readonly what: string;
  readonly specification: string;
  readonly where: string;
  readonly tests: string;
}
const rows: readonly Row[] = [
  ...page.matchAll(/^\| (D[12] [\d.]+) s(\d+) \| (.+?) \| (\d+\.\d+|–) \| (.+?) \| (.+?) \|$/gm),
].map(([row, section = '', ordinal, what = '', specification = '', where = '', tests = '']) => ({
  row,
  section,
  ordinal: Number(ordinal),
  what,
  specification,
  where,
  tests,
}));
const tested = rows.filter(({ specification }) => specification !== '–');
const faulty = (fits: (row: Row) => boolean, among = rows) => among.filter((row) => !fits(row)).map(({ row }) => row);

describe('docs/documents.md', () => {
  it('has rows of one form, counted without gaps in each section', () => {
    expect(rows.length).toBe(page.match(/^\| D/gm)?.length);
    const last = new Map<string, number>();
    expect(
      faulty(({ section, ordinal }) => {
        const expected = (last.get(section) ?? 0) + 1;
        last.set(section, ordinal);
        return ordinal === expected;
      }),
    ).toEqual([]);
  });

  it('names the code and the tests of each statement, or a reason why there are none', () => {
    expect(faulty(({ where, tests }) => where === '–' && /^– \S/.test(tests), untestable())).toEqual([]);
    expect(faulty(({ specification }) => sections.has(specification), tested)).toEqual([]);
    expect(
      faulty(({ where }) => {
        const [, file = '', name = ''] = /^`(.+)` (\w+)$/.exec(where) ?? [];
        return (
          existsSync(new URL(`src/${file}`, root)) && new RegExp(String.raw`\b${name}\b`).test(read(`src/${file}`))
        );
      }, tested),
    ).toEqual([]);
    const isTest = (name: string) =>
      /^`.+\.test\.ts`$/.test(name) && existsSync(new URL(`tests/${name.slice(1, -1)}`, root));
    expect(faulty(({ tests }) => tests.split(', ').every(isTest), tested)).toEqual([]);
  });

  it('names rulings and lines of parity.md that exist', () => {
    const notes = (what: string) => [...what.matchAll(/\((ruled|parity): ([^)]+)\)/g)];
    const isThere = ([, sort, text = '']: RegExpMatchArray) =>
      sort === 'ruled' ? /^19\.\d+$/.test(text) && sections.has(text) : parity.includes(text);
    expect(faulty(({ what }) => notes(what).every(isThere))).toEqual([]);
  });

  // The documents are optional data beside the project.
  it.skipIf(!existsSync(documents))('has a row for each statement of the documents', () => {
    const texts = readdirSync(documents)
      .filter((name) => name.endsWith('.txt'))
      .sort()
      .map((file) => readFileSync(new URL(file, documents), 'utf8'));
    expect(texts.length).toBe(2);
    const counted = texts.flatMap((text, i) => statementsOf(text).map((section) => `D${i + 1} ${section}`));
    expect(count(rows.map(({ section }) => section))).toEqual(count(counted));
  });
});

function untestable(): readonly Row[] {
  return rows.filter(({ specification }) => specification === '–');
}

function count(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Returns the section of every statement of a document: each sentence of a paragraph or an item, and each row of a table except its head. */
function statementsOf(text: string): readonly string[] {
  const found: string[] = [];
  let section = '';
  let inTable = false;
  for (const line of text.split('\n')) {
    const [, number] = /^##+ (\d+(?:\.\d+)?)\.? /.exec(line) ?? [];
    const isRow = line.startsWith('|');
    if (number !== undefined) section = number;
    else if (section !== '' && !line.startsWith('#')) {
      const sentences = line.replace(/^(?:- |\d+\. )/, '').split(/(?<=\.\)?)\s+/);
      // The first row is the head, and the second the line below it.
      const statements = isRow ? (inTable && !/^[|-]+$/.test(line) ? [line] : []) : sentences;
      for (const statement of statements) if (statement !== '') found.push(section);
    }
    inTable = isRow;
  }
  return found;
}
