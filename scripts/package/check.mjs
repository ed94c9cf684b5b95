// Packs the package as it would be published, checks its contents, and tries it in otherwise empty projects.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { findChromium, runInChromium } from '../chromium.mjs';
import { entryPoints } from '../entry-points.mjs';

const MAX_UNPACKED = 6_800_000;
/** The maximum number of tables of kinds in a bundle for browsers with two kinds. */
const MAX_TABLES = 4;
/** The entry points that no bundler for browsers accepts. */
const NEED_NODE = new Set(['orch-apiserver/http', 'orch-apiserver/testing/servers', 'orch-apiserver/testing/vitest']);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const folder = mkdtempSync(join(tmpdir(), 'package-check-'));
try {
  const tarball = pack();
  run(root, 'npx', 'publint', '--strict', tarball);
  run(root, 'npx', 'attw', tarball, '--profile', 'node16');

  const esm = project('esm', { type: 'module' }, tarball);
  copyFileSync(join(here, 'smoke.mjs'), join(esm, 'smoke.mjs'));
  run(esm, process.execPath, 'smoke.mjs');

  const cjs = project('cjs', {}, tarball);
  writeFileSync(join(cjs, 'main.js'), commonJs());
  run(cjs, process.execPath, 'main.js');

  checkTypes(esm);
  await tryInBrowser(esm);
  console.log('package: whole, and it works as ESM, as CommonJS, as a program and bundled for browsers');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Packs the package as `npm publish` does; `prepack` builds it first. */
function pack() {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const output = run(root, 'npm', 'pack', '--json', '--silent', '--pack-destination', folder);
  // The output of the build precedes the JSON.
  const [{ filename, unpackedSize, files }] = JSON.parse(output.slice(output.lastIndexOf('\n[\n')));
  const paths = new Set(files.map(({ path }) => path));
  const { exports, bin, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = JSON.stringify([exports, bin]).match(/dist\/[^"]+/g);
  for (const path of [...named, 'README.md', 'LICENSE', 'dist/LICENSES.txt', 'docs/architecture.md', 'docs/parity.md'])
    assert.ok(paths.has(path), `${path} is in the package`);
  assert.ok(unpackedSize < MAX_UNPACKED, `${unpackedSize} bytes unpacked, more than ${MAX_UNPACKED}`);
  assert.deepEqual(foreignImports([...paths]), [], 'type declarations import only what users install');
  const code = [...paths].filter((path) => /\.c?js$/.test(path)).map((path) => readFileSync(join(root, path), 'utf8'));
  for (const name of Object.keys(dependencies))
    assert.ok(
      code.some((text) => text.includes(`'${name}'`) || text.includes(`"${name}"`)),
      `${name} is a dependency and no file imports it: it is bundled`,
    );
  for (const text of code) {
    assert.doesNotMatch(text, /@__PURE__ \*\/\s*return/, 'rollup warns about this annotation');
    assert.doesNotMatch(text, /\bimport\(`/, 'webpack bundles every file that the import could name');
  }
  console.log(`package: ${paths.size} files, ${unpackedSize} bytes unpacked`);
  return join(folder, filename);
}

/**
 * Returns the imports of type declarations that are neither relative, nor of Node, nor of a package that users install. Without
 * `skipLibCheck`, the compiler of a user reports each of them.
 */
function foreignImports(paths) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const installed = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  return paths
    .filter((path) => /\.d\.c?ts$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const statements = text.matchAll(/^(?:import|export) [^;]*?from '([^.'][^']*)'|^import '([^.'][^']*)'/gm);
      const names = [...statements].map(([, from, alone]) => from ?? alone);
      return names
        .filter((name) => !name.startsWith('node:') && !installed.has(name))
        .map((name) => `${path}: ${name}`);
    });
}

/** Creates an empty project in which the package is installed. */
function project(name, manifest, tarball) {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version: '1.0.0', private: true, ...manifest }));
  run(path, 'npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', tarball);
  return path;
}

/** Compiles a module that imports every entry point but that for vitest, with the strictest settings that a user may have. */
function checkTypes(path) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys(exports).filter((name) => !/json$|vitest$/.test(name));
  const imports = names.map((name, i) => `export * as e${i} from 'orch-apiserver${name.slice(1)}';\n`);
  writeFileSync(join(path, 'types.ts'), imports.join(''));
  // `@types/node` declares no type `TextEncoder`, so a project for Node, without DOM, shows errors that other projects do not have.
  for (const [moduleResolution, lib] of [
    ['nodenext', ['es2022', 'dom', 'esnext.disposable']],
    ['bundler', ['es2022', 'dom', 'esnext.disposable']],
    ['nodenext', ['es2022']],
  ]) {
    const compilerOptions = {
      module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
      moduleResolution,
      target: 'es2022',
      lib,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }));
    run(path, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json');
  }
}

async function tryInBrowser(path) {
  const few = await bundled(path, fewKinds());
  const tables = new Set(few.match(/io\.k8s\.api\.\w+\.v\w+/g));
  // The bundle contains the table of the core group with its kinds, and the few that late imports need.
  assert.ok(tables.has('io.k8s.api.core.v1') && tables.size <= MAX_TABLES, `bundled tables: ${[...tables].join(' ')}`);
  console.log(`package: ${few.length} bytes bundled for browsers with two kinds`);
  for (const { name } of entryPoints().filter(({ name }) => !NEED_NODE.has(name)))
    assert.ok((await bundled(path, `export * from '${name}';`)).length > 0, `${name} can be bundled for browsers`);
  const code = await bundled(path, browserModule());
  assert.doesNotMatch(code, /from"node:|require\("node:/);
  console.log(`package: ${code.length} bytes bundled for browsers`);
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('package: not run in a browser, as neither Chromium nor Chrome is installed');
    return;
  }
  assert.equal(await runInChromium(chromium, code), 'red');
}

async function bundled(path, contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path, loader: 'js' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    write: false,
  });
  return outputFiles[0].text;
}

function run(cwd, command, ...args) {
  const { stdout, stderr, status, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? status}\n${stdout}\n${stderr}`);
  return stdout;
}

function commonJs() {
  return `
const { ApiServer, configMap } = require('orch-apiserver');
const { createFakeClock } = require('orch-apiserver/testing');
(async () => {
  const server = new ApiServer({ clock: createFakeClock('2030-01-01T00:00:00Z') });
  await server.start();
  const made = await server.client().create(configMap, { metadata: { name: 'a' } }, { namespace: 'default' });
  if (made.metadata.creationTimestamp !== '2030-01-01T00:00:00Z') throw new Error(made.metadata.creationTimestamp);
  await server.close();
})();
`;
}

function fewKinds() {
  return `
import { CoreApiServer, configMap, secret } from 'orch-apiserver';
export const server = new CoreApiServer({ resources: [configMap, secret] });
`;
}

function browserModule() {
  return `
import { ApiServer, configMap } from 'orch-apiserver';
const server = new ApiServer();
await server.start();
await server.client().create(configMap, { metadata: { name: 'a' }, data: { colour: 'red' } }, { namespace: 'default' });
const { data } = await server.client().get(configMap, 'a', { namespace: 'default' });
await server.close();
report(data.colour);
`;
}
