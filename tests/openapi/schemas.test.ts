import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { orch } from '../../src/meta/dialect.js';
import { OpenApiDocuments } from '../../src/openapi/documents.js';
import { defineResource } from '../../src/registry/resource-definition.js';
import { builtinResources } from '../../src/resources/index.js';
import { fetchFrom } from '../support/ask.js';
import { definitionOf } from '../support/definitions.js';
import { startServer } from '../support/servers.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { documentOf, registryOf } from './fixture.js';

type Json = Record<string, unknown>;
interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
  readonly definitions: Readonly<Record<string, Json>>;
  readonly paths: Readonly<Record<string, Json>>;
}

const documents = new OpenApiDocuments(registryOf());

/** Upstream's version 2 omits defaults; ours omits unions, which no client reads. */
const onlyInOne = (name: string, member: unknown) =>
  name === 'x-kubernetes-unions' || (name === 'default' && typeof member !== 'object');

/** Removes descriptions, which are our own, and the list of all groups, which differs. */
function bare(value: unknown, without: (name: string, member: unknown) => boolean = () => false): unknown {
  if (Array.isArray(value)) return value.map((item) => bare(item, without));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !(name === 'description' && typeof member === 'string'))
      .filter(
        ([name, member]) => !(name === 'x-kubernetes-group-version-kind' && Array.isArray(member) && member.length > 1),
      )
      .filter(([name, member]) => !without(name, member))
      .map(([name, member]) => [name, bare(member, without)]),
  );
}

describe.skipIf(!hasSharedData)('schemas of version 3 are as recorded', async () => {
  const { steps } = readShared<{ steps: { step: string; body: Json }[] }>('conformance/golden/discovery/openapi.json', {
    steps: [],
  });
  const { paths } = (await documentOf(documents, '/openapi/v3')) as Document;
  const all: Record<string, Json> = {};
  for (const name of Object.keys(paths))
    Object.assign(all, ((await documentOf(documents, `/openapi/v3/${name}`)) as Document).components.schemas);
  const recorded = steps.filter(({ step }) => step.startsWith('io.k8s.') && all[step] !== undefined);
  test('some are compared', () => expect(recorded.length).toBeGreaterThan(4));
  test.each(recorded.map(({ step, body }) => [step, body] as const))('%s', (name, body) =>
    expect(bare(all[name])).toEqual(bare(body)),
  );
});

describe.skipIf(!hasSharedData)('definitions of version 2 are those of upstream, property by property', async () => {
  const { definitions } = (await documentOf(documents, '/openapi/v2')) as Document;
  const { definitions: upstream } = readShared<Pick<Document, 'definitions'>>(
    'data/k8s-openapi/swagger-1.31-all.json',
    { definitions: {} },
  );
  // Upstream marks the details of a Status as a list, although they are not; its Event requires the metadata, which always exist.
  const differ = /\.(Status|Event)$/;
  const both = Object.keys(definitions).filter((name) => upstream[name] !== undefined && !differ.test(name));
  test('many are compared', () => expect(both.length).toBeGreaterThan(150));
  test.each(both)('%s', (name) => {
    const [ours, theirs] = [bare(definitions[name], onlyInOne), bare(upstream[name], onlyInOne)];
    expect(ours).toEqual(theirs);
    // The members must be in the same order as well.
    expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
  });
});

const widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  schema: z.object({ spec: z.object({ size: z.int() }) }),
});

describe('schemas of custom resources', () => {
  const own = new OpenApiDocuments(registryOf([...builtinResources, widget], orch));

  test('are named by their group, reversed', async () => {
    const { components } = (await documentOf(own, '/openapi/v3/apis/example.com/v1')) as Document;
    expect(components.schemas['com.example.v1.Widget']).toMatchObject({
      properties: { spec: { type: 'object', required: ['size'] } },
      'x-orch-group-version-kind': [{ group: 'example.com', kind: 'Widget', version: 'v1' }],
    });
    expect(components.schemas['com.example.v1.WidgetList']).toMatchObject({
      properties: { items: { items: { $ref: '#/components/schemas/com.example.v1.Widget' } } },
    });
  });

  test('have ids and tags of their own', async () => {
    const { paths } = (await documentOf(own, '/openapi/v3/apis/example.com/v1')) as Document;
    expect(paths['/apis/example.com/v1/namespaces/{namespace}/widgets/{name}']).toMatchObject({
      patch: { operationId: 'patchExampleComV1NamespacedWidget', tags: ['exampleCom_v1'], 'x-orch-action': 'patch' },
    });
  });

  test('show in version 2 what its clients understand: nothing besides unknown fields, and no type for nullable values', async () => {
    const definitions = async (schema: object) => {
      await using server = await startServer({ dialect: 'k8s' });
      await server.install(definitionOf('boxes', 'Box', { schema }));
      const user = { username: 'admin', groups: ['system:masters'] };
      const answer = await fetchFrom(server, '/openapi/v2', { user });
      return (await answer.json()).definitions['com.example.v1.Box'];
    };
    const text = { type: 'string' };
    const unknown = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: text } };
    expect(await definitions({ ...unknown, description: 'Open.' })).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Box', version: 'v1' }],
    });
    const nullable = { type: 'object', nullable: true, properties: { a: text } };
    const spec = { type: 'object', required: ['n', 'o'], properties: { n: nullable, o: unknown } };
    const { properties } = await definitions({ type: 'object', properties: { spec } });
    expect(properties.spec).toEqual({
      type: 'object',
      required: ['o'],
      properties: { n: {}, o: { 'x-kubernetes-preserve-unknown-fields': true } },
    });
  });

  test('shared definitions have the names of the dialect', async () => {
    const { components } = (await documentOf(own, '/openapi/v3/api/v1')) as Document;
    expect(Object.keys(components.schemas)).toContain('io.orch.api.core.v1.ConfigMap');
  });
});
