import { expect, it } from 'vitest';
import { apiService } from '../../src/resources/apiregistration/index.js';
import {
  asMaster,
  conditionOf,
  farServer,
  frontServer,
  GROUP,
  LIST,
  MASTER,
  PATH,
  registration,
} from './far-server.js';

const AGGREGATED = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

/** A server with few kinds, because describing all kinds again for each test would take most of the time. */
const describingServer = (handler: Parameters<typeof frontServer>[0]) =>
  frontServer(handler, {
    resources: (builtin) => builtin.filter(({ groupStem }) => groupStem === '' || groupStem === 'apiregistration'),
  });

it('every group version of the server has an APIService, which is created when it is first read', async () => {
  await using server = await frontServer(farServer().handler);
  const { items } = await server.client().list(apiService);
  const apps = items.find(({ metadata }) => metadata.name === 'v1.apps');
  expect(apps?.metadata.labels).toEqual({ 'kube-aggregator.kubernetes.io/automanaged': 'onstart' });
  expect(apps?.spec).toEqual({ group: 'apps', version: 'v1', groupPriorityMinimum: 17_800, versionPriority: 15 });
  expect(apps?.status.conditions?.[0]).toMatchObject({ type: 'Available', status: 'True', reason: 'Local' });
  expect(items.some(({ spec }) => spec.group === 'apiregistration.k8s.io')).toBe(false);
});

it('lists groups by priority, those of other servers among the built-in ones', async () => {
  await using server = await frontServer(farServer().handler);
  const names = async () => {
    const { groups } = await (await asMaster(server, '/apis')).json();
    return groups.map(({ name }: { name: string }) => name);
  };
  expect((await names()).at(-1)).toBe(GROUP);
  await server.client().update(apiService, `v1.${GROUP}`, (draft) => void (draft.spec.groupPriorityMinimum = 19_000));
  expect((await names()).slice(0, 3)).toEqual(['apiregistration.k8s.io', GROUP, 'apps']);
  await server.client().delete(apiService, 'v1.apps');
  expect(await names()).not.toContain('apps');
  expect((await asMaster(server, '/apis/apps/v1/deployments')).status).toBe(200);
  await server.client().delete(apiService, `v1.${GROUP}`);
  expect(await names()).not.toContain(GROUP);
  expect((await asMaster(server, `${PATH}/things`)).status).toBe(404);
});

it('converts the old form of discovery of another server to the new form', async () => {
  await using server = await frontServer(farServer().handler);
  const { items } = await (await asMaster(server, '/apis', { headers: AGGREGATED })).json();
  expect(items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === GROUP).versions).toEqual([
    {
      version: 'v1',
      resources: [
        {
          resource: 'things',
          responseKind: { group: '', version: '', kind: 'Thing' },
          scope: 'Namespaced',
          singularResource: 'thing',
          verbs: ['get', 'list'],
          shortNames: ['th'],
          subresources: [
            { subresource: 'status', responseKind: { group: '', version: '', kind: 'Thing' }, verbs: ['get'] },
          ],
        },
      ],
      freshness: 'Current',
    },
  ]);
  expect(await (await asMaster(server, PATH)).json()).toEqual(LIST);
});

/** The versions that aggregated discovery lists for a backend with the given responses to requests for `/apis` and for its version. */
async function listedFor(apis: () => Response, list: () => object) {
  const fetch = async ({ url }: Request) => {
    const { pathname } = new URL(url);
    return pathname === '/apis'
      ? apis()
      : pathname === PATH
        ? Response.json(list())
        : new Response(null, { status: 404 });
  };
  await using server = await describingServer({ fetch });
  const { items } = await (await asMaster(server, '/apis', { headers: AGGREGATED })).json();
  return items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === GROUP).versions;
}

const notFound = () => new Response(null, { status: 404 });
const NO_KIND = { group: '', version: '', kind: '' };
const kindOf = (kind: string) => ({ ...NO_KIND, kind });

