import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXTENDED, LONG, REPLACING } from '../suites.js';

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
const roomOf = (file: string) => file.split('/')[1];
const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));

describe('the lists of tests that run separately', () => {
  it('name tests that exist, each once', () => {
    for (const list of [LONG, EXTENDED]) {
      for (const pattern of list) expect(filesOf([pattern]), pattern).not.toEqual([]);
      expect(filesOf(list)).toHaveLength(new Set(filesOf(list)).size);
    }
    // A folder in `EXTENDED` may contain tests that are in `LONG`.
    const long = new Set(filesOf(LONG));
    for (const pattern of EXTENDED)
      expect(
        filesOf([pattern]).every((file) => long.has(file)),
        pattern,
      ).toBe(false);
  });

  it('leave out of npm test exactly what CONTRIBUTING.md names', () => {
    const page = read('CONTRIBUTING.md');
    expect([...LONG, ...EXTENDED].map(named).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('leave tests of every folder of src/ in npm test', () => {
    const apart = new Set(filesOf([...LONG, ...EXTENDED]));
    const kept = new Set(files.filter((file) => !apart.has(file)).map(roomOf));
    const rooms = new Set(files.map(roomOf).filter((room) => existsSync(new URL(`src/${room}`, root))));
    expect([...rooms].filter((room) => !kept.has(room))).toEqual([]);
    expect(rooms.size).toBeGreaterThan(30);
  });

  it('contain every test that replaces modules', () => {
    const replacing = files.filter((file) => /\bvi\.(?:do)?mock\(/i.test(read(file)));
    expect(replacing.filter((file) => !REPLACING.includes(file) || !LONG.includes(file))).toEqual([]);
  });
});

it('npm run test:all leaves nothing out, and CI runs it', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(scripts['test:all']).not.toMatch(/--project|--exclude/);
  expect(read('.ci/run')).toMatch(/^npm run test:all$/m);
});
