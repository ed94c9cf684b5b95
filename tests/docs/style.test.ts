import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles, sourceRoot } from '../support/source-files.js';

/** Phrases that docs/style.md refuses, as far as a pattern can match them. */
const REFUSED: readonly RegExp[] = [
  /\b(?:that|it|what|which|text) (?:is|are) none\b(?! (?:left|of))/,
  /\b(?:is|are) told\b(?! (?:apart|from))/,
  /\bwho comes first wins\b/,
  /\bnobody\b/i,
  /\bwhom\b/i,
  /\bstands? (?:for|twice|in|alone|behind|before)\b/,
  /\bthat (?:is|are) no (?!longer|more)\b/,
  /\bas above\b/,
  /\bthe real server\b/,
  /\busers?'s? kinds?\b/,
  /\bexact costs?\b/,
  /\bthe problems of\b/,
  /\bof equals\b/,
  /\bin vain\b/,
];
const COMMENT = /(?<=^\s*)\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/gm;

const root = resolve(sourceRoot, '..');
const filesIn = (folder: string, ending: RegExp) =>
  (readdirSync(join(root, folder), { recursive: true }) as string[])
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));

it('comments are in the English of docs/style.md', () => {
  const others = ['bench', 'examples', 'scripts', 'tests'].flatMap((folder) => filesIn(folder, /\.[cm]?[jt]s$/));
  const found = [...sourceFiles.map((file) => join('src', file)), ...others].flatMap((file) =>
    (readFileSync(join(root, file), 'utf8').match(COMMENT) ?? [])
      .map((comment) => comment.replace(/\s*\n\s*\*?\s*/g, ' '))
      .filter((comment) => REFUSED.some((phrase) => phrase.test(comment)))
      .map((comment) => `${file}: ${comment}`),
  );
  expect(found).toEqual([]);
});

it('pages are in the English of docs/style.md', () => {
  // docs/style.md quotes the phrases, and docs/api consists of docstrings.
  const pages = filesIn('docs', /\.md$/).filter((file) => !/style\.md$|\bapi\b/.test(file));
  const found = [...pages, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      // Rows that begin with code contain the names of recorded steps.
      .filter((line) => !line.startsWith('| `') && REFUSED.some((phrase) => phrase.test(line)))
      .map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});
