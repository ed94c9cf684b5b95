import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const page = read('CONTRIBUTING.md');
/** Returns the blocks of code by the file that is named before each. */
const blocks = new Map(
  [...page.matchAll(/^`([^`\n]+)`:\n\n```ts\n([\s\S]*?)```$/gm)].map(([, file, code]) => [file, code]),
);

describe('CONTRIBUTING.md', () => {
  it('contains the code of the walk-through unchanged', () => {
    for (const [file = '', code] of blocks) expect(code, `${file} differs from CONTRIBUTING.md`).toBe(read(file));
    expect(blocks.size).toBe([...page.matchAll(/^```ts$/gm)].length);
  });

  it('contains all files of the walk-through', () => {
    for (const folder of ['examples/walkthrough', 'tests/examples/walkthrough'])
      for (const file of readdirSync(new URL(folder, root))) expect([...blocks.keys()]).toContain(`${folder}/${file}`);
  });

  it('names files that exist', () => {
    const named = [...page.matchAll(/`((?:src|tests|examples|docs|scripts)\/[\w./-]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(10);
    for (const file of named) expect(() => readdirOrFile(file), file).not.toThrow();
  });
  const readdirOrFile = (file: string) => (/\.\w+$/.test(file) ? read(file) : readdirSync(new URL(file, root)));
});
