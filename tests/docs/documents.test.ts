import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedUrl } from '../support/shared-data.js';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const documents = sharedUrl('spec/');
const hasDocuments = existsSync(documents);

const sections = new Set([...read('docs/specification.md').matchAll(/^### (\d+\.\d+) /gm)].map(([, number]) => number));
const rows = [
  ...read('docs/documents.md').matchAll(
    /^\| D([12]) ([\d.]+) r(\d+) \| (.+?) \| (\d+\.\d+) \| `(.+?)` (\w+) \| `(.+?)` \|$/gm,
  ),
].map(([row, document = '', section = '', rule, , specification = '', file = '', name = '', test = '']) => ({
  row,
  document,
  section,
  rule: Number(rule),
  specification,
  file,
  name,
  test,
}));

describe('docs/documents.md', () => {
  it('has rows of one form, counted from 1 in each section', () => {
    expect(rows.length).toBe(read('docs/documents.md').match(/^\| D/gm)?.length);
    const last = new Map<string, number>();
    const wrong = rows.filter(({ document, section, rule }) => {
      const key = `${document} ${section}`;
      const expected = (last.get(key) ?? 0) + 1;
      last.set(key, rule);
      return rule !== expected;
    });
    expect(wrong).toEqual([]);
  });

  it('names sections, declarations and tests that are there', () => {
    const declares = (file: string, name: string) =>
      existsSync(new URL(`src/${file}`, root)) && new RegExp(String.raw`\b${name}\b`).test(read(`src/${file}`));
    const wrong = rows.filter(
      ({ specification, file, name, test }) =>
        !sections.has(specification) || !declares(file, name) || !existsSync(new URL(`tests/${test}`, root)),
    );
    expect(wrong.map(({ row }) => row)).toEqual([]);
  });

  // The documents are optional data beside the project.
  it.skipIf(!hasDocuments)('has rows for every section of the documents that has no sections of its own', () => {
    const files = readdirSync(documents).sort();
    const missing = ['1', '2'].flatMap((document) => {
      const file = files.find((name) => name.startsWith(`00${Number(document) - 1}_`)) ?? '';
      const text = readFileSync(new URL(file, documents), 'utf8');
      const numbers = [...text.matchAll(/^##+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number = '']) => number);
      return numbers
        .filter((number) => !numbers.some((other) => other.startsWith(`${number}.`)))
        .filter((number) => !rows.some((row) => row.document === document && row.section === number))
        .map((number) => `D${document} ${number}`);
    });
    expect(missing).toEqual([]);
  });
});
