import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/index.js';
import { ask as askServer, type Question, requestsTo } from '../support/ask.js';
import { openServer } from '../support/servers.js';
import { manifest } from './support.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };

describe.each([
  ['k8s', 'apiextensions.k8s.io', 'x.k8s.io', 'api-approved.kubernetes.io'],
  ['orch', 'apiextensions.orch.io', 'x.orch.io', 'api-approved.orch.io'],
] as const)(
  'conditions of a definition that a client writes (%s)',
  (dialect, extensions, protectedGroup, annotation) => {
    let server: ApiServer;
    const { get } = requestsTo(() => server);
    const ask = (question: Question) => askServer(server, question);
    afterEach(() => server.close());

    const collection = `/apis/${extensions}/v1/customresourcedefinitions`;
    const path = `${collection}/things.example.com`;
    const define = async (body: object) => {
      server = await openServer({ dialect });
      const type = { apiVersion: `${extensions}/v1`, kind: 'CustomResourceDefinition' };
      const { status, value } = await ask({ method: 'POST', path: collection, body: { ...type, ...body } });
      expect([status, value.message]).toEqual([201, undefined]);
      await server.settle();
    };
    const patch = (target: string, body: object) => ask({ method: 'PATCH', path: target, headers: MERGE, body });
    /** Replaces the conditions by `Type=Status`, and returns those that remain when the controllers have no work left. */
    const write = async (conditions: readonly string[], target = path) => {
      const given = conditions.map((text) => {
        const [type, status] = text.split('=');
        return { type, status, reason: 'Client', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' };
      });
      const { status } = await patch(`${target}/status`, { status: { conditions: given } });
      expect(status).toBe(200);
      await server.settle();
      return read(target);
    };
    const read = async (target = path) =>
      ((await get(target)).value.status.conditions as Record<string, string>[]).map(
        ({ type, status, reason }) => `${type}=${status} ${reason}`,
      );
    const serves = async () => (await get('/apis/example.com/v1/things')).status;

    it('stay as written, and the kind is served while Established is true', async () => {
      await define(manifest());
      expect(await write(['Established=True'])).toEqual(['Established=True Client']);
      expect(await serves()).toBe(200);
      expect(await write([])).toEqual([]);
      expect(await serves()).toBe(404);
      expect((await get('/apis/example.com/v1')).status).toBe(404);
      expect(await write(['NamesAccepted=False', 'Established=False'])).toEqual([
        'NamesAccepted=False Client',
        'Established=False Client',
      ]);
      expect(await serves()).toBe(404);
    });

    it('get Established again when the names are accepted or change', async () => {
      await define(manifest());
      const established = 'Established=True InitialNamesAccepted';
      expect(await write(['NamesAccepted=True'])).toEqual(['NamesAccepted=True Client', established]);
      await write([]);
      await patch(path, { metadata: { labels: { a: 'b' } } });
      await server.settle();
      expect(await read()).toEqual([]);
      await patch(path, { spec: { names: { shortNames: ['th'] } } });
      await server.settle();
      expect(await read()).toEqual(['NamesAccepted=True NoConflicts', established]);
      expect(await serves()).toBe(200);
    });

    it('refuse creations if they contain Terminating, and discovery lists fewer verbs', async () => {
      await define(manifest());
      await write(['NamesAccepted=True', 'Established=True', 'Terminating=True']);
      const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
      const create = () => ask({ method: 'POST', path: '/apis/example.com/v1/namespaces/default/things', body });
      const verbs = async () => (await get('/apis/example.com/v1')).value.resources[0].verbs;
      expect((await create()).status).toBe(405);
      expect(await verbs()).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
      await write(['NamesAccepted=True', 'Established=True']);
      expect((await create()).status).toBe(201);
      expect(await verbs()).toContain('create');
    });

    it('lose NonStructuralSchema once for each generation', async () => {
      await define(manifest());
      const written = ['NamesAccepted=True', 'Established=True', 'NonStructuralSchema=True'];
      const kept = ['NamesAccepted=True Client', 'Established=True Client'];
      expect(await write(written)).toEqual(kept);
      expect(await write(written)).toEqual([...kept, 'NonStructuralSchema=True Client']);
      await patch(path, { spec: { names: { categories: ['all'] } } });
      await server.settle();
      expect(await read()).not.toContain('NonStructuralSchema=True Client');
    });

    it('get the approval once for each annotation', async () => {
      const { spec } = manifest();
      const name = `things.${protectedGroup}`;
      const own = { annotations: { [annotation]: 'https://example.com/1' } };
      await define({ metadata: { name, ...own }, spec: { ...spec, group: protectedGroup } });
      const target = `${collection}/${name}`;
      const approval = 'KubernetesAPIApprovalPolicyConformant';
      expect(await read(target)).toContain(`${approval}=True ApprovedAnnotation`);
      const kept = ['NamesAccepted=True Client', 'Established=True Client'];
      expect(await write(['NamesAccepted=True', 'Established=True'], target)).toEqual(kept);
      await patch(target, { metadata: { annotations: { [annotation]: 'unapproved' } } });
      await server.settle();
      expect(await read(target)).toEqual([...kept, `${approval}=False UnapprovedAnnotation`]);
    });

    it('are an empty list if the client writes one, because definitions are stored in JSON', async () => {
      await define(manifest());
      const conditions = async (value: unknown) =>
        (await patch(`${path}/status`, { status: { conditions: value } })).value.status.conditions;
      expect(await conditions([])).toEqual([]);
      expect(await conditions(null)).toBeNull();
    });
  },
);
