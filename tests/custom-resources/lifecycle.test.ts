import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionAttributes } from '../../src/admission/admission-plugin.js';
import { ApiServer, isInvalid, type ResourceDefinition } from '../../src/index.js';
import { type CustomResourceDefinition, customResourceDefinition } from '../../src/resources/apiextensions/index.js';
import { requestsTo } from '../support/ask.js';
import { startServer } from '../support/servers.js';
import { everybody, manifest, thingsOf } from './support.js';

describe('a custom resource definition', () => {
  let server: ApiServer;
  const { get, remove } = requestsTo(() => server);
  beforeEach(async () => {
    server = await startServer({ dialect: 'k8s', authentication: [everybody] });
  });
  afterEach(() => server.close());

  const conditions = ({ status }: CustomResourceDefinition) =>
    Object.fromEntries((status.conditions ?? []).map(({ type, status: is, reason }) => [type, `${is} ${reason}`]));
  const define = async (crd: object) => {
    const made = await server.client().create(customResourceDefinition, crd as never);
    await server.settle();
    return server.client().get(customResourceDefinition, made.metadata.name ?? '');
  };

  it('is replaced, like its objects, when it is loaded again', async () => {
    const load = async (size: number) => {
      const metadata = { ...manifest().metadata, annotations: { size: String(size) } };
      const type = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
      await server.load([{ ...manifest(), ...type, metadata }]);
      await server.settle();
      const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: { size } };
      await server.load([object]);
    };
    await load(1);
    await load(2);
    const crd = await server.client().get(customResourceDefinition, manifest().metadata.name);
    expect(crd.metadata.annotations).toEqual({ size: '2' });
    expect(await server.client().get(thingsOf(server), 'a', AT)).toMatchObject({ spec: { size: 2 } });
  });

  it('is established, served and listed, and deletes its objects when it is deleted', async () => {
    const crd = await define(manifest());
    expect(conditions(crd)).toEqual({ NamesAccepted: 'True NoConflicts', Established: 'True InitialNamesAccepted' });
    expect(crd.status.storedVersions).toEqual(['v1']);
    const things = thingsOf(server);
    const thing = await server.client().create(things, { metadata: { name: 'a' }, spec: { size: 1 } } as never, AT);
    expect(thing.metadata.generation).toBe(1);
    expect((await get('/apis/example.com/v1')).value.resources[0]).toMatchObject({ name: 'things', kind: 'Thing' });
    expect(Object.keys((await get('/openapi/v3/apis/example.com/v1')).value.paths)).toContain(
      '/apis/example.com/v1/namespaces/{namespace}/things/{name}',
    );
    await server.client().delete(customResourceDefinition, 'things.example.com');
    await server.settle();
    expect((await get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com')).status).toBe(404);
    expect((await get('/apis/example.com/v1/things')).status).toBe(404);
    await define(manifest());
    expect((await get('/apis/example.com/v1/things')).value.items).toEqual([]);
  });

  it('waits for the finalizers of its objects, and refuses new ones meanwhile', async () => {
    await define(manifest());
    const things = thingsOf(server);
    const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
    await server.client().create(things, held as never, AT);
    await server.client().delete(customResourceDefinition, 'things.example.com');
    await server.settle();
    const going = await server.client().get(customResourceDefinition, 'things.example.com');
    expect(conditions(going)['Terminating']).toBe('True InstanceDeletionInProgress');
    const late = server.client().create(things, { metadata: { name: 'late' } } as never, AT);
    await expect(late).rejects.toMatchObject({ code: 405 });
    await server.client().update(things, 'held', (draft) => void (draft.metadata.finalizers = []), AT);
    await server.settle();
    expect((await get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).value.items).toEqual([]);
  });

  it('is deleted with its objects, even if admission refuses their deletion', async () => {
    const refusal = {
      name: 'Refusal',
      handles: ({ operation, resource }: AdmissionAttributes) =>
        operation === 'DELETE' && resource.resource === 'things',
      validate: () => {
        throw new Error('no deletions');
      },
    };
    await using strict = await startServer({ dialect: 'k8s', admission: [() => refusal] });
    const client = strict.client();
    await client.create(customResourceDefinition, manifest() as never);
    await strict.settle();
    const things = thingsOf(strict);
    await client.create(things, { metadata: { name: 'a' } } as never, AT);
    await expect(client.deleteCollection(things, AT)).rejects.toThrow('no deletions');
    await client.delete(customResourceDefinition, 'things.example.com');
    await strict.settle();
    expect((await client.list(customResourceDefinition)).items).toEqual([]);
  });

  it('applies the propagation policy only from the second deletion request on', async () => {
    await define(manifest());
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com';

    await server.client().create(thingsOf(server), { metadata: { name: 'a', finalizers: ['x.y/z'] } } as never, AT);
    const { metadata } = (await get(path)).value;
    const conflict =
      'Operation cannot be fulfilled on customresourcedefinitions.apiextensions.k8s.io "things.example.com"';
    for (const [name, of] of [
      ['uid', 'UID'],
      ['resourceVersion', 'ResourceVersion'],
    ] as const) {
      const refused = await remove(path, { preconditions: { [name]: '1' } });
      const why = `Precondition failed: ${of} in precondition: 1, ${of} in object meta: ${metadata[name]}`;
      expect([refused.status, refused.message]).toEqual([409, `${conflict}: ${why}`]);
    }
    const cleanup = 'customresourcecleanup.apiextensions.k8s.io';
    const first = (await remove(`${path}?propagationPolicy=Foreground&gracePeriodSeconds=9`)).value.metadata;
    expect(first).toMatchObject({ generation: 1, finalizers: [cleanup] });
    expect(first).not.toHaveProperty('deletionGracePeriodSeconds');
    const again = (await remove(`${path}?propagationPolicy=Orphan`)).value.metadata;
    const { deletionTimestamp } = first;
    expect(again).toMatchObject({ generation: 1, deletionTimestamp, deletionGracePeriodSeconds: 0 });
    expect(again.finalizers).toEqual([cleanup, 'orphan']);
  });

  it('deletes its objects even if no version is served any more', async () => {
    await define(manifest());
    await server.client().create(thingsOf(server), { metadata: { name: 'a' } } as never, AT);
    await server.client().update(customResourceDefinition, 'things.example.com', (draft) => {
      for (const version of draft.spec.versions) version.served = false;
    });
    await server.settle();
    expect((await get('/apis/example.com/v1/things')).status).toBe(404);
    await server.client().delete(customResourceDefinition, 'things.example.com');
    await server.settle();
    await define(manifest());
    expect((await get('/apis/example.com/v1/things')).value.items).toEqual([]);
  });

  it('is refused names that another definition of its group has, until they are free', async () => {
    await define(manifest({ names: { shortNames: ['th'] } }));
    const other = { plural: 'thoughts', kind: 'Thought', shortNames: ['th'] };
    const refused = await define(manifest({ names: other }));
    expect(conditions(refused)).toEqual({
      NamesAccepted: 'False ShortNamesConflict',
      Established: 'False NotAccepted',
    });
    expect((await get('/apis/example.com/v1/thoughts')).status).toBe(404);
    await server.client().delete(customResourceDefinition, 'things.example.com');
    await server.settle();
    expect((await get('/apis/example.com/v1/thoughts')).status).toBe(200);
  });

  it('can be changed while it is served: requests use the new schema', async () => {
    await define(manifest());
    const most = (maximum: number) =>
      server.client().update(customResourceDefinition, 'things.example.com', (draft) => {
        draft.spec.versions[0] = manifest({ spec: { size: { type: 'integer', maximum } } }).spec.versions[0] as never;
      });
    await most(3);
    await server.settle();
    const big = { metadata: { name: 'big' }, spec: { size: 4 } };
    await expect(server.client().create(thingsOf(server), big as never, AT)).rejects.toSatisfy(isInvalid);
    await most(5);
    await server.settle();
    await server.client().create(thingsOf(server), big as never, AT);
    await most(3);
    await server.settle();
    // Objects that were stored before are readable, and can be changed by other clients.
    const things: ResourceDefinition = thingsOf(server);
    await server.client().update(things, 'big', (draft) => void (draft.metadata.labels = { a: 'b' }), AT);
    expect((await server.client().get(things, 'big', AT)).metadata.labels).toEqual({ a: 'b' });
  });

  it('is restored with its objects from a saved state, before and after the start', async () => {
    await define(manifest());
    const made = await server
      .client()
      .create(thingsOf(server), { metadata: { name: 'a' }, spec: { size: 1 } } as never, AT);
    const saved = await server.save();
    await using early = new ApiServer({ dialect: 'k8s' });
    await early.load(saved);
    await early.start();
    expect(await early.client().get(thingsOf(early), 'a', AT)).toEqual(made);
    await using late = await startServer({ dialect: 'k8s' });
    await late.load(saved);
    await late.settle();
    expect((await late.client().get(thingsOf(late), 'a', AT)).metadata.uid).toBe(made.metadata.uid);
  });

  it('serves one stored object in several versions, each with its own fields and defaults', async () => {
    const version = (name: string, storage: boolean, properties: object) => ({
      ...manifest({ spec: properties }).spec.versions[0],
      name,
      storage,
    });
    await define(
      manifest({
        versions: [
          version('v1beta1', true, { size: { type: 'integer' }, old: { type: 'string' } }),
          version('v1', false, { size: { type: 'integer' }, n: { type: 'integer', default: 7 } }),
        ],
      }),
    );
    const [v1, beta] = ['v1', 'v1beta1'].map((name) => thingsOf(server, name));
    if (!v1 || !beta) throw new TypeError('both are served');
    await server.client().create(beta, { metadata: { name: 'a' }, spec: { size: 1, old: 'o' } } as never, AT);
    expect(await server.client().get(v1, 'a', AT)).toMatchObject({ apiVersion: 'example.com/v1', spec: { size: 1 } });
    await server.client().create(v1, { metadata: { name: 'b' }, spec: { size: 2 } } as never, AT);
    const stored = await server.client().get(beta, 'b', AT);
    expect(stored).toMatchObject({ apiVersion: 'example.com/v1beta1' });
    expect((await server.client().list(v1, AT)).items.map((item) => item.apiVersion)).toEqual([
      'example.com/v1',
      'example.com/v1',
    ]);
  });
});

const AT = { namespace: 'default' };
