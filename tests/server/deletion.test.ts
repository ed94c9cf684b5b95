import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionAttributes } from '../../src/admission/admission-plugin.js';
import type { ApiServer } from '../../src/api-server.js';
import { defaultControllers } from '../../src/controllers/default-controllers.js';
import { isNotFound } from '../../src/meta/api-error.js';
import type { OwnerReference } from '../../src/meta/object-meta.js';
import type { ConfigMap } from '../../src/resources/core/core-v1.types.js';
import { configMap, namespace, pod, secret, serviceAccount } from '../../src/resources/core/index.js';
import type { Pod } from '../../src/resources/core/pod/pod.js';
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.js';
import { createFakeRandom } from '../../src/testing/fake-random.js';
import { ask } from '../support/ask.js';
import { startServer } from '../support/servers.js';

const where = { namespace: 'default' };
let clock: FakeClock;
let server: ApiServer;
let refusesDeletions: boolean;
const refusal = {
  name: 'Refusal',
  handles: ({ operation, resource }: AdmissionAttributes) => operation === 'DELETE' && resource.resource === 'pods',
  validate: () => {
    if (refusesDeletions) throw new Error('no more deletions');
  },
};

beforeEach(async () => {
  clock = createFakeClock();
  refusesDeletions = false;
  server = await startServer({
    dialect: 'k8s',
    controllers: { definitions: defaultControllers, mode: 'stepped' },
    admission: (defaults) => [...defaults, () => refusal],
    clock,
    random: createFakeRandom(1),
  });
});
afterEach(() => server.close());

/** Returns the object, or undefined if it does not exist. */
const find = (name: string, at = where): Promise<ConfigMap | undefined> =>
  server
    .client()
    .get(configMap, name, at)
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });

interface Made {
  readonly owners?: readonly ConfigMap[];
  readonly blocks?: boolean;
  readonly finalizers?: readonly string[];
  readonly references?: readonly OwnerReference[];
}
const make = (name: string, { owners = [], blocks, finalizers, references = [] }: Made = {}) => {
  const ownerReferences = [...owners.map((owner) => referenceTo(owner, blocks)), ...references];
  return server
    .client()
    .create(configMap, { metadata: { name, ownerReferences, ...(finalizers ? { finalizers } : {}) } }, where);
};
const referenceTo = ({ metadata: { name = '', uid = '' } }: ConfigMap, blocks?: boolean): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
  ...(blocks === undefined ? {} : { blockOwnerDeletion: blocks }),
});
const remove = (name: string, propagationPolicy: 'Orphan' | 'Background' | 'Foreground') =>
  server.client().delete(configMap, name, { ...where, propagationPolicy });
const ownersOf = async (name: string) => (await find(name))?.metadata.ownerReferences?.map((owner) => owner.name);

describe('finalizers', () => {
  it('keep a deleted object until the last one is removed; watches send its last stored state', async () => {
    const client = server.client();
    await make('held', { finalizers: ['example.com/a'] });
    const watch = await client.watch(configMap, { ...where, fieldSelector: 'metadata.name=held' }).opened();
    clock.advance(1000);
    const marked = await client.delete(configMap, 'held', where);
    expect(marked).toMatchObject({
      metadata: { deletionTimestamp: '2024-01-01T00:00:01Z', deletionGracePeriodSeconds: 0 },
    });
    await expect(client.create(configMap, { metadata: { name: 'held' } }, where)).rejects.toMatchObject({
      message: 'object is being deleted: configmaps "held" already exists',
    });
    const last = await client.patch(configMap, 'held', { metadata: { finalizers: null } }, where);
    expect(last.metadata.finalizers).toBeUndefined();
    expect(await find('held')).toBeUndefined();
    const seen: unknown[] = [];
    for await (const { type, object } of watch)
      if (seen.push([type, (object as ConfigMap).metadata.finalizers]) === 3) break;
    expect(seen).toEqual([
      ['ADDED', ['example.com/a']],
      ['MODIFIED', ['example.com/a']],
      ['DELETED', ['example.com/a']],
    ]);
  });
});

