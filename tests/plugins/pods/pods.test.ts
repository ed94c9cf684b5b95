import { expect, it } from 'vitest';
import {
  limitRange,
  node,
  type Pod,
  persistentVolumeClaim,
  pod,
  priorityClass,
  runtimeClass,
} from '../../../src/exports/kinds.js';
import { closeAfterTest, startServer } from '../../support/servers.js';

async function start() {
  const server = closeAfterTest(await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' } }));
  await server.settle();
  return server.client();
}
type Client = Awaited<ReturnType<typeof start>>;

let count = 0;
const where = { namespace: 'default' };
const makePod = (client: Client, spec: object = {}, name = `p${count++}`): Promise<Pod> => {
  const body = { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
  return client.create(pod, body as never, where);
};
const refusal = (made: Promise<unknown>) =>
  made.then(
    () => 'none',
    (error: Error) => error.message,
  );
const container = (resources: object, name = 'c') => ({ name, image: 'i', resources });

it('a pod has the priority of its class, and cannot set another one', async () => {
  const client = await start();
  await client.create(priorityClass, { metadata: { name: 'high' }, value: 7, preemptionPolicy: 'Never' });
  const { spec } = await makePod(client, { priorityClassName: 'high' });
  expect([spec.priority, spec.preemptionPolicy]).toEqual([7, 'Never']);
  const critical = await makePod(client, { priorityClassName: 'system-node-critical', priority: 2000001000 });
  expect(critical.spec.priority).toBe(2000001000);
  expect((await makePod(client)).spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  expect(await refusal(makePod(client, { priorityClassName: 'low' }, 'x'))).toBe(
    'pods "x" is forbidden: no PriorityClass with name low was found',
  );
  expect(await refusal(makePod(client, { priority: 3 }))).toContain('the integer value of priority (3) must not be');
});

it('one class is the default for pods without a class', async () => {
  const client = await start();
  const classOf = (name: string, globalDefault: boolean) =>
    client.create(priorityClass, { metadata: { name }, value: 5, globalDefault });
  await classOf('one', true);
  await classOf('two', false);
  expect((await makePod(client)).spec.priorityClassName).toBe('one');
  const text = (name: string) =>
    `priorityclasses.scheduling.k8s.io "${name}" is forbidden: PriorityClass one is already marked as default. Only one default can exist`;
  expect(await refusal(classOf('three', true))).toBe(text('three'));
  const mark = (name: string) => client.patch(priorityClass, name, { globalDefault: true, description: 'd' });
  expect(await refusal(mark('two'))).toBe(text('two'));
  expect(await refusal(mark('one'))).toBe('none');
});

it('a pod keeps its priority if an update omits it', async () => {
  const client = await start();
  const made = await makePod(client);
  const { priority: _p, preemptionPolicy: _q, ...spec } = made.spec;
  const next = await client.replace(pod, { ...made, spec, metadata: { ...made.metadata, labels: { a: 'b' } } });
  expect(next.spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
});

it('a pod tolerates a lost node for five minutes, and a new node is not ready', async () => {
  const client = await start();
  const lost = (name: string) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  });
  expect((await makePod(client)).spec.tolerations).toEqual([lost('not-ready'), lost('unreachable')]);
  const forEver = { key: 'node.kubernetes.io/unreachable', operator: 'Exists' };
  expect((await makePod(client, { tolerations: [forEver] })).spec.tolerations).toEqual([forEver, lost('not-ready')]);
  const all = [{ operator: 'Exists' }];
  expect((await makePod(client, { tolerations: all })).spec.tolerations).toEqual(all);
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  expect((await client.create(node, { metadata: { name: 'n' } } as never)).spec.taints).toEqual([taint]);
});

it('a pod with a runtime class has its overhead and its node selector', async () => {
  const client = await start();
  await client.create(runtimeClass, {
    metadata: { name: 'r' },
    handler: 'h',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { zone: 'a' }, tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }] },
  });
  const of = (more: object = {}) => makePod(client, { runtimeClassName: 'r', ...more });
  const { spec } = await of({ nodeSelector: { mine: '1' }, overhead: { cpu: '0.1' } });
  expect(spec).toMatchObject({ overhead: { cpu: '100m' }, nodeSelector: { mine: '1', zone: 'a' } });
  expect(spec.tolerations?.at(-1)).toEqual({ key: 'k', operator: 'Exists', effect: 'NoSchedule' });
  // A toleration that includes that of the class makes it redundant.
  expect((await of({ tolerations: [{ operator: 'Exists' }] })).spec.tolerations).toEqual([{ operator: 'Exists' }]);
  expect(await refusal(of({ nodeSelector: { zone: 'b' } }))).toContain(
    'conflict: runtimeClass.scheduling.nodeSelector[zone] = a; pod.spec.nodeSelector[zone] = b',
  );
  expect(await refusal(of({ overhead: { cpu: '1' } }))).toContain("Overhead doesn't match RuntimeClass's defined");
  expect(await refusal(makePod(client, { overhead: { cpu: '1' } }))).toContain('Pod Overhead set without');
  expect(await refusal(makePod(client, { runtimeClassName: 's' }))).toContain('RuntimeClass "s" not found');
});

it('containers get the defaults of the limit range, and must be within its limits', async () => {
  const client = await start();
  const limits = [
    {
      type: 'Container',
      default: { cpu: '1' },
      defaultRequest: { cpu: '250m' },
      max: { cpu: '2' },
      min: { cpu: '100m' },
    },
    { type: 'Pod', max: { cpu: '3' } },
    { type: 'PersistentVolumeClaim', max: { storage: '5Gi' } },
  ];
  await client.create(limitRange, { metadata: { name: 'l' }, spec: { limits } } as never, where);
  const { spec, metadata } = await makePod(client);
  expect(spec.containers[0]?.resources).toEqual({ limits: { cpu: '1' }, requests: { cpu: '250m' } });
  expect(metadata.annotations?.['kubernetes.io/limit-ranger']).toBe(
    'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
  );
  const whole = { limits: { cpu: '2' }, requests: { cpu: '2' } };
  expect(await refusal(makePod(client, { containers: [container({ limits: { cpu: '50m' } })] }, 'x'))).toBe(
    'pods "x" is forbidden: minimum cpu usage per Container is 100m, but request is 50m',
  );
  expect(await refusal(makePod(client, { containers: [container(whole), container(whole, 'd')] }, 'x'))).toBe(
    'pods "x" is forbidden: maximum cpu usage per Pod is 3, but limit is 4',
  );
  // Init containers run one after the other, unless they are restarted always.
  const initContainers = [container(whole, 'i'), container(whole, 'j')];
  expect(await refusal(makePod(client, { containers: [container(whole)], initContainers }))).toBe('none');
  const staying = initContainers.map((item) => ({ ...item, restartPolicy: 'Always' }));
  expect(await refusal(makePod(client, { containers: [container(whole)], initContainers: staying }))).toContain(
    'but limit is 6',
  );
  const claim = (storage: string) => ({
    metadata: { name: `c${storage.toLowerCase()}` },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });
  expect(await refusal(client.create(persistentVolumeClaim, claim('6Gi') as never, where))).toContain(
    'maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 6Gi',
  );
  expect(await refusal(client.create(persistentVolumeClaim, claim('5Gi') as never, where))).toBe('none');
});
