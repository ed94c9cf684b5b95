import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiServer } from '../api-server.js';
import { alwaysAllow } from '../authorization/always-allow.js';
import type { Client } from '../client/client.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { builtinResources } from '../resources/index.js';

/** The test data for {@link runResourceContract}. */
export interface ResourceSample<T extends ApiObject> {
  /** A valid object with a name. `metadata.namespace` may be absent. */
  readonly object: Omit<T, 'apiVersion' | 'kind'>;
  /** The namespace of the objects. Default `default`. */
  readonly namespace?: string;
  /** Whether names can be generated. Default true. It must be false for kinds whose names depend on other fields. */
  readonly generatesNames?: boolean;
}

/**
 * Declares, as vitest tests, the behavior that every stored kind must have: identity and versions, updates and their conflicts, dry runs,
 * generated names, lists, watches, tables and deletion. It is called in a vitest file.
 */
export function runResourceContract<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  sample: ResourceSample<T>,
): void {
  const namespace = sample.namespace ?? 'default';
  const where = definition.scope === 'Namespaced' ? { namespace } : {};
  // The contract uses only members that all kinds have, so the cast is safe.
  const kind = definition as unknown as ResourceDefinition;
  const object = sample.object as unknown as ApiObject;
  const name = object.metadata.name ?? '';
  const named = (other: string) => ({ ...object, metadata: { ...object.metadata, name: other } }) as ApiObject;

  describe(`${definition.kind} (${definition.groupStem ?? definition.group})`, () => {
    let server: ApiServer;
    let client: Client;
    beforeAll(async () => {
      const resources = builtinResources.includes(kind) ? builtinResources : [...builtinResources, kind];
      server = new ApiServer({
        dialect: 'k8s',
        resources,
        authorization: [alwaysAllow()],
        runtimeConfig: { 'api/all': 'true' },
        ...(definition.featureGate === undefined ? {} : { featureGates: { [definition.featureGate]: true } }),
        // The controllers are stepped, so that they do not change the objects under test.
        controllers: { mode: 'stepped' },
      });
      await server.start();
      client = server.client();
    });
    afterAll(() => server.close());
    // Each test creates the object if it is missing, so that the tests may run in any order.
    const present = () => client.get(kind, name, where).catch(() => client.create(kind, object, where));
    const remove = async () => {
      await client.delete(kind, name, { ...where, gracePeriodSeconds: 0 });
      await server.settle();
    };

    it('sets the uid, the version and the owner of a new object, and freezes it', async () => {
      if ((await client.list(kind, where)).items.some(({ metadata }) => metadata.name === name)) await remove();
      const made = await client.create(kind, object, where);
      expect(made).toMatchObject({ kind: definition.kind, metadata: { name } });
      expect(made.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(made.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
      expect(made.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(Object.isFrozen(made.metadata)).toBe(true);
      expect(await client.get(kind, name, where)).toBe(made);
    });

    it('refuses a second object of the same name', async () => {
      await present();
      await expect(client.create(kind, object, where)).rejects.toMatchObject({ code: 409, reason: 'AlreadyExists' });
    });

    it('keeps the resourceVersion if nothing changes', async () => {
      const stored = await present();
      // If the stored form of the kind differs from the served form, the first update may complete the stored object and so change its
      // version. In this case the test compares the versions after the first and the second update.
      const before = definition.storageForm ? await client.replace(kind, stored, where) : stored;
      expect((await client.replace(kind, before, where)).metadata.resourceVersion).toBe(
        before.metadata.resourceVersion,
      );
    });

    it('stores labels with a new resourceVersion, and refuses an outdated one', async () => {
      const before = await present();
      const labelled = await client.update(
        kind,
        name,
        (draft) => void (draft.metadata.labels = { ...draft.metadata.labels, contract: 'yes' }),
        where,
      );
      expect(Number(labelled.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
      expect(labelled.metadata.uid).toBe(before.metadata.uid);
      const stale = { ...before, metadata: { ...before.metadata, labels: { contract: 'no' } } };
      await expect(client.replace(kind, stale, where)).rejects.toMatchObject({ code: 409, reason: 'Conflict' });
      const selected = await client.list(kind, { ...where, labelSelector: 'contract=yes' });
      expect(selected.items.map(({ metadata }) => metadata.name)).toEqual([name]);
    });

    it('stores nothing in a dry run', async () => {
      const other = `${name}-dry`;
      const dry = await client
        .create(kind, named(other), { ...where, dryRun: true })
        .catch((error: { code?: number }) => error);
      if ('metadata' in dry) expect(dry.metadata.resourceVersion).toBeUndefined();
      await expect(client.get(kind, other, where)).rejects.toMatchObject({ code: 404 });
      const before = await present();
      await client.patch(kind, name, { metadata: { labels: { dry: 'run' } } }, { ...where, dryRun: true });
      expect(await client.get(kind, name, where)).toBe(before);
    });

    it.skipIf(sample.generatesNames === false)('generates names', async () => {
      const { name: _name, ...metadata } = object.metadata;
      const created = await client.create(
        kind,
        { ...object, metadata: { ...metadata, generateName: 'contract-' } } as ApiObject,
        where,
      );
      expect(created.metadata.name).toMatch(/^contract-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      await client.delete(kind, created.metadata.name ?? '', where);
    });

    it('sends changes and the deletion to a watch', async () => {
      await present();
      const watch = await client.watch(kind, { ...where, fieldSelector: `metadata.name=${name}` }).opened();
      await client.update(
        kind,
        name,
        (draft) => void (draft.metadata.annotations = { ...draft.metadata.annotations, contract: 'watched' }),
        where,
      );
      await remove();
      const types: string[] = [];
      for await (const { type } of watch) {
        types.push(type);
        if (type === 'DELETED') break;
      }
      expect(types.slice(0, 2)).toEqual(['ADDED', 'MODIFIED']);
      await expect(client.get(kind, name, where)).rejects.toMatchObject({ code: 404, reason: 'NotFound' });
    });
  });
}