describe('graceful deletion', () => {
  const spec = { containers: [{ name: 'c', image: 'i' }] } as unknown as Pod['spec']; // decoding adds the defaults, so the cast is safe
  const makePod = (nodeName?: string) =>
    server
      .client()
      .create(
        pod,
        { metadata: { name: 'p' }, spec: { ...spec, ...(nodeName === undefined ? {} : { nodeName }) } },
        where,
      );
  const stop = (gracePeriodSeconds?: number) =>
    server.client().delete(pod, 'p', { ...where, ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }) });

  beforeEach(() => server.settle());

  it('keeps a running pod for its grace period, which can be shortened but not extended', async () => {
    await makePod('node');
    expect(await stop()).toMatchObject({
      metadata: { deletionTimestamp: '2024-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 },
    });
    clock.advance(5000);
    expect(await stop(60)).toMatchObject({
      metadata: { deletionTimestamp: '2024-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 },
    });
    expect(await stop(10)).toMatchObject({
      metadata: { deletionTimestamp: '2024-01-01T00:00:10Z', deletionGracePeriodSeconds: 10 },
    });
    expect(await stop(0)).toMatchObject({ metadata: { deletionGracePeriodSeconds: 0 } });
    await expect(server.client().get(pod, 'p', where)).rejects.toMatchObject({ code: 404 });
  });
  it('deletes a pod without a node at once, with the deletion fields set', async () => {
    await makePod();
    const watch = await server.client().watch(pod, where).opened();
    expect(await stop(30)).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 0, deletionTimestamp: '2024-01-01T00:00:00Z' },
    });
    const types: string[] = [];
    for await (const { type } of watch) if (types.push(type) === 3) break;
    expect(types).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  });
  it('returns the version at which the pod was deleted', async () => {
    await makePod();
    const watch = await server.client().watch(pod, where).opened();
    const { metadata } = (await stop(0)) as Pod;
    const versions: (string | undefined)[] = [];
    for await (const { object } of watch) if (versions.push(object.metadata.resourceVersion) === 3) break;
    expect(metadata.resourceVersion).toBe(versions[2]);
  });
  it('ends with its period: another deletion decides again about finalizers, or removes the object', async () => {
    await makePod();
    await server.client().update(pod, 'p', (draft) => void (draft.metadata.finalizers = ['example.com/a']), where);
    await stop();
    const orphaned = await server.client().delete(pod, 'p', { ...where, propagationPolicy: 'Orphan' });
    expect(orphaned).toMatchObject({ metadata: { finalizers: ['example.com/a', 'orphan'] } });
    expect(await server.client().delete(pod, 'p', { ...where, propagationPolicy: 'Background' })).toMatchObject({
      metadata: { finalizers: ['example.com/a'], deletionTimestamp: '2024-01-01T00:00:00Z' },
    });
  });
  it('does not call admission again during its period', async () => {
    await makePod('node');
    await stop();
    refusesDeletions = true;
    expect(await stop(60)).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30 } });
    await expect(stop(10)).rejects.toThrow('no more deletions');
    const stale = { ...where, preconditions: { uid: 'another' } };
    await expect(server.client().delete(pod, 'p', stale)).rejects.toMatchObject({ code: 409 });
  });
  it('returns the result of a dry run, and changes nothing', async () => {
    const made = await makePod('node');
    expect(await server.client().delete(pod, 'p', { ...where, dryRun: true })).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 30 },
    });
    expect(await server.client().get(pod, 'p', where)).toEqual(made);
  });
});

