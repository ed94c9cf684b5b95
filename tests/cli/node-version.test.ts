import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

it('refuses the releases of Node.js that package.json excludes, before it loads other modules', () => {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const main = readFileSync(new URL('src/cli/main.ts', root), 'utf8');
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node) ?? [];
  expect(main).toContain(`major < ${major} || (major === ${major} && minor < ${minor})`);
  expect(main).toContain(`needs Node.js ${major}.${minor} or newer`);
  expect(main).not.toMatch(/^import /m);
});
