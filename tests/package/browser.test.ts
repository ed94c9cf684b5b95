import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { findChromium, runInChromium } from '../../scripts/chromium.mjs';
import { entryPoints } from '../../scripts/entry-points.mjs';
import { markPure } from '../../scripts/mark-pure.mjs';

const root = new URL('../../', import.meta.url).pathname;
const chromium = findChromium();

/** Bundles a module for browsers: that of this folder, unless another one is given. */
async function bundle(contents?: string): Promise<string> {
  const { outputFiles } = await build({
    ...(contents === undefined
      ? { entryPoints: [`${root}tests/package/browser-program.ts`] }
      : { stdin: { contents, resolveDir: root, loader: 'ts' as const } }),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    // The options are those of the package's build.
    plugins: [markPure()],
    // The module is imported by the name that users import.
    alias: Object.fromEntries(entryPoints().map(({ name, path }) => [name, `${root}src/${path}.ts`])),
  });
  return outputFiles[0]?.text ?? '';
}

it('the library can be bundled for browsers without modules of Node', { timeout: 60_000 }, async () => {
  expect(await bundle()).not.toMatch(/from ?["']node:|require\(["']node:/);
});

it('a bundle with CoreApiServer contains the kinds that it serves, and no others', { timeout: 60_000 }, async () => {
  const code = await bundle(`
    import { CoreApiServer } from 'orch-apiserver';
    import { configMap, lease } from 'orch-apiserver/kinds';
    export const server = new CoreApiServer({ resources: [configMap, lease] });
  `);
  const tables = new Set(code.match(/io\.k8s\.api\.\w+\.v\w+/g));
  // Scales belong to no kind, because custom resources may have them.
  expect([...tables].sort()).toEqual(['io.k8s.api.autoscaling.v1', 'io.k8s.api.coordination.v1', 'io.k8s.api.core.v1']);
});

it.skipIf(chromium === undefined)(
  `the library runs in a browser${chromium === undefined ? ' (skipped: neither Chromium nor Chrome is installed)' : ''}`,
  { timeout: 180_000 },
  async () => {
    expect(await runInChromium(chromium ?? '', await bundle())).toEqual({
      events: ['ADDED red', 'MODIFIED blue'],
      conflict: true,
      status: 200,
      data: { color: 'blue' },
      created: '2030-01-01T00:00:00Z',
      anonymous: 403,
      certificate: '-----BEGIN CERTIFICATE-----',
      sameUid: true,
    });
  },
);