describe('finalizers of a deletion', () => {
  const OWN = 'example.com/own';
  const user = { username: 'admin', groups: ['system:masters'] };
  const collectors = ['orphan', 'foregroundDeletion'];
  const wishes: { readonly orphanDependents?: boolean; readonly propagationPolicy?: string }[] = [
    {},
    { orphanDependents: true },
    { orphanDependents: false },
    { propagationPolicy: 'Orphan' },
    { propagationPolicy: 'Foreground' },
    { propagationPolicy: 'Background' },
  ];
  const cases = [[], ['orphan'], ['foregroundDeletion'], [OWN], [OWN, 'orphan'], ['foregroundDeletion', OWN]].flatMap(
    (has) => wishes.map((wish) => ({ has, wish })),
  );
  it('depend on the propagation policy, else on the object; by default dependents are deleted in the background', async () => {
    for (const [index, { has, wish }] of cases.entries()) {
      const name = `f${index}`;
      await make(name, { finalizers: has });
      const path = `/api/v1/namespaces/default/configmaps/${name}`;
      const { status, message } = await ask(server, { method: 'DELETE', path, body: wish }, { user });
      expect(status, message).toBeLessThan(300);
      const said = wish.orphanDependents ?? wish.propagationPolicy;
      const kept = has.filter(
        (finalizer) => finalizer === OWN || (said === undefined && collectors.includes(finalizer)),
      );
      const added =
        said === true || said === 'Orphan' ? ['orphan'] : said === 'Foreground' ? ['foregroundDeletion'] : [];
      const stays = [...kept, ...added].sort();
      const found = await find(name);
      expect({ has, wish, stays: found?.metadata.finalizers?.toSorted() ?? [] }).toEqual({ has, wish, stays });
      expect(found === undefined).toBe(stays.length === 0);
    }
  });

  it('are not visible when the client removed the last ones', async () => {
    await make('freed', { finalizers: ['orphan'] });
    const watch = await server.client().watch(configMap, where).opened();
    await remove('freed', 'Background');
    const seen: unknown[] = [];
    for await (const { type, object } of watch)
      if (object.metadata.name === 'freed' && seen.push([type, object.metadata.finalizers]) === 2) break;
    expect(seen).toEqual([
      ['ADDED', ['orphan']],
      ['DELETED', ['orphan']],
    ]);
  });

  it('exclude each other, and none is added after the deletion', async () => {
    await expect(make('both', { finalizers: collectors })).rejects.toThrow(
      'metadata.finalizers: Invalid value: []string{"orphan", "foregroundDeletion"}: finalizer orphan and foregroundDeletion cannot be both set',
    );
    await make('held', { finalizers: [OWN] });
    await server.client().delete(configMap, 'held', where);
    const more = server
      .client()
      .update(configMap, 'held', (draft) => void draft.metadata.finalizers?.push('example.com/b'), where);
    await expect(more).rejects.toThrow(
      'no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/b"}',
    );
  });
});

describe('propagation', () => {
  it('Background: the owner is deleted at once, then its dependents, and theirs', async () => {
    const owner = await make('owner');
    const child = await make('child', { owners: [owner] });
    await make('grandchild', { owners: [child] });
    await server.settle();
    await remove('owner', 'Background');
    expect(await find('owner')).toBeUndefined();
    expect(await find('child')).toBeDefined();
    await server.settle();
    expect(await find('child')).toBeUndefined();
    expect(await find('grandchild')).toBeUndefined();
  });
  it('keeps an object that has another existing owner, without the reference to the deleted one', async () => {
    const [gone, stays] = [await make('gone'), await make('stays')];
    await make('shared', { owners: [gone, stays] });
    await remove('gone', 'Background');
    await server.settle();
    expect(await ownersOf('shared')).toEqual(['stays']);
  });
  it('Foreground: the owner waits for dependents that block its deletion, not for others', async () => {
    const owner = await make('owner');
    await make('blocking', { owners: [owner], blocks: true, finalizers: ['example.com/hold'] });
    await make('free', { owners: [owner] });
    expect(await remove('owner', 'Foreground')).toMatchObject({ metadata: { finalizers: ['foregroundDeletion'] } });
    await server.settle();
    expect(await find('owner')).toBeDefined();
    expect(await find('free')).toBeUndefined();
    expect((await find('blocking'))?.metadata.deletionTimestamp).toBeDefined();
    await server.client().patch(configMap, 'blocking', { metadata: { finalizers: null } }, where);
    await server.settle();
    expect(await find('owner')).toBeUndefined();
  });
  it('Foreground applies to dependents with dependents as well', async () => {
    const owner = await make('owner');
    const child = await make('child', { owners: [owner], blocks: true });
    await make('grandchild', { owners: [child], blocks: true });
    await remove('owner', 'Foreground');
    await server.settle();
    for (const name of ['owner', 'child', 'grandchild']) expect(await find(name)).toBeUndefined();
  });
  it('ends a cycle of owners', async () => {
    const first = await make('first');
    const second = await make('second', { owners: [first], blocks: true });
    await server
      .client()
      .update(
        configMap,
        'first',
        (draft) => void (draft.metadata.ownerReferences = [{ ...referenceTo(second, true) }]),
        where,
      );
    await server.settle();
    await remove('first', 'Foreground');
    await server.settle();
    expect(await find('first')).toBeUndefined();
    expect(await find('second')).toBeUndefined();
  });
  it('Orphan: dependents are kept and lose the reference to the owner', async () => {
    const owner = await make('owner');
    const other = await make('other');
    await make('alone', { owners: [owner] });
    await make('shared', { owners: [owner, other] });
    expect(await remove('owner', 'Orphan')).toMatchObject({ metadata: { finalizers: ['orphan'] } });
    await server.settle();
    expect(await find('owner')).toBeUndefined();
    expect(await find('alone')).toBeDefined();
    expect(await ownersOf('alone')).toBeUndefined();
    expect(await ownersOf('shared')).toEqual(['other']);
  });
  it('deletes an object whose owner never existed, or is in another namespace', async () => {
    const client = server.client();
    await client.create(namespace, { metadata: { name: 'elsewhere' }, spec: {} });
    const far = await client.create(configMap, { metadata: { name: 'far' } }, { namespace: 'elsewhere' });
    await make('lost', {
      references: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: '00000000-0000-4000-8000-000000000000' }],
    });
    await make('foreign', { owners: [far] });
    const present = await make('present');
    await make('renamed', { references: [{ ...referenceTo(present), uid: 'another' }] });
    await server.settle();
    for (const name of ['lost', 'foreign', 'renamed']) expect(await find(name), name).toBeUndefined();
    expect(await find('present')).toBeDefined();
  });
  it('keeps an object whose owner is of a kind that is not served, and one without owners', async () => {
    await make('strange', { references: [{ apiVersion: 'example.com/v1', kind: 'Thing', name: 'x', uid: 'x' }] });
    await make('plain');
    await server.settle();
    expect(await find('strange')).toBeDefined();
    expect(await find('plain')).toBeDefined();
  });
  it('deletes a dependent of another kind when its owner is deleted', async () => {
    const client = server.client();
    const account = await client.create(serviceAccount, { metadata: { name: 'owner' } }, where);
    const { name = '', uid = '' } = account.metadata;
    await client.create(
      secret,
      { metadata: { name: 'child', ownerReferences: [{ apiVersion: 'v1', kind: 'ServiceAccount', name, uid }] } },
      where,
    );
    await client.delete(serviceAccount, 'owner', where);
    await server.settle();
    await expect(client.get(secret, 'child', where)).rejects.toMatchObject({ code: 404 });
  });
});

