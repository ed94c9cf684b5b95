import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { edits } from '../../scripts/break-rules/edits.mjs';

const root = new URL('../../', import.meta.url);

it('every text that npm run break-rules replaces occurs exactly once, and its tests exist', () => {
  const wrong = edits.flatMap(([file, before, after, test]) => {
    const found = readFileSync(new URL(file, root), 'utf8').split(before).length - 1;
    const isWhole = found === 1 && before !== after && existsSync(new URL(test, root));
    return isWhole ? [] : [`${file}: found ${found} times: ${before} (${test})`];
  });
  expect(wrong).toEqual([]);
  expect(edits.length).toBeGreaterThanOrEqual(60);
});
