import { operations } from './operations.mjs';

const ADMIN = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const JANE = { username: 'jane', groups: ['system:masters', 'system:authenticated'] };
/** The user who may edit only one namespace. */
const JOE = { username: 'joe', groups: ['system:authenticated'] };
const WRITERS = [...Array(4).fill(ADMIN), ...Array(4).fill(JANE), JOE];
/** The watched resources. */
const WATCHED = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/secrets',
  '/apis/apps/v1/replicasets',
  '/api/v1/namespaces',
];
/** Headers that only identify a connection, or contain the time of the machine. */
const NOT_THE_SERVERS = new Set(['date']);

/** Returns a controller that creates a ReplicaSet for each Deployment, which the garbage collector deletes with its owner. */
const deploymentController = (replicaSet) => ({
  name: 'deployments',
  follow: ({ host, queue }) =>
    host.lister('apps', 'deployments').onChange((next) => {
      if (next) queue.add(`${next.metadata.namespace}/${next.metadata.name}`);
    }),
  async reconcile(key, { host, client }) {
    const [namespace, name] = key.split('/');
    const owner = host.lister('apps', 'deployments').get(namespace, name);
    if (!owner || owner.metadata.deletionTimestamp) return;
    const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid: owner.metadata.uid };
    const { replicas, selector, template } = owner.spec;
    const metadata = { name, ownerReferences: [{ ...reference, controller: true, blockOwnerDeletion: true }] };
    await client.apply(
      replicaSet,
      { metadata, spec: { replicas, selector, template } },
      { namespace, fieldManager: 'deployments', force: true },
    );
  },
});

