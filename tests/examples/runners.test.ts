import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeEach, expect, it, test } from 'vitest';

/* The tests of the guides for other runners, bundled with the sources under the name of the package. */
const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'runners-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
const bundle = async (file: string, format: 'cjs' | 'esm', outfile: string) =>
  await build({
    entryPoints: [path(file)],
    alias: {
      'orch-apiserver/testing/servers': path('src/testing/servers.ts'),
      'orch-apiserver/testing': path('src/testing/index.ts'),
      'orch-apiserver': path('src/index.ts'),
    },
    outfile: join(folder, outfile),
    bundle: true,
    platform: 'node',
    format,
    logLevel: 'error',
    ...(format === 'esm' ? { banner } : {}),
  });

it('node --test runs the code of the guide to node:test', async () => {
  await bundle('examples/guides/node.test.mjs', 'esm', 'node.test.mjs');
  // A process of another test runner must not inherit the environment of this one.
  const { NODE_OPTIONS: _options, VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test', join(folder, 'node.test.mjs')], {
    encoding: 'utf8',
    env,
  });
  expect(stdout).toMatch(/pass 2/);
  expect(status).toBe(0);
});

// The functions of Jest that the guide uses have the same meaning here.
await bundle('examples/guides/jest.test.cjs', 'cjs', 'jest.test.cjs');
const words = { afterAll, afterEach, beforeEach, expect, test };
Object.assign(globalThis, words);
afterAll(() => {
  for (const word of Object.keys(words)) Reflect.deleteProperty(globalThis, word);
});
createRequire(import.meta.url)(join(folder, 'jest.test.cjs'));
