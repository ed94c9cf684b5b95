import { ApiServer, configMap as configMaps } from '../dist/index.js';
import { callsPerProcessorSecond, interleaved, microseconds, ratio, row } from './measure.mjs';
import { configMap } from './objects.mjs';
import { request } from './support/request.mjs';

const PATH = '/api/v1/namespaces/default/configmaps/c-0';
/** Many short ones: a machine that is busy for a while then spoils a few only. */
const rounds = 25;

/** What a GET costs more where priority and fairness decides about it, of a user whose level queues and of an administrator. */
export default async function measure() {
  const on = await start(true);
  const off = await start(false);
  const rows = [];
  for (const [who, groups] of [
    ['a user', ['dev', 'system:authenticated']],
    ['an administrator', ['system:masters', 'system:authenticated']],
  ]) {
    const user = Object.freeze({ username: 'jane', groups: Object.freeze(groups) });
    const get = (server) => () =>
      callsPerProcessorSecond(async () => {
        const { status } = await server.handle(request(PATH), { user });
        if (status !== 200) throw new Error(`answered with ${status}`);
      }, 100);
    const found = await interleaved({ on: get(on), off: get(off) }, { rounds });
    rows.push(
      row({
        topic: `GET of ${who} with priority and fairness against one without`,
        measured: ratio(found.off, found.on),
        target: 1.25,
        better: 'less',
        detail: `${microseconds(found.on)} against ${microseconds(found.off)} µs`,
      }),
    );
  }
  await on.close();
  await off.close();
  return rows;
}

async function start(priorityAndFairness) {
  const server = new ApiServer({ dialect: 'k8s', controllerMode: 'stepped', priorityAndFairness });
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
