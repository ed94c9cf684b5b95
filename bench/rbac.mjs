import { memory } from '../dist/exports/storage.js';
import { ApiServer } from '../dist/index.js';
import { callsPerSecond, interleaved, median, ratio, row } from './measure.mjs';

const SIZES = [10, 1_000, 100_000];
const GROUP = 'rbac.authorization.k8s.io';
const ALICE = { username: 'alice', groups: ['system:authenticated', 'dev'] };

/** Decisions of a server with few and with many bindings of other users, whose cost must be equal. */
export default async function measure() {
  const servers = await Promise.all(SIZES.map(startWith));
  const ask = (question) =>
    Object.fromEntries(
      servers.map((server, index) => [
        SIZES[index],
        () => callsPerSecond(() => server.explainDecision(ALICE, question), 200),
      ]),
    );
  const rows = [];
  for (const [topic, question] of [
    ['an allowed request', { verb: 'get', resource: 'configmaps', namespace: 'default', name: 'x' }],
    ['a refused request', { verb: 'delete', resource: 'configmaps', namespace: 'default', name: 'x' }],
  ]) {
    const results = await interleaved(ask(question), { rounds: 5 });
    for (const size of SIZES.slice(1)) {
      const [few, many] = [median(results[10]), median(results[size])];
      rows.push(
        row({
          topic: `${topic}: ${size.toLocaleString('en')} bindings of others, against 10`,
          measured: ratio(results[10], results[size]),
          target: 1.5,
          better: 'less',
          unit: '× time',
          detail: `${(1e6 / few).toFixed(1)} µs, ${(1e6 / many).toFixed(1)} µs`,
        }),
      );
    }
  }
  await Promise.all(servers.map((server) => server.close()));
  return rows;
}

/** Returns a server with a binding for alice and many bindings for others, cluster-wide and in her namespace. */
async function startWith(size) {
  let storage;
  const server = new ApiServer({
    dialect: 'k8s',
    controllers: { mode: 'stepped' },
    storage: (wiring) => (storage = memory()(wiring)),
  });
  await server.start();
  const make = (path, object) => storage.guaranteedUpdate(path, () => ({ action: 'put', value: object }));
  const metadata = (name, namespace) => ({ name, namespace, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' });
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }];
  await make('/registry/clusterroles/reader', { metadata: metadata('reader'), rules });
  const binding = (name, user, namespace) => ({
    metadata: metadata(name, namespace),
    subjects: [{ kind: 'User', apiGroup: GROUP, name: user }],
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'reader' },
  });
  await make('/registry/rolebindings/default/alice', binding('alice', 'alice', 'default'));
  for (let i = 0; i < size / 2; i++) {
    await make(`/registry/clusterrolebindings/other-${i}`, binding(`other-${i}`, `user-${i}`));
    await make(`/registry/rolebindings/default/other-${i}`, binding(`other-${i}`, `user-${i}`, 'default'));
  }
  await server.explainDecision(ALICE, { verb: 'get', path: '/' });
  return server;
}