/** Draws random numbers from the bytes of a replay. */
function chanceOf(random) {
  const next = () => {
    const [a, b, c] = random.fill(new Uint8Array(3));
    return ((a << 16) | (b << 8) | c) / 2 ** 24;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { below, often: (share) => next() < share, pick: (list) => list[below(list.length)] };
}

/** Returns a function that sends requests, and records the bytes of requests and responses. */
function recorder(server, record, chance) {
  let count = 0;
  return async function ask(method, path, body, headers = {}) {
    const user = 'authorization' in headers ? undefined : chance.pick(WRITERS);
    const init = { method, headers: { 'content-type': 'application/json', 'user-agent': 'writer/1.0', ...headers } };
    const request = new Request(
      `http://server${path}`,
      body === undefined ? init : { ...init, body: JSON.stringify(body) },
    );
    const name = `answer ${++count}, ${method} ${path} by ${user?.username ?? 'a token'}`;
    try {
      const response = await server.fetch(request, user ? { user } : {});
      const bytes = new Uint8Array(await response.arrayBuffer());
      const head = [...response.headers].filter(([header]) => !NOT_THE_SERVERS.has(header)).sort();
      record(`${name}: head`, [response.status, head]);
      record(`${name}: body`, bytes);
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
    } catch (error) {
      record(`${name}: error`, error.message);
      return undefined;
    }
  };
}

/** Opens a watch and reads its bytes as they arrive. @returns a function that ends the watch and returns the bytes */
async function openWatch(server, path, userAgent) {
  const stop = new AbortController();
  const url = `http://server${path}?watch=1&allowWatchBookmarks=true`;
  const request = new Request(url, { headers: { 'user-agent': userAgent }, signal: stop.signal });
  const response = await server.fetch(request, { user: ADMIN });
  const parts = [];
  const reading = (async () => {
    for await (const part of response.body) parts.push(part);
  })().catch(() => {});
  return async () => {
    stop.abort();
    await reading;
    return Buffer.concat(parts);
  };
}

/** An in-process operator that creates a ConfigMap for each new Secret, and deletes it with the Secret. */
function startOperator({ Informer, configMap, secret }, server) {
  const client = server.client({ userAgent: 'operator/1.0' });
  const informer = new Informer(client, secret);
  const where = { namespace: 'default' };
  const ignore = () => {};
  informer.addEventHandler({
    onAdd: ({ metadata: { name } }) =>
      void client.create(configMap, { metadata: { name: `of-${name}` }, data: { seen: name } }, where).catch(ignore),
    onDelete: ({ metadata: { name } }) => void client.delete(configMap, `of-${name}`, where).catch(ignore),
  });
  informer.start();
  return informer;
}

/**
 * Runs a random workload: writers, watchers, an operator, controllers in a shuffled order, faults, and time that passes.
 * @param kit the library: its main entry point, and those of its kinds, client and test kit
 * @param replay the argument that `assertDeterministic` passes
 * @param options.steps how many operations, of one to six requests each
 */
export async function runWorkload(kit, replay, { steps = 80 } = {}) {
  const { options, record, seed } = replay;
  const chance = chanceOf(replay.random);
  const definitions = (defaults) => [...defaults, deploymentController(kit.replicaSet)];
  const server = replay.follow(
    new kit.ApiServer({ dialect: 'k8s', ...options, controllers: { definitions, mode: 'stepped' } }),
  );
  await server.start();
  const faults = kit.injectFaults(server, { seed });
  const order = kit.controlOrder(server, { seed });
  order.controllers().shuffle();
  order.watches().shuffle();
  order.watches({ controller: ['generic-garbage-collector', 'deployments'] }).shuffle();
  const ask = recorder(server, record, chance);
  const known = new Map();
  const all = operations({ ask, chance, known });
  const watches = [];
  const endWatch = async ([name, end]) => record(`bytes of ${name}`, await end());

  const informer = startOperator(kit, server);
  // Concurrent work during the first requests would have an order that depends on the machine.
  await informer.synced();
  await server.settle({ failures: 'ignore' });
  for (const name of ['shop', 'closing']) await ask('POST', '/api/v1/namespaces', { metadata: { name } });
  await ask('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    metadata: { name: 'joe' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'joe' }],
  });
  await all.defineKind();
  for (let n = 0; n < 5; n++) await all.createConfigMap();
  await server.settle({ failures: 'ignore' });

  const often = { optional: true };
  const writing = { userAgent: 'writer/*', verb: ['create', 'update', 'patch', 'delete'] };
  faults.on({ ...writing, probability: 0.03 }, often).answer(503, { retryAfter: 1 });
  faults.on({ ...writing, probability: 0.03 }, often).loseAnswer();
  faults.on({ ...writing, verb: 'update', probability: 0.1 }, often).conflict();
  faults.on({ userAgent: 'writer/*', verb: ['get', 'list'], probability: 0.05 }, often).stale(3);
  faults.on({ userAgent: 'kube-controller-manager', verb: ['create', 'patch'], probability: 0.05 }, often).conflict();
  faults.on({ userAgent: 'operator/*', verb: 'create', probability: 0.1 }, often).refuse();

  const names = Object.keys(all);
  for (let step = 0; step < steps; step++) {
    const name = chance.pick(names);
    await all[name]();
    if (chance.often(0.1) && watches.length < 6) {
      const path = chance.pick(WATCHED);
      const userAgent = `watcher-${step}`;
      watches.push([`${userAgent}, ${path}`, await openWatch(server, path, userAgent)]);
    }
    if (chance.often(0.03)) faults.on({ userAgent: 'watcher-*' }, often).endWatch(chance.pick(['expired', 'timeout']));
    if (chance.often(0.2)) await server.settle({ failures: 'ignore' });
    if (chance.often(0.08)) await kit.advance(server, chance.pick([1_000, 61_000, 400_000]));
  }
  await server.settle({ failures: 'ignore' });
  for (const watch of watches) await endWatch(watch);
  informer.close();
  record('certificate', await server.issueClientCertificate({ username: 'jane' }));
  record('pending', String(server.pending()));
  record('saved', await server.save());
  order.end();
  faults[Symbol.dispose]();
}
