// Draws random comments and docstrings from src, for a reader without the code who decides which ones are understandable:
//   node scripts/sample-comments.mjs [--seed=1] [--count=200]
// The same seed draws the same comments as long as the sources do not change.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '200' } },
});
const root = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(root, { recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.types.ts'))
  .sort();
const all = files.flatMap((file) => commentsOf(file, readFileSync(join(root, file), 'utf8')));
const random = generator(Number(values.seed));
for (let i = 0; i < Number(values.count) && all.length > 0; i++) {
  const [{ file, line, text }] = all.splice(Math.floor(random() * all.length), 1);
  console.log(`${i + 1}. ${file}:${line}\n${text}\n`);
}

/** Returns the comments of a file. Consecutive lines of `//` are one comment. */
function commentsOf(file, source) {
  const found = [];
  const lineAt = (position) => source.slice(0, position).split('\n').length;
  for (const { pos, end } of rangesOf(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))) {
    const line = lineAt(pos);
    const text = source.slice(pos, end);
    const before = found.at(-1);
    if (text.startsWith('//') && before?.text.startsWith('//') && before.last === line - 1)
      Object.assign(before, { text: `${before.text}\n${text}`, last: line });
    else found.push({ file, line, text, last: lineAt(end) });
  }
  return found;
}

/** Returns the ranges of all comments of a parsed file, in order. A scanner without a parser would misread the code after a template. */
function rangesOf(root) {
  const ranges = new Map();
  const visit = (node) => {
    const around = [
      ...(ts.getLeadingCommentRanges(root.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(root.text, node.getEnd()) ?? []),
    ];
    for (const range of around) ranges.set(range.pos, range);
    for (const child of node.getChildren()) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(root);
  return [...ranges.values()].sort((a, b) => a.pos - b.pos);
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