it('lists an empty kind where another server names none, and a resource for a subresource without one', async () => {
  const resources = [
    { name: 'kindless' },
    { name: 'missing/orphan', kind: 'Orphan' },
    { name: 'kindless/sub', kind: 'Sub' },
    { name: 'kindless/kindless' },
  ];
  const fromLists = await listedFor(notFound, () => ({ groupVersion: `${GROUP}/v1`, resources }));
  const common = { scope: 'Cluster', singularResource: '', verbs: null };
  expect(fromLists).toEqual([
    {
      version: 'v1',
      resources: [
        {
          resource: 'kindless',
          responseKind: NO_KIND,
          ...common,
          subresources: [
            { subresource: 'sub', responseKind: kindOf('Sub'), verbs: null },
            { subresource: 'kindless', responseKind: NO_KIND, verbs: null },
          ],
        },
        {
          resource: 'missing',
          responseKind: NO_KIND,
          ...common,
          subresources: [{ subresource: 'orphan', responseKind: kindOf('Orphan'), verbs: null }],
        },
      ],
      freshness: 'Current',
    },
  ]);
  const kindless = { resource: 'kindless', subresources: [{ subresource: 'sub' }] };
  const document = { items: [{ metadata: { name: GROUP }, versions: [{ version: 'v1', resources: [kindless] }] }] };
  const [{ resources: aggregated }] = await listedFor(
    () => Response.json(document, { headers: { 'content-type': AGGREGATED.accept } }),
    () => ({}),
  );
  const [{ responseKind, subresources }] = aggregated;
  expect([Object.keys(aggregated[0])[1], responseKind, subresources]).toEqual([
    'responseKind',
    NO_KIND,
    [{ subresource: 'sub', responseKind: NO_KIND, verbs: null }],
  ]);
});

it.each([
  ['has no status 200', '', 404],
  ['has a plain media type', 'application/json', 200],
  ['has another version', AGGREGATED.accept.replace('v=v2', 'v=v1alpha1'), 200],
  ['has another group', AGGREGATED.accept.replace('apidiscovery.', 'other.'), 200],
])('reads the list of a group version if the response for all groups %s', async (_, type, status) => {
  const headers = type === '' ? {} : { 'content-type': type };
  const [{ resources, freshness }] = await listedFor(
    () => new Response(null, { status, headers }),
    () => LIST,
  );
  expect([resources[0].resource, freshness]).toEqual(['things', 'Current']);
});

it('lists no resources of a server that fails, or whose scopes of resources and subresources differ', async () => {
  const mixed = { resources: [{ name: 'things', namespaced: true }, { name: 'things/status' }] };
  const failed = [{ version: 'v1', freshness: 'Stale' }];
  expect(await listedFor(notFound, () => mixed)).toEqual(failed);
  let broken = false;
  const { handler } = farServer();
  const fetch = (request: Request) =>
    broken ? new Response(null, { status: 500 }) : handler.fetch(request, { user: MASTER });
  await using server = await describingServer({ fetch: async (request) => await fetch(request) });
  broken = true;
  await server.client().update(apiService, `v1.${GROUP}`, (draft) => void (draft.spec.versionPriority = 11));
  await server.settle();
  const { items } = await (await asMaster(server, '/apis', { headers: AGGREGATED })).json();
  expect(items.at(-1).versions).toEqual(failed);
});

it('a server that never responds, or whose document is too large, delays no other request', async () => {
  const huge = () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1 << 20)) }));
  const { handler } = farServer(({ url }) => (new URL(url).pathname === PATH ? undefined : huge()));
  await using server = await describingServer(handler);
  expect(await conditionOf(server)).toMatchObject({ status: 'True' });
  const { items } = await (await asMaster(server, '/apis', { headers: AGGREGATED })).json();
  const mine = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === GROUP);
  expect(mine.versions).toEqual([{ version: 'v1', freshness: 'Stale' }]);
  expect((await asMaster(server, '/openapi/v3')).status).toBe(200);
});

