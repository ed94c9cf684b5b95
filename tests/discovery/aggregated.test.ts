import { expect, it } from 'vitest';
import { customResourceDefinition } from '../../src/resources/apiextensions/index.js';
import { manifest, thingsOf } from '../custom-resources/support.js';
import { fetchFrom } from '../support/ask.js';
import { openServer } from '../support/servers.js';

const accept = (version: string, form = 'application/json') =>
  `${form};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

it.each(['/api', '/apis'])(
  '%s has one tag in all versions and forms, and is not sent again with that tag',
  async (path) => {
    await using server = await openServer();
    const discover = (form: string, headers = {}) => fetchFrom(server, path, { headers: { accept: form, ...headers } });
    const forms = [
      accept('v2'),
      accept('v2beta1'),
      accept('v2', 'application/vnd.kubernetes.protobuf'),
      accept('v2', 'application/yaml'),
    ];
    const tags = new Set<string | null>();
    for (const form of forms) {
      const { status, headers } = await discover(form);
      expect(status).toBe(200);
      tags.add(headers.get('etag'));
    }
    const [tag = '', ...others] = tags;
    expect(tag).toMatch(/^"[0-9A-F]{128}"$/);
    expect(others).toEqual([]);
    for (const form of forms) expect((await discover(form, { 'if-none-match': tag })).status).toBe(304);
  },
);

it('names group and version of custom resources, and lists their subresources in the defined order', async () => {
  await using server = await openServer();
  const subresources = { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } };
  await server.install(manifest({ version: { subresources } }));
  const { items } = await (await fetchFrom(server, '/apis', { headers: { accept: accept('v2') } })).json();
  const resourcesOf = (name: string) =>
    items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === name).versions[0].resources;
  const responseKind = { group: 'example.com', version: 'v1', kind: 'Thing' };
  const [thing] = resourcesOf('example.com');
  expect(thing).toMatchObject({ resource: 'things', responseKind });
  expect(thing.subresources).toEqual([
    { subresource: 'status', responseKind, verbs: ['get', 'patch', 'update'] },
    {
      subresource: 'scale',
      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch', 'update'],
    },
  ]);
  const [definitions] = resourcesOf('apiextensions.k8s.io').filter(
    ({ resource }: { resource: string }) => resource === 'customresourcedefinitions',
  );
  expect(definitions.responseKind).toEqual({ group: '', version: '', kind: 'CustomResourceDefinition' });
});

it('lists neither create nor patch nor update of a custom resource while its definition is deleted', async () => {
  await using server = await openServer();
  await server.install(manifest({ version: { subresources: { status: {} } } }));
  const client = server.client();
  const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
  await client.create(thingsOf(server), held as never, { namespace: 'default' });
  const read = async () => {
    const response = await fetchFrom(server, '/apis', { headers: { accept: accept('v2') } });
    const { items } = await response.json();
    const group = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'example.com');
    const [thing] = group.versions[0].resources;
    const list = await (await fetchFrom(server, '/apis/example.com/v1')).json();
    const [plain, status] = list.resources.map(({ verbs }: { verbs: string[] }) => verbs);
    expect([thing.verbs, thing.subresources[0].verbs]).toEqual([plain, status]);
    return { plain, status, tag: response.headers.get('etag') };
  };
  const before = await read();
  expect(before.plain).toEqual(['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']);
  await client.delete(customResourceDefinition, 'things.example.com');
  await server.settle();
  const during = await read();
  expect(during.plain).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
  expect(during.status).toEqual(['get', 'patch', 'update']);
  expect(during.tag).not.toBe(before.tag);
  // Objects can still be patched, so that their finalizers can be removed.
  await client.update(thingsOf(server), 'held', (draft) => void (draft.metadata.finalizers = []), {
    namespace: 'default',
  });
  await server.settle();
  expect((await fetchFrom(server, '/apis/example.com/v1')).status).toBe(404);
});

it.each([
  ['*/*;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', '', 'application/json'],
  [`application/json, ${accept('v2', 'application/*')}`, '', 'application/json'],
  [`${accept('v2')};pretty=1`, '', 'application/json'],
  [accept('v2'), '?pretty=true', 'application/json'],
  [`${accept('v2', 'application/yaml')};pretty=1`, '', 'application/yaml'],
])('%s is negotiated as for objects%s', async (form, query, type) => {
  await using server = await openServer();
  const response = await fetchFrom(server, `/apis${query}`, { headers: { accept: form } });
  expect(response.headers.get('content-type')).toBe(accept('v2', type));
  const text = await response.text();
  expect(text.startsWith('{\n')).toBe(type === 'application/json' && (form + query).includes('pretty'));
  expect(text).toContain('APIGroupDiscoveryList');
});

it('clauses of Accept with another version of the server or another stream do not select it', async () => {
  await using server = await openServer();
  for (const more of [';sv=v1', ';stream=other']) {
    const headers = { accept: `${accept('v2')}${more}, application/json` };
    expect((await fetchFrom(server, '/apis', { headers })).headers.get('content-type')).toBe('application/json');
  }
});