describe('a namespace', () => {
  it('is deleted after its content, and reports what remains', async () => {
    const client = server.client();
    const room = { namespace: 'room' };
    await client.create(namespace, { metadata: { name: 'room' }, spec: {} });
    await client.create(configMap, { metadata: { name: 'free' } }, room);
    await client.create(configMap, { metadata: { name: 'held', finalizers: ['example.com/hold'] } }, room);
    expect(await client.delete(namespace, 'room')).toMatchObject({ status: { phase: 'Terminating' } });
    await server.settle();
    expect(await find('free', room)).toBeUndefined();
    const { status } = await client.get(namespace, 'room');
    expect(status.conditions?.map(({ type, status: value, reason }) => [type, value, reason])).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered'],
      ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions'],
      ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted'],
      ['NamespaceContentRemaining', 'True', 'SomeResourcesRemain'],
      ['NamespaceFinalizersRemaining', 'True', 'SomeFinalizersRemain'],
    ]);
    await client.patch(configMap, 'held', { metadata: { finalizers: null } }, room);
    clock.advance(10_000);
    await server.settle();
    await expect(client.get(namespace, 'room')).rejects.toMatchObject({ code: 404 });
  });
  it('keeps the conditions of other clients, and reports pods beyond their grace period', async () => {
    const client = server.client();
    const room = { namespace: 'crowded' };
    await client.create(namespace, { metadata: { name: 'crowded' }, spec: {} });
    await server.settle();
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    await client.create(pod, { metadata: { name: 'p' }, spec }, room);
    const own = { type: 'Own', status: 'True', reason: 'Because', message: 'told', lastTransitionTime: null };
    await client.patch(namespace, 'crowded', { status: { conditions: [own] } }, { subresource: 'status' });
    await client.delete(namespace, 'crowded');
    await server.settle();
    const conditions = async () => (await client.get(namespace, 'crowded')).status.conditions ?? [];
    const failure = async () => (await conditions()).find(({ type }) => type === 'NamespaceDeletionContentFailure');
    expect((await conditions()).map(({ type }) => type)).toEqual([
      'Own',
      'NamespaceDeletionDiscoveryFailure',
      'NamespaceDeletionGroupVersionParsingFailure',
      'NamespaceDeletionContentFailure',
      'NamespaceContentRemaining',
      'NamespaceFinalizersRemaining',
    ]);
    expect(await failure()).toMatchObject({ status: 'False', reason: 'ContentDeleted' });
    clock.advance(40_000);
    await server.settle();
    expect(await failure()).toMatchObject({
      status: 'True',
      reason: 'ContentDeletionFailed',
      message:
        'Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: crowded for gvr: /v1, Resource=pods',
    });
  });
});