it('the condition of an APIService names what its Service lacks', async () => {
  await using server = await frontServer(farServer().handler);
  const client = server.client();
  await client.create(apiService, {
    ...registration({ version: 'v2', service: { namespace: 'default', name: 'gone' } }),
    metadata: { name: `v2.${GROUP}` },
  });
  await server.settle();
  expect(await conditionOf(server, `v2.${GROUP}`)).toMatchObject({
    status: 'False',
    reason: 'ServiceNotFound',
    message: 'service/gone in "default" is not present',
  });
});

it('merges the documents of other servers into OpenAPI, and numbers a name that is already taken', async () => {
  const POD = 'io.k8s.api.core.v1.Pod';
  const document = {
    swagger: '2.0',
    paths: {
      [`${PATH}/things`]: { get: { responses: { 200: { schema: { $ref: `#/definitions/${POD}` } } } } },
      '/api/v1/pods': { get: { description: 'stolen' } },
      '/apis/other/v1/x': { get: { responses: { 200: { schema: { $ref: '#/definitions/other' } } } } },
    },
    definitions: {
      [POD]: { type: 'object', description: 'another' },
      other: { type: 'string' },
      free: { type: 'string' },
    },
  };
  const name = PATH.slice(1);
  const { handler } = farServer((_, { pathname }) => {
    if (pathname === '/openapi/v2') return Response.json(document);
    if (pathname === '/openapi/v3')
      return Response.json({
        paths: {
          [name]: { serverRelativeURL: `/openapi/v3/${name}?hash=1` },
          'api/v1': { serverRelativeURL: '/evil' },
        },
      });
    if (pathname === `/openapi/v3${PATH}`) return Response.json({ openapi: '3.0.0' });
    return undefined;
  });
  await using server = await describingServer(handler);
  const v2 = await (await asMaster(server, '/openapi/v2')).json();
  expect(v2.paths[`${PATH}/things`].get.responses[200].schema.$ref).toBe(`#/definitions/${POD}_v2`);
  expect(v2.definitions[`${POD}_v2`].description).toBe('another');
  expect(v2.definitions.free).toEqual({ type: 'string' });
  expect([v2.definitions.other, v2.paths['/apis/other/v1/x']]).toEqual([undefined, undefined]);
  expect(JSON.stringify(v2.paths['/api/v1/pods'] ?? '')).not.toContain('stolen');
  const { paths } = await (await asMaster(server, '/openapi/v3')).json();
  expect(paths[name]).toEqual({ serverRelativeURL: `/openapi/v3/${name}?hash=1` });
  expect(paths['api/v1'].serverRelativeURL).toMatch(/^\/openapi\/v3\/api\/v1\?hash=/);
  expect(await (await asMaster(server, `/openapi/v3${PATH}`)).json()).toEqual({ openapi: '3.0.0' });
});

/** A backend that serves only OpenAPI 2.0. */
const withV2 = (document: object) =>
  farServer((_, { pathname }) => (pathname === '/openapi/v2' ? Response.json(document) : undefined)).handler;

