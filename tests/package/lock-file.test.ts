import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const packages: Record<string, Locked> = read('package-lock.json').packages;

/** Returns where a package of a folder finds another package: in its own folder, or in one further out. */
function find(from: string, name: string): Locked | undefined {
  const here = packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`];
  if (here !== undefined || from === '') return here;
  return find(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

// npm omits packages of other platforms when it writes the file next to an installed folder, and other platforms then fail.
it('the lock file has the packages of every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).flatMap((name) => (find(path, name) ? [] : [`${path}: ${name}`])),
  );
  expect(missing).toEqual([]);
  expect(packages['node_modules/@esbuild/darwin-arm64']).toBeDefined();
});

it('the lock file has the versions that package.json requires', () => {
  const asked = read('package.json');
  for (const member of ['version', 'dependencies', 'devDependencies', 'peerDependencies', 'engines'] as const)
    expect((packages[''] as Record<string, unknown>)[member], member).toEqual(asked[member]);
});
