import { describe, expect, it } from 'vitest';
import {
  csiDriver,
  csiNode,
  csiStorageCapacity,
  priorityClass,
  runtimeClass,
  storageClass,
  volumeAttachment,
} from '../../../src/exports/kinds.js';
import { startServer } from '../../support/servers.js';
import { context, created, readBody, updateErrors } from '../steps.js';

/** A running server's client. */
const started = async () => (await startServer({ dialect: 'k8s' })).client();
const metadata = { name: 'a' };

describe('StorageClass', () => {
  it('reports duplicate topology terms once for each earlier term', async () => {
    const client = await started();
    const term = (...values: string[]) => ({ matchLabelExpressions: [{ key: 'zone', values }] });
    const made = client.create(storageClass, {
      metadata,
      provisioner: 'example.com/disk',
      allowedTopologies: [term('b', 'a'), term('c'), term('a', 'b')],
    });
    await expect(made).rejects.toThrow('allowedTopologies[2].matchLabelExpressions: Duplicate value: ""');
  });

  it('cannot change the parameters of its volumes', async () => {
    const client = await started();
    await client.create(storageClass, { metadata, provisioner: 'example.com/disk' });
    const changed = client.patch(storageClass, 'a', { provisioner: 'other' });
    await expect(changed).rejects.toThrow('provisioner: Forbidden: updates to provisioner are forbidden.');
  });
});

it('a VolumeAttachment reports the errors of an update twice', async () => {
  const spec = { attacher: 'csi.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } };
  const errors = await updateErrors(
    volumeAttachment,
    { metadata, spec: { ...spec, attacher: '' } },
    created(volumeAttachment, { metadata, spec }),
  );
  expect(errors.slice(0, 2)).toEqual(['spec.attacher: Required value', 'spec.attacher: Required value']);
  expect(errors[2]).toContain('spec: Invalid value: storage.VolumeAttachmentSpec{');
});

describe('CSIDriver', () => {
  it('increments its generation when a mutable field changes', async () => {
    const client = await started();
    await client.create(csiDriver, { metadata, spec: {} });
    const { metadata: after } = await client.patch(csiDriver, 'a', { spec: { requiresRepublish: true } });
    expect(after.generation).toBe(1);
    const fixed = client.patch(csiDriver, 'a', { spec: { attachRequired: false } });
    await expect(fixed).rejects.toThrow('spec.attachedRequired: Invalid value: false: field is immutable');
  });
});

describe('CSINode', () => {
  it('cannot change a driver, but drivers can be added and removed', async () => {
    const client = await started();
    const driver = (name: string, nodeID = 'n') => ({ name, nodeID, topologyKeys: [] });
    await client.create(csiNode, { metadata, spec: { drivers: [driver('one.example.com')] } });
    const change = (drivers: readonly object[]) => client.patch(csiNode, 'a', { spec: { drivers } });
    await change([driver('one.example.com'), driver('two.example.com')]);
    await expect(change([driver('two.example.com', 'm')])).rejects.toThrow(
      'CSINodeDriver: Invalid value: storage.CSINodeDriver{Name:"two.example.com", NodeID:"m"',
    );
    expect((await change([])).spec.drivers).toBeNull();
  });
});

describe('PriorityClass', () => {
  it('reserves names and values for the system', async () => {
    const client = await started();
    const system = client.create(priorityClass, { metadata: { name: 'system-x' }, value: 1 });
    await expect(system).rejects.toThrow('system-x is not a known system priority class');
    const high = client.create(priorityClass, { metadata, value: 1_000_000_001 });
    await expect(high).rejects.toThrow('maximum allowed value of a user defined priority is 1000000000');
  });
});

describe('RuntimeClass', () => {
  it('has container resources as overhead, and each toleration once', async () => {
    const client = await started();
    const overhead = client.create(runtimeClass, { metadata, handler: 'h', overhead: { podFixed: { storage: '1' } } });
    await expect(overhead).rejects.toThrow(
      'overhead.limits[storage]: Invalid value: storage: must be a standard resource for containers',
    );
    const tolerations = [
      { key: 'a', operator: 'Exists' },
      { key: 'a', operator: 'Exists' },
    ];
    const twice = client.create(runtimeClass, { metadata, handler: 'h', scheduling: { tolerations } });
    await expect(twice).rejects.toThrow('scheduling.tolerations[1]: Duplicate value: core.Toleration{Key:"a"');
  });
});

it('warns of deprecated node labels wherever nodes are selected by them', () => {
  const key = 'beta.kubernetes.io/arch';
  const said = 'deprecated since v1.14; use "kubernetes.io/arch" instead';
  const warn = <K extends typeof storageClass | typeof runtimeClass | typeof csiStorageCapacity>(
    kind: K,
    body: object,
  ) => kind.strategy?.warnings?.(readBody(kind as never, { metadata, ...body }), undefined, context);
  const allowedTopologies = [
    {
      matchLabelExpressions: [
        { key: 'zone', values: ['a'] },
        { key, values: ['a'] },
      ],
    },
  ];
  expect(warn(storageClass, { provisioner: 'p', allowedTopologies })).toEqual([
    `allowedTopologies[0].matchLabelExpressions[1].key: ${said}`,
  ]);
  expect(warn(runtimeClass, { handler: 'h', scheduling: { nodeSelector: { [key]: 'x', zone: 'a' } } })).toEqual([
    `scheduling.nodeSelector: ${said}`,
  ]);
  const nodeTopology = { matchLabels: { [key]: 'x' }, matchExpressions: [{ key, operator: 'Exists' }] };
  expect(warn(csiStorageCapacity, { storageClassName: 's', nodeTopology })).toEqual([
    `nodeTopology.matchExpressions[0].key: ${key} is ${said}`,
    `nodeTopology.matchLabels.${key}: ${said}`,
  ]);
  expect(warn(csiStorageCapacity, { storageClassName: 's' })).toEqual([]);
});
