// Tries the built package as its users get it: ESM, CommonJS and the program. Bundling can break what the sources do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { entryPoints } from './entry-points.mjs';

// vitest's own modules can be loaded within its runs only: there the tests of this package load them.
const NEEDS_VITEST = new Set(['orch-apiserver/testing/vitest']);
const namesOf = (module) =>
  Object.keys(module)
    .filter((name) => !['default', '__esModule', 'module.exports'].includes(name))
    .sort();

async function tryPackage({ ApiServer, configMap, isNotFound }, { listen }, { readKubeconfig }) {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  const client = server.client();
  await client.create(configMap, { metadata: { name: 'a' }, data: { k: 'v' } }, { namespace: 'default' });
  const text = await server.save();
  assert.match(text, /kind: ConfigMap/);
  await client.delete(configMap, 'a', { namespace: 'default' });
  await assert.rejects(client.get(configMap, 'a', { namespace: 'default' }), isNotFound);
  const listener = await listen(server);
  const context = await readKubeconfig(await listener.kubeconfig());
  assert.equal(context.server, listener.url);
  await listener.close();
  await server.close();
}

const require = createRequire(import.meta.url);
for (const { name } of entryPoints().filter(({ name }) => !NEEDS_VITEST.has(name))) {
  const [esm, cjs] = [await import(name), require(name)];
  assert.deepEqual(namesOf(cjs), namesOf(esm), `${name} exports the same as ESM and as CommonJS`);
  assert.ok(namesOf(esm).length > 0, `${name} exports something`);
}
for (const load of [(name) => import(name), require])
  await tryPackage(
    await load('orch-apiserver'),
    await load('orch-apiserver/http'),
    await load('orch-apiserver/kubeconfig'),
  );
const { stdout, status } = spawnSync(process.execPath, ['dist/cli/main.js', '--version'], { encoding: 'utf8' });
assert.equal(status, 0);
assert.match(stdout, /^orch-apiserver \d+\.\d+\.\d+\n$/);
console.log('smoke: the built package works as ESM, as CommonJS and as a program');