it('serves a server that has only OpenAPI 2.0 in OpenAPI 3.0 as well', async () => {
  const bodyOf = (definition: string) => ({
    name: 'body',
    in: 'body',
    schema: { $ref: `#/definitions/${definition}` },
  });
  const dryRun = { name: 'dryRun', in: 'query', type: 'string', uniqueItems: true };
  const post = {
    operationId: 'createThing',
    consumes: ['*/*'],
    produces: ['application/json', 'application/yaml'],
    parameters: [bodyOf('Thing'), dryRun],
    responses: { 201: { description: 'Created', schema: { $ref: '#/definitions/Thing' } }, 401: { description: 'No' } },
    'x-kubernetes-action': 'post',
  };
  const Thing = {
    type: 'object',
    properties: {
      owner: { $ref: '#/definitions/Owner' },
      spec: { description: 'What is wanted.', $ref: '#/definitions/Spec' },
    },
  };
  const document = {
    swagger: '2.0',
    info: { title: 'Far', version: 'v1' },
    paths: { [`${PATH}/things`]: { post, parameters: [{ $ref: '#/parameters/pretty' }] }, '/apis/other/v1/x': {} },
    definitions: { Thing, Owner: { type: 'string' }, Spec: { type: 'array', items: { $ref: '#/definitions/Owner' } } },
    parameters: { pretty: { name: 'pretty', in: 'query', type: 'string' } },
  };
  await using server = await describingServer(withV2(document));
  const { paths } = await (await asMaster(server, '/openapi/v3')).json();
  const { serverRelativeURL } = paths[PATH.slice(1)];
  const answer = await asMaster(server, serverRelativeURL);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  const made = await answer.json();
  expect(made).toMatchObject({ openapi: '3.0.0', info: { title: 'Far', version: 'v1' } });
  const reference = { $ref: '#/components/schemas/Thing' };
  expect(made.paths).toEqual({
    [`${PATH}/things`]: {
      post: {
        operationId: 'createThing',
        parameters: [{ name: 'dryRun', in: 'query', schema: { type: 'string', uniqueItems: true } }],
        requestBody: { content: { '*/*': { schema: reference } } },
        responses: {
          201: {
            description: 'Created',
            content: { 'application/json': { schema: reference }, 'application/yaml': { schema: reference } },
          },
          401: { description: 'No' },
        },
        'x-kubernetes-action': 'post',
      },
      parameters: [{ $ref: '#/components/parameters/pretty' }],
    },
  });
  expect(made.components).toEqual({
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          owner: { $ref: '#/components/schemas/Owner' },
          spec: { description: 'What is wanted.', allOf: [{ $ref: '#/components/schemas/Spec' }] },
        },
      },
      Owner: { type: 'string' },
      Spec: { type: 'array', items: { $ref: '#/components/schemas/Owner' } },
    },
    parameters: { pretty: { name: 'pretty', in: 'query', schema: { type: 'string' } } },
  });
});

it.each([
  ['v2', 'v3'],
  ['v3', 'v2'],
])(
  'serves the OpenAPI document of one version if that of another cannot be read: %s without %s',
  async (read, failing) => {
    const documents: Record<string, object> = {
      v2: { swagger: '2.0', paths: { [`${PATH}/things`]: {} } },
      v3: { paths: { [PATH.slice(1)]: { serverRelativeURL: `/openapi/v3${PATH}?hash=1` } } },
    };
    const { handler } = farServer((_, { pathname }) => {
      if (pathname === `/openapi/${failing}`) return new Response(null, { status: 500 });
      return pathname === `/openapi/${read}` ? Response.json(documents[read]) : undefined;
    });
    await using server = await describingServer(handler);
    const v2 = await (await asMaster(server, '/openapi/v2')).json();
    const v3 = await (await asMaster(server, '/openapi/v3')).json();
    const found = { v2: v2.paths[`${PATH}/things`] !== undefined, v3: v3.paths[PATH.slice(1)] !== undefined };
    expect(found).toEqual({ v2: read === 'v2', v3: read === 'v3' });
  },
);

it.each([
  { paths: { [`${PATH}/things`]: { get: 7, post: { parameters: 'x', responses: [], consumes: {} }, put: null } } },
  {
    paths: { [`${PATH}/things`]: [] },
    definitions: { a: null, b: [1], c: { properties: 3, items: [null, { $ref: 4 }] } },
  },
  { info: [[[]]], paths: [], definitions: 'none', securityDefinitions: { a: { flow: 'implicit', scopes: 4 }, b: 3 } },
])('an invalid OpenAPI 2.0 document of one server does not affect the documents of others: %j', async (document) => {
  await using server = await describingServer(withV2(document));
  const { paths } = await (await asMaster(server, '/openapi/v3')).json();
  expect(paths['api/v1']).toBeDefined();
  const { serverRelativeURL } = paths[PATH.slice(1)];
  expect((await (await asMaster(server, serverRelativeURL)).json()).openapi).toBe('3.0.0');
  const statusOf = async (path: string, accept: string) =>
    (await asMaster(server, path, { headers: { accept } })).status;
  const message = (version: string) => `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
  expect(await statusOf(serverRelativeURL, message('v3'))).toBe(200);
  expect(await statusOf('/openapi/v2', message('v2'))).toBe(200);
  expect(await statusOf('/openapi/v2', 'application/json')).toBe(200);
});
