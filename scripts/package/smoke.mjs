// Runs in a project in which the package is installed: tries it as ES modules, as CommonJS and as a program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// The modules for vitest can be loaded only in its runs, so the tests of this package load them.
const NEEDS_VITEST = new Set(['./testing/vitest']);
const folder = 'node_modules/orch-apiserver';
const { exports, bin } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
const namesOf = (module) =>
  Object.keys(module)
    .filter((name) => !['default', '__esModule', 'module.exports'].includes(name))
    .sort();

async function tryPackage({ ApiServer, configMap, isNotFound }, { listen }, { readKubeconfig }, { createFakeClock }) {
  const server = new ApiServer({ dialect: 'k8s', clock: createFakeClock('2030-01-01T00:00:00Z') });
  await server.start();
  const client = server.client();
  const made = await client.create(configMap, { metadata: { name: 'a' }, data: { k: 'v' } }, { namespace: 'default' });
  assert.equal(made.metadata.creationTimestamp, '2030-01-01T00:00:00Z');
  assert.match(await server.save(), /"kind": "ConfigMap"/);
  await client.delete(configMap, 'a', { namespace: 'default' });
  await assert.rejects(client.get(configMap, 'a', { namespace: 'default' }), isNotFound);
  const listener = await listen(server);
  const context = await readKubeconfig(await listener.kubeconfig());
  assert.equal(context.server, listener.url);
  await listener.close();
  await server.close();
}

/** Checks that objects in a folder exist after a restart. */
async function tryFolder({ ApiServer, configMap }, { level }, path) {
  for (const turn of ['written', 'read']) {
    const server = new ApiServer({ storage: level({ path }) });
    await server.start();
    const where = { namespace: 'default' };
    if (turn === 'written') await server.client().create(configMap, { metadata: { name: 'kept' } }, where);
    assert.equal((await server.client().get(configMap, 'kept', where)).metadata.name, 'kept');
    await server.close();
  }
}

const require = createRequire(import.meta.url);
const entries = Object.keys(exports).filter((path) => path !== './package.json' && !NEEDS_VITEST.has(path));
for (const path of entries) {
  const name = `orch-apiserver${path.slice(1)}`;
  const [esm, cjs] = [await import(name), require(name)];
  assert.deepEqual(namesOf(cjs), namesOf(esm), `${name} exports the same as ESM and as CommonJS`);
  assert.ok(namesOf(esm).length > 0, `${name} exports something`);
}
for (const load of [(name) => import(name), require])
  await tryPackage(
    await load('orch-apiserver'),
    await load('orch-apiserver/http'),
    await load('orch-apiserver/kubeconfig'),
    await load('orch-apiserver/testing'),
  );
const loadsClassicLevel = () => Object.keys(require.cache).some((file) => file.includes('classic-level'));
assert.ok(!loadsClassicLevel(), 'nothing but a folder needs classic-level');
await tryFolder(await import('orch-apiserver'), await import('orch-apiserver/storage'), 'data-esm');
await tryFolder(require('orch-apiserver'), require('orch-apiserver/storage'), 'data-cjs');
assert.ok(loadsClassicLevel());
const program = `${folder}/${bin['orch-apiserver']}`;
for (const [flag, expected] of [
  ['--version', /^orch-apiserver \d+\.\d+\.\d+\n$/],
  ['--help', /garbage-collector-controller/],
]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, flag], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, expected);
}
// The program also contains code that is loaded later: an invalid configuration file must be refused by the code that parses it.
writeFileSync('broken.yaml', 'kind: Broken\n');
for (const flag of [
  'authorization-config',
  'authentication-config',
  'authentication-token-webhook-config-file',
  'admission-control-config-file',
  'audit-policy-file',
]) {
  const flags = ['--secure-port=0', `--${flag}=broken.yaml`, '--audit-log-path=-'];
  const { stderr, status } = spawnSync(process.execPath, [program, ...flags], { encoding: 'utf8', timeout: 60_000 });
  assert.equal(status, 1, `--${flag}: ${status} ${stderr}`);
  assert.match(stderr, /Error: /, `--${flag}`);
}
