import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const own = 'tests/docs/citations.test.ts';
const specification = readFileSync(new URL('docs/specification.md', root), 'utf8');
const sections = [...specification.matchAll(/^### (\d+\.\d+) \S/gm)].map((match) => match[1] ?? '');
const known = new Set(sections);

/** Text files of a folder, by path from the root. */
function textsOf(folder: string): [string, string][] {
  return (readdirSync(new URL(`${folder}/`, root), { recursive: true }) as string[])
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.(ts|mts|js|mjs|md)$/.test(file) && !file.includes('node_modules/') && file !== own)
    .map((file) => [file, readFileSync(new URL(file, root), 'utf8')]);
}

const texts = [
  ...['src', 'tests', 'docs', 'examples'].flatMap(textsOf),
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((file): [string, string] => [
    file,
    readFileSync(new URL(file, root), 'utf8'),
  ]),
];

/** Between two words of a comment there may be a line break. */
const SPACE = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*(?:\*|\/\/)?[ \t]*)`;
const CITATION = new RegExp(
  String.raw`\b[sS]pec${SPACE}(\d+(?:\.\d+)+(?:(?:,|,?${SPACE}and|${SPACE}to)${SPACE}\d+\.\d+)*)`,
  'g',
);
const OUTSIDE = new RegExp(
  [
    String.raw`\bgap${SPACE}files?\b`,
    String.raw`\bdocument${SPACE}[12],${SPACE}section`,
    String.raw`\bannex${SPACE}[A-Z]\b`,
    String.raw`\brulings?${SPACE}\d`,
    String.raw`\bspec${SPACE}(?:README|table)\b`,
  ].join('|'),
  'gi',
);

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

describe('docs/specification.md', () => {
  it('numbers its sections without gaps', () => {
    const next = new Map<string, number>();
    const wrong = sections.filter((section) => {
      const [chapter = '', number] = section.split('.');
      const expected = (next.get(chapter) ?? 0) + 1;
      next.set(chapter, expected);
      return Number(number) !== expected;
    });
    expect(wrong).toEqual([]);
    const chapters = [...specification.matchAll(/^## (\d+)\. /gm)].map((match) => Number(match[1]));
    expect(chapters).toEqual(chapters.map((_, index) => index + 1));
  });

  it('has no empty section', () => {
    const empty = specification
      .split(/^(?=###? \d)/m)
      .filter((part) => part.startsWith('### ') && part.split('\n').slice(1).join('').trim() === '');
    expect(empty).toEqual([]);
  });

  it('refers to sections of its own that exist', () => {
    const prose = specification.replace(/`[^`]*`/g, '').replace(/^###? .*$/gm, '');
    const wrong = [
      ...prose.matchAll(/(?:\(|; |: |see |as |section |of |to |beyond |without |, )(\d{1,2}\.\d{1,2})(?![\w.]\d)/g),
    ]
      .map((match) => match[1] ?? '')
      .filter((section) => !known.has(section) && section !== '1.31');
    expect(wrong).toEqual([]);
  });
});

describe('citations', () => {
  it('resolve to a section of docs/specification.md', () => {
    const wrong = texts.flatMap(([file, text]) =>
      [...text.matchAll(CITATION)].flatMap((match) =>
        [...(match[1] ?? '').matchAll(/\d+(?:\.\d+)+/g)]
          .filter(([section]) => !known.has(section))
          .map(([section]) => `${file}:${lineAt(text, match.index)} spec ${section}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('name no paper outside the repository', () => {
    const wrong = texts.flatMap(([file, text]) =>
      [...text.matchAll(OUTSIDE)].map((match) => `${file}:${lineAt(text, match.index)} ${match[0]}`),
    );
    expect(wrong).toEqual([]);
  });

  it('of tests name files that exist', () => {
    const tests = [own, ...texts.map(([file]) => file)].filter((file) => file.endsWith('.test.ts'));
    const wrong = texts.flatMap(([file, text]) =>
      [...text.matchAll(/\w[\w/.-]*\.test\.ts/g)]
        .filter(([cited]) => !tests.some((test) => `/${test}`.endsWith(`/${cited}`)))
        .map((match) => `${file}:${lineAt(text, match.index)} ${match[0]}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('docs/parity.md', () => {
  it('gives a ruling for each difference of the orch dialect', () => {
    const parity = readFileSync(new URL('docs/parity.md', root), 'utf8');
    const part = /^## In the `orch` dialect\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(parity)?.[1] ?? '';
    const cited = [...part.matchAll(/^### .*\(spec (19|20)\.\d+\)$/gm)];
    const headings = [...part.matchAll(/^### (?!Names that)/gm)];
    expect(cited.length).toBe(headings.length);
    expect(cited.length).toBeGreaterThan(8);
  });
});
