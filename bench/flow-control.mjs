import { ApiServer, configMap as configMaps } from '../dist/index.js';
import { interleaved, leastRatio, processorMicroseconds, row } from './measure.mjs';
import { configMap } from './objects.mjs';
import { request } from './support/request.mjs';

const PATH = '/api/v1/namespaces/default/configmaps/c-0';
/** Many short, alternating runs; the minimum of each counts. */
const rounds = 60;
const CALLS = 1024;
const WARM_UP = 8 * CALLS;

/** The cost that priority and fairness adds to a GET, for a user whose level has queues and for an administrator. */
export default async function measure() {
  const on = await start(true);
  const off = await start(false);
  const rows = [];
  for (const [who, groups] of [
    ['a user', ['dev', 'system:authenticated']],
    ['an administrator', ['system:masters', 'system:authenticated']],
  ]) {
    const user = Object.freeze({ username: 'jane', groups: Object.freeze(groups) });
    const get = (server) => async () => {
      const { status } = await server.handle(request(PATH), { user });
      if (status !== 200) throw new Error(`answered with ${status}`);
    };
    for (const server of [on, off]) await processorMicroseconds(get(server), WARM_UP);
    const cost = (server) => () => processorMicroseconds(get(server), CALLS);
    const found = await interleaved({ on: cost(on), off: cost(off) }, { rounds });
    rows.push(
      row({
        topic: `GET of ${who} with priority and fairness, cpu against one without`,
        measured: leastRatio(found.on, found.off),
        target: 1.25,
        better: 'less',
        detail: `${Math.min(...found.on).toFixed(1)} against ${Math.min(...found.off).toFixed(1)} µs, the least of ${rounds} alternating runs`,
      }),
    );
  }
  await on.close();
  await off.close();
  return rows;
}

async function start(priorityAndFairness) {
  const server = new ApiServer({ dialect: 'k8s', controllers: { mode: 'stepped' }, limits: { priorityAndFairness } });
  await server.start();
  await server.settle();
  const client = server.client();
  await client.create(configMaps, configMap('c-0'));
  await server.load([
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'readers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'dev' }],
    },
  ]);
  return server;
}
