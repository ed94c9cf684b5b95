import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles, sourceRoot } from '../support/source-files.js';

/** Phrases that docs/style.md refuses, as far as a pattern can know them. */
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
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

it('comments are in the English of docs/style.md', () => {
  const found = sourceFiles.flatMap((file) =>
    (readFileSync(join(sourceRoot, file), 'utf8').match(COMMENT) ?? [])
      .map((comment) => comment.replace(/\s*\n\s*\*?\s*/g, ' '))
      .filter((comment) => REFUSED.some((phrase) => phrase.test(comment)))
      .map((comment) => `${file}: ${comment}`),
  );
  expect(found).toEqual([]);
});
