import { expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { configMap, persistentVolumeClaim, pod, resourceQuota, secret } from '../../../src/exports/kinds.js';
import { apiError } from '../../../src/meta/api-error.js';
import { closeAfterTest, startServer } from '../../support/servers.js';

const namespace = 'default';
const where = { namespace };

/** A server with one quota that has already been counted. */
async function start(spec: object, options: ConstructorParameters<typeof ApiServer>[0] = {}) {
  const server = closeAfterTest(await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' }, ...options }));
  await server.settle();
  const client = server.client();
  await client.create(resourceQuota, { metadata: { name: 'q' }, spec } as never, where);
  await server.settle();
  const used = async () => (await client.get(resourceQuota, 'q', where)).status.used;
  return { server, client, used };
}
type Started = Awaited<ReturnType<typeof start>>;

const makeMap = ({ client }: Started, name: string) => client.create(configMap, { metadata: { name } }, where);
const makePod = ({ client }: Started, name: string, resources: object = {}, more: object = {}) => {
  const spec = { containers: [{ name: 'c', image: 'i', resources }], ...more };
  return client.create(pod, { metadata: { name }, spec } as never, where);
};
const refusal = (made: Promise<unknown>) =>
  made.then(
    () => 'none',
    (error: Error) => error.message,
  );

it('counts existing and new objects, and refuses what exceeds the quota', async () => {
  const started = await start({ hard: { configmaps: '2', 'count/secrets': '0', 'count/things.example.com': '1' } });
  const { client, server, used } = started;
  // The root CA ConfigMap counts as well; kinds that are not served do not.
  expect(await used()).toEqual({ configmaps: '1', 'count/secrets': '0' });
  await makeMap(started, 'a');
  expect(await used()).toMatchObject({ configmaps: '2' });
  const text =
    'configmaps "b" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=2';
  expect(await refusal(makeMap(started, 'b'))).toBe(text);
  const applied = client.apply(configMap, { metadata: { name: 'b', namespace } } as never, { fieldManager: 'm' });
  expect(await refusal(applied)).toBe(text);
  expect(await refusal(client.create(secret, { metadata: { name: 's' } }, where))).toContain('count/secrets=1');
  await client.patch(configMap, 'a', { data: { k: 'v' } }, where);
  await client.delete(configMap, 'a', where);
  await server.settle();
  expect(await used()).toMatchObject({ configmaps: '1' });
  expect(await refusal(makeMap(started, 'b'))).toBe('none');
});

it('concurrent requests cannot exceed it', async () => {
  const started = await start({ hard: { configmaps: '11' } });
  const outcomes = await Promise.all(Array.from({ length: 30 }, (_, i) => refusal(makeMap(started, `m${i}`))));
  expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(10);
  expect(await started.used()).toEqual({ configmaps: '11' });
});

it('a dry run is checked, but not counted', async () => {
  const started = await start({ hard: { configmaps: '2' } });
  await started.client.create(configMap, { metadata: { name: 'a' } }, { ...where, dryRun: true });
  expect(await started.used()).toEqual({ configmaps: '1' });
});

it('a request that later steps refuse is counted until the next recount', async () => {
  const refusing = () => ({
    name: 'Refusing',
    validate({ name }: { readonly name: string }) {
      if (name === 'bad') throw apiError.badRequest('no');
    },
  });
  const started = await start({ hard: { configmaps: '9' } }, { admission: (defaults) => [...defaults, refusing] });
  expect(await refusal(makeMap(started, 'bad'))).toBe('no');
  expect(await started.used()).toEqual({ configmaps: '2' });
  await makeMap(started, 'good');
  await started.client.delete(configMap, 'good', where);
  await started.server.settle();
  expect(await started.used()).toEqual({ configmaps: '1' });
});

it('a quota without a status yet limits nothing', async () => {
  const started = await start({ hard: {} });
  const { client, server } = started;
  await client.patch(resourceQuota, 'q', { spec: { hard: { configmaps: '1' } } }, where);
  expect(await refusal(makeMap(started, 'a'))).toBe('none');
  await server.settle();
  expect(await started.used()).toEqual({ configmaps: '2' });
  expect(await refusal(makeMap(started, 'b'))).toContain('used: configmaps=2, limited: configmaps=1');
});

it('pods must declare limited resources, and count until they end', async () => {
  const started = await start({ hard: { pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' } });
  const { client, server, used } = started;
  expect(await refusal(makePod(started, 'a'))).toBe(
    'pods "a" is forbidden: failed quota: q: must specify limits.memory for: c; requests.cpu for: c',
  );
  const fine = { requests: { cpu: '600m' }, limits: { memory: '512Mi' } };
  await makePod(started, 'a', fine);
  expect(await used()).toEqual({ pods: '1', 'requests.cpu': '600m', 'limits.memory': '512Mi' });
  expect(await refusal(makePod(started, 'b', fine))).toContain(
    'requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
  );
  await client.patch(pod, 'a', { status: { phase: 'Succeeded' } } as never, { ...where, subresource: 'status' });
  await server.settle();
  expect(await used()).toEqual({ pods: '0', 'requests.cpu': '0', 'limits.memory': '0' });
});

it('scopes select the pods that count', async () => {
  const started = await start({ hard: { pods: '1' }, scopes: ['Terminating', 'BestEffort'] });
  expect(await refusal(makePod(started, 'a'))).toBe('none');
  expect(await refusal(makePod(started, 'b', { requests: { cpu: '1' } }, { activeDeadlineSeconds: 5 }))).toBe('none');
  expect(await refusal(makePod(started, 'c', {}, { activeDeadlineSeconds: 5 }))).toBe('none');
  expect(await started.used()).toEqual({ pods: '1' });
  expect(await refusal(makePod(started, 'd', {}, { activeDeadlineSeconds: 5 }))).toContain('exceeded quota');
});

it('a scope can be the priority class of a pod', async () => {
  const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] }];
  const started = await start({ hard: { pods: '0' }, scopeSelector: { matchExpressions } });
  expect(await refusal(makePod(started, 'a'))).toBe('none');
  const critical = makePod(started, 'b', {}, { priorityClassName: 'system-node-critical' });
  expect(await refusal(critical)).toContain('requested: pods=1');
});

it('claims count by storage class, and when they grow', async () => {
  const ofClass = (name: string) => `gold.storageclass.storage.k8s.io/${name}`;
  const started = await start({
    hard: { 'requests.storage': '3Gi', [ofClass('requests.storage')]: '2Gi', [ofClass('persistentvolumeclaims')]: '1' },
  });
  const claim = (name: string, storage: string, storageClassName: string) => {
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } };
    return started.client.create(persistentVolumeClaim, { metadata: { name }, spec } as never, where);
  };
  await claim('a', '1Gi', 'gold');
  expect(await refusal(claim('b', '1Gi', 'gold'))).toContain(`${ofClass('persistentvolumeclaims')}=1, used`);
  await claim('b', '1Gi', 'slow');
  expect(await refusal(claim('c', '2Gi', 'slow'))).toContain(
    'requested: requests.storage=2Gi, used: requests.storage=2Gi',
  );
  expect(await started.used()).toEqual({
    'requests.storage': '2Gi',
    [ofClass('requests.storage')]: '1Gi',
    [ofClass('persistentvolumeclaims')]: '1',
  });
});
