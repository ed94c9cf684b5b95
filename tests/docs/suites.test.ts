import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALONE, LONG, REPLACING } from '../suites.js';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const files = readdirSync(new URL('tests/', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `tests/${file.replaceAll('\\', '/')}`);

const EVERY_FILE = '/*.test.ts';
/** A folder or a file, as pages name it. */
const named = (pattern: string) => (pattern.endsWith(EVERY_FILE) ? pattern.slice(0, -EVERY_FILE.length) : pattern);
const filesOf = (patterns: readonly string[]) =>
  patterns.flatMap((pattern) => files.filter((file) => file === pattern || named(pattern) === folderOf(file)));
const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));

describe('the lists of tests that run separately', () => {
  it('name tests that exist, each once', () => {
    for (const pattern of [...LONG, ...ALONE]) expect(filesOf([pattern]), pattern).not.toEqual([]);
    const apart = filesOf([...LONG, ...ALONE]);
    expect(apart).toHaveLength(new Set(apart).size);
  });

  it('leave out of npm test exactly what CONTRIBUTING.md names', () => {
    const page = read('CONTRIBUTING.md');
    expect(LONG.map(named).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('contain every test that replaces modules', () => {
    const replacing = files.filter((file) => /\bvi\.(?:do)?mock\(/i.test(read(file)));
    expect(replacing.filter((file) => !REPLACING.includes(file))).toEqual([]);
  });
});

it('npm run test:all leaves nothing out, and CI runs it', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(scripts['test:all']).not.toMatch(/--project|--exclude/);
  expect(read('.ci/run')).toMatch(/^npm run test:all$/m);
});
