import { describe, expect, it } from 'vitest';
import { persistentVolume, persistentVolumeClaim, storageClass } from '../../../src/exports/kinds.js';
import { startServer } from '../../support/servers.js';

const modes = ['ReadWriteOnce'] as const;
const inDefault = { namespace: 'default' };

async function startWithClient() {
  const server = await startServer({ dialect: 'k8s' });
  return { server, client: server.client() };
}
const claim = (spec: object = {}) => ({
  metadata: { name: 'c' },
  spec: { accessModes: modes, resources: { requests: { storage: '1Gi' } }, ...spec },
});
const volume = (spec: object) => ({
  metadata: { name: 'v' },
  spec: { capacity: { storage: '1Gi' }, accessModes: modes, ...spec },
});

describe('PersistentVolume', () => {
  it('has exactly one source, which cannot be changed', async () => {
    const { client } = await startWithClient();
    const nfs = { server: 's', path: '/p' };
    const two = client.create(persistentVolume, volume({ nfs, local: { path: '/d' } }));
    await expect(two).rejects.toThrow('spec.local: Forbidden: may not specify more than 1 volume type');
    await client.create(persistentVolume, volume({ nfs }));
    const moved = client.patch(persistentVolume, 'v', { spec: { nfs: { path: '/q' } } });
    await expect(moved).rejects.toThrow('spec.persistentvolumesource is immutable after creation');
  });

  it('of a driver may get the secret for expansion later, once', async () => {
    const { client } = await startWithClient();
    await client.create(persistentVolume, volume({ csi: { driver: 'd', volumeHandle: 'h' } }));
    const tell = (name: string) =>
      client.patch(persistentVolume, 'v', {
        spec: { csi: { controllerExpandSecretRef: { name, namespace: 'default' } } },
      });
    expect((await tell('a')).spec.csi?.controllerExpandSecretRef?.name).toBe('a');
    await expect(tell('b')).rejects.toThrow('spec.persistentvolumesource is immutable after creation');
  });

  it('requires a capacity, and quotes an empty one', async () => {
    const { client } = await startWithClient();
    const refused = (capacity?: object) =>
      expect(client.create(persistentVolume, volume({ nfs: { server: 's', path: '/p' }, capacity }))).rejects;
    await refused({}).toThrow('spec.capacity: Unsupported value: core.ResourceList{}: supported values: "storage"');
    await refused().toThrow('spec.capacity: Unsupported value: core.ResourceList(nil): supported values: "storage"');
  });

  it('prints its sizes as they were written', async () => {
    const { client } = await startWithClient();
    const capacity = { a: '1024Mi', b: '8Gi', c: '1.5', d: '1k' };
    const made = client.create(persistentVolume, volume({ nfs: { server: 's', path: '/p' }, capacity }));
    const error = await made.catch((refusal: Error) => refusal.message);
    const shown = [...String(error).matchAll(/value:(\d+), scale:(-?\d+)}, .*?s:"(\w*)"/g)].map((each) =>
      each.slice(1),
    );
    expect(shown).toEqual([
      ['1073741824', '0', ''],
      ['8589934592', '0', ''],
      ['15', '-1', ''],
      ['1', '3', '1k'],
    ]);
  });

  it('records the time of its last change of phase, unless the client sets it', async () => {
    const { client } = await startWithClient();
    await client.create(persistentVolume, volume({ nfs: { server: 's', path: '/p' } }));
    const tell = (status: object) => client.patch(persistentVolume, 'v', { status }, { subresource: 'status' });
    const since = async (status: object) => (await tell(status)).status.lastPhaseTransitionTime;
    const told = '2020-01-01T00:00:00Z';
    expect(await since({ lastPhaseTransitionTime: told })).toBe(told);
    // An update that omits it changes nothing.
    expect(await since({ lastPhaseTransitionTime: null })).toBe(told);
    expect(await since({ phase: 'Bound' })).not.toBe(told);
    expect(await since({ phase: 'Released', lastPhaseTransitionTime: told })).toBe(told);
  });

  it('has a finalizer until it is unused', async () => {
    const { server, client } = await startWithClient();
    await client.create(persistentVolume, volume({ nfs: { server: 's', path: '/p' } }));
    await client.patch(persistentVolume, 'v', { status: { phase: 'Bound' } }, { subresource: 'status' });
    await client.delete(persistentVolume, 'v');
    await server.settle();
    expect((await client.get(persistentVolume, 'v')).metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
    await client.patch(persistentVolume, 'v', { status: { phase: 'Released' } }, { subresource: 'status' });
    await server.settle();
    await expect(client.get(persistentVolume, 'v')).rejects.toThrow('not found');
  });

  it('replaces deprecated labels in its affinity, and changes nothing else', async () => {
    const { client } = await startWithClient();
    const affinity = (key: string, value = 'z') => ({
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
    });
    const old = 'failure-domain.beta.kubernetes.io/zone';
    await client.create(persistentVolume, volume({ nfs: { server: 's', path: '/p' }, nodeAffinity: affinity(old) }));
    const change = (nodeAffinity: object) => client.patch(persistentVolume, 'v', { spec: { nodeAffinity } });
    await expect(change(affinity(old, 'y'))).rejects.toThrow('except for updating from beta label to GA');
    const { spec } = await change(affinity('topology.kubernetes.io/zone'));
    expect(spec.nodeAffinity).toEqual(affinity('topology.kubernetes.io/zone'));
  });
});

