import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/* The code in the guides is that of files that are compiled, linted and run: tests/examples/guides.test.ts and its neighbours. */
const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const guides = readdirSync(new URL('docs/guides/', root)).map((file) => `docs/guides/${file}`);
const shown = (text: string) => [...text.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([\s\S]*?)```$/gm)];

describe.each(guides)('%s', (guide) => {
  const text = read(guide);
  it('contains only code that is run', () => {
    for (const [, file = '', code] of shown(text)) expect(code, `${file} differs from ${guide}`).toBe(read(file));
    expect(shown(text)).toHaveLength([...text.matchAll(/^```(?!sh$)\w+$/gm)].length);
  });

  it('has links whose targets exist', () => {
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(existsSync(new URL(link, new URL(guide, root))), link).toBe(true);
  });
});

it('together contain all of the code in examples/guides', () => {
  const files = guides.flatMap((guide) => shown(read(guide)).map(([, file = '']) => file));
  for (const folder of ['examples/guides', 'examples/bugs'])
    for (const file of readdirSync(new URL(`${folder}/`, root))) expect(files).toContain(`${folder}/${file}`);
});

it('the catalog of bugs has ten entries, each caught by a test of under thirty lines', () => {
  const tests = readdirSync(new URL('examples/bugs/', root)).filter((file) => file.endsWith('.test.ts'));
  expect(tests).toHaveLength(10);
  for (const file of tests) {
    const [, test = ''] =
      /^describe\('[^']+', \(\) => \{\n([\s\S]*?)^\}\);$/m.exec(read(`examples/bugs/${file}`)) ?? [];
    expect(test, file).toMatch(/^ {2}catches\(/);
    expect(test.split('\n').length, file).toBeLessThan(30);
  }
});

it('README.md shows a fork, a fault and time within its first screen', () => {
  const [, first = ''] = /```ts\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
  const code = first.trimEnd().split('\n');
  expect(code.filter((line) => line !== '' && !line.startsWith('import')).length).toBeLessThanOrEqual(15);
  for (const call of ['clock.advance(', 'server.fork()', 'injectFaults(']) expect(first).toContain(call);
});
