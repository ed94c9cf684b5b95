import { expect, it } from 'vitest';
import { certificateSigningRequest, clusterRole, clusterRoleBinding, coreEvent } from '../../src/exports/kinds.js';
import { createFakeClock } from '../../src/testing/index.js';
import { makeRequest } from '../pki/make-request.js';
import { openWorld, serverOf, type World } from './world.js';

const HOUR = 3_600_000;
const inDefault = { namespace: 'default' };
const writesOf = ({ backend }: World, part: string) =>
  backend.log.filter(({ key }) => key.includes(part)).map(({ type, key }) => `${type} ${key.split('/').at(-1)}`);

it('the certificate request of a node is approved once and signed once, by any server', async () => {
  await using world = await openWorld(2);
  const [one] = world.servers;
  if (!one) throw new TypeError('there is a server');
  const rules = [
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests', 'certificatesigningrequests/selfnodeclient'],
      verbs: ['create'],
    },
  ];
  await one.client().create(clusterRole, { metadata: { name: 'nodes' }, rules });
  const subjects = [{ kind: 'Group', name: 'system:nodes', apiGroup: 'rbac.authorization.k8s.io' }];
  const roleRef = { kind: 'ClusterRole', name: 'nodes', apiGroup: 'rbac.authorization.k8s.io' };
  await one.client().create(clusterRoleBinding, { metadata: { name: 'nodes' }, subjects, roleRef });
  await world.rest();
  for (let i = 0; i < 6; i++) {
    const username = `system:node:n${i}`;
    const { pem } = await makeRequest({ commonName: username, organizations: ['system:nodes'] });
    const spec = {
      request: btoa(pem),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    };
    await serverOf(world, i)
      .client({ user: { username, groups: ['system:nodes', 'system:authenticated'] } })
      .create(certificateSigningRequest, { metadata: { name: `r${i}` }, spec, status: {} });
    // All servers receive the request before any of them begins to work, and receive nothing afterwards.
    world.backend.catchUp();
    world.hold();
  }
  await world.rest();
  const { items } = await one.client().list(certificateSigningRequest);
  expect(items.map(({ status }) => status.conditions?.map(({ type }) => type))).toEqual(Array(6).fill(['Approved']));
  expect(items.every(({ status }) => (status.certificate ?? '') !== '')).toBe(true);
  expect(writesOf(world, '/certificatesigningrequests/').sort()).toEqual(
    items.flatMap(({ metadata }) => Array(3).fill(`put ${metadata.name}`)),
  );
});

it('an event is deleted once, an hour after the last server to write it did', async () => {
  const clock = createFakeClock();
  const options = { clock };
  await using world = await openWorld([options, options]);
  const tell = (server: number, name: string) =>
    serverOf(world, server)
      .client()
      .create(
        coreEvent,
        { metadata: { name }, involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' }, reason: 'R' } as never,
        inDefault,
      );
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await world.rest();
  };
  const names = async () =>
    await Promise.all(
      world.servers.map(async (server) =>
        (await server.client().list(coreEvent, inDefault)).items.map(({ metadata }) => metadata.name),
      ),
    );
  await tell(0, 'a');
  await tell(1, 'b');
  await world.rest();
  await pass(HOUR / 2);
  // Only this server knows of the request when the hour of the other server is over.
  world.hold();
  await serverOf(world, 0)
    .client()
    .patch(coreEvent, 'b', { count: 2 } as never, inDefault);
  clock.advance(HOUR / 2);
  await world.rest();
  expect(await names()).toEqual([['b'], ['b']]);
  const late = await world.join(options);
  await pass(HOUR / 2);
  expect(await names()).toEqual([[], [], []]);
  expect((await late.client().list(coreEvent, inDefault)).items).toEqual([]);
  expect(writesOf(world, '/events/')).toEqual(['put a', 'put b', 'put b', 'delete a', 'delete b']);
});
