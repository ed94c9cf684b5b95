// Tries the built package as its users get it: ESM, CommonJS and the program. Bundling can break what the sources do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

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

await tryPackage(
  await import('orch-apiserver'),
  await import('orch-apiserver/http'),
  await import('orch-apiserver/kubeconfig'),
);
const require = createRequire(import.meta.url);
await tryPackage(require('orch-apiserver'), require('orch-apiserver/http'), require('orch-apiserver/kubeconfig'));
const { stdout, status } = spawnSync(process.execPath, ['dist/cli/main.js', '--version'], { encoding: 'utf8' });
assert.equal(status, 0);
assert.match(stdout, /^orch-apiserver \d+\.\d+\.\d+\n$/);
console.log('smoke: the built package works as ESM, as CommonJS and as a program');