describe('PersistentVolumeClaim', () => {
  it('gets the default class, unless it names one or an empty one', async () => {
    const { client } = await startWithClient();
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await client.create(storageClass, { metadata: { name: 'fast', annotations }, provisioner: 'example.com/disk' });
    const made = await client.create(persistentVolumeClaim, claim(), inDefault);
    expect(made.spec.storageClassName).toBe('fast');
    const none = { ...claim({ storageClassName: '' }), metadata: { name: 'none' } };
    expect((await client.create(persistentVolumeClaim, none, inDefault)).spec.storageClassName).toBe('');
  });

  it('is stored without a phase at first, which its first update sets', async () => {
    const { client } = await startWithClient();
    const made = await client.create(persistentVolumeClaim, claim(), inDefault);
    expect(made.status).toEqual({ phase: 'Pending' });
    const again = () => client.apply(persistentVolumeClaim, claim(), { ...inDefault, fieldManager: 'm', force: true });
    const versions = [
      made,
      await client.patch(persistentVolumeClaim, 'c', {}, inDefault),
      await again(),
      await again(),
    ];
    const [first, second, third, fourth] = versions.map(({ metadata }) => Number(metadata.resourceVersion));
    expect(second).toBeGreaterThan(first ?? 0);
    expect(third).toBeGreaterThan(second ?? 0); // The claim has another owner.
    expect(fourth).toBe(third);
    const dry = await client.create(
      persistentVolumeClaim,
      { ...claim(), metadata: { name: 'd' } },
      { ...inDefault, dryRun: true },
    );
    expect(dry.status).toEqual({ phase: 'Pending' });
  });

  it('has a claim or a snapshot as data source or, in the newer field, any object', async () => {
    const { client } = await startWithClient();
    const sourcesOf = async (spec: object) => {
      const made = await client.create(persistentVolumeClaim, claim(spec), { ...inDefault, dryRun: true });
      return [made.spec.dataSource?.name, made.spec.dataSourceRef?.name];
    };
    const source = (kind: string, apiGroup?: string) => ({ name: 's', kind, ...(apiGroup && { apiGroup }) });
    const snapshot = source('VolumeSnapshot', 'snapshot.storage.k8s.io');
    const thing = source('Thing', 'example.com');
    expect(await sourcesOf({ dataSource: source('PersistentVolumeClaim') })).toEqual(['s', 's']);
    expect(await sourcesOf({ dataSource: snapshot })).toEqual(['s', 's']);
    expect(await sourcesOf({ dataSourceRef: thing })).toEqual(['s', 's']);
    // A value that the older field does not support is ignored.
    for (const other of [
      thing,
      source('Pod'),
      source('VolumeSnapshot'),
      source('PersistentVolumeClaim', 'example.com'),
    ])
      expect(await sourcesOf({ dataSource: other })).toEqual([undefined, undefined]);
    expect(await sourcesOf({ dataSource: thing, dataSourceRef: thing })).toEqual(['s', 's']);
    await expect(sourcesOf({ dataSource: snapshot, dataSourceRef: thing })).rejects.toThrow('must match dataSourceRef');
  });

  it('can grow when it is bound and its class allows it, and never shrink', async () => {
    const { client } = await startWithClient();
    await client.create(storageClass, {
      metadata: { name: 'fast' },
      provisioner: 'example.com/disk',
      allowVolumeExpansion: true,
    });
    await client.create(persistentVolumeClaim, claim({ storageClassName: 'fast' }), inDefault);
    const resize = (storage: string) =>
      client.patch(persistentVolumeClaim, 'c', { spec: { resources: { requests: { storage } } } }, inDefault);
    await expect(resize('2Gi')).rejects.toThrow('spec is immutable after creation except resources.requests');
    const bound = { status: { phase: 'Bound', capacity: { storage: '1Gi' } } };
    await client.patch(persistentVolumeClaim, 'c', bound, { ...inDefault, subresource: 'status' });
    expect((await resize('2Gi')).spec.resources.requests).toEqual({ storage: '2Gi' });
    await expect(resize('1Gi')).rejects.toThrow('field can not be less than previous value');
  });

  it('has its data source in both fields', async () => {
    const { client } = await startWithClient();
    const source = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };
    const made = await client.create(persistentVolumeClaim, claim({ dataSource: source }), inDefault);
    expect(made.spec.dataSourceRef).toEqual(source);
  });
});
