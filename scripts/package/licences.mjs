// Writes dist/LICENSES.txt: the licenses of the packages whose code is part of the build.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { entryPoints } from '../entry-points.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { metafile } = await build({
  entryPoints: ['everything', 'cli/main', ...entryPoints().map(({ path }) => path)].map((path) => `src/${path}.ts`),
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  external: [...Object.keys(dependencies), ...Object.keys(optionalDependencies), 'vitest', '#re2'],
  metafile: true,
  write: false,
});
const PACKAGE = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const bundled = new Set(Object.keys(metafile.inputs).flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
writeFileSync(join(root, 'dist/LICENSES.txt'), [...bundled].sort().map(licenceOf).join('\n'));

/** @throws Error for a package without a license, which must not be distributed. */
function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
