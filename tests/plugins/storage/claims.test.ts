import { expect, it } from 'vitest';
import { persistentVolumeClaim, storageClass } from '../../../src/exports/kinds.js';
import { nodeRestriction } from '../../../src/plugins/nodes/node-restriction.js';
import { ask } from '../../support/ask.js';
import { everybodyIs, openServer } from '../../support/servers.js';

const at = { namespace: 'default' };
const PATH = '/api/v1/namespaces/default/persistentvolumeclaims';
const spec = (storage: string, storageClassName?: string) => ({
  accessModes: ['ReadWriteOnce'] as const,
  volumeName: 'v',
  resources: { requests: { storage } },
  ...(storageClassName === undefined ? {} : { storageClassName }),
});

it('a bound claim can grow if its previous class allows expansion', async () => {
  await using server = await openServer();
  const client = server.client();
  for (const [name, allowVolumeExpansion] of [['grows', true] as const, ['stays', false] as const])
    await client.create(storageClass, { metadata: { name }, provisioner: 'example.com/disk', allowVolumeExpansion });
  const why =
    'persistentvolumeclaims "%" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  const grow = async (name: string, before: string | undefined, after: string | undefined, phase = 'Bound') => {
    const made = await client.create(persistentVolumeClaim, { metadata: { name }, spec: spec('1Gi', before) }, at);
    const status = { phase } as const;
    const bound = await client.replace(persistentVolumeClaim, { ...made, status }, { subresource: 'status' });
    const wanted = { ...bound, spec: { ...bound.spec, ...spec('2Gi', after) } };
    return client.replace(persistentVolumeClaim, wanted).then(
      () => 'grown',
      (error: Error) => error.message.replace(`"${name}"`, '"%"'),
    );
  };
  expect(await grow('a', 'grows', 'grows')).toBe('grown');
  expect(await grow('b', 'stays', 'stays')).toBe(why);
  expect(await grow('c', undefined, undefined)).toBe(why);
  // The same write sets its class, because its volume was not provisioned.
  expect(await grow('d', undefined, 'grows')).toBe(why);
  expect(await grow('e', 'missing', 'missing')).toBe(why);
});

it.each([[true], [false]])(
  'a node reports the progress of an expansion only if expansion may fail: %s',
  async (may) => {
    await using server = await openServer({
      admission: [nodeRestriction],
      authentication: [everybodyIs({ username: 'system:node:n', groups: ['system:nodes'] })],
      featureGates: { RecoverVolumeExpansionFailure: may },
    });
    const made = await server
      .client()
      .create(persistentVolumeClaim, { metadata: { name: 'c' }, spec: spec('1Gi') }, at);
    const { resourceVersion: _, ...metadata } = made.metadata;
    const body = { ...made, metadata };
    const write = (status: object) =>
      ask(server, { method: 'PUT', path: `${PATH}/c/status`, body: { ...body, status } });
    const states = { phase: 'Pending', allocatedResourceStatuses: { storage: 'NodeResizeInfeasible' } };
    const refusal = 'node "n" is not allowed to update fields other than status.quantity and status.conditions';
    expect((await write({ phase: 'Pending', capacity: { storage: '1Gi' } })).status).toBe(200);
    for (const more of [{}, { allocatedResources: { storage: '1Gi' } }]) {
      const { status, text } = await write({ ...states, ...more });
      expect([status, text.includes('not allowed to update fields')]).toEqual(may ? [200, false] : [403, true]);
    }
    expect((await write({ phase: 'Lost' })).message).toContain(refusal);
  },
);
