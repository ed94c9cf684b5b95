import { beforeAll, describe, expect, it } from 'vitest';
import { everybody, manifest } from '../custom-resources/support.js';
import { requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';

// The operations that upstream publishes for custom resources (apiextensions-apiserver, pkg/controller/openapi/builder).
const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
const { get } = requestsTo(server);

const TYPES = ['application/json', 'application/yaml'];
const LIST = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];
const COLLECTION = '/apis/example.com/v1/namespaces/{namespace}/things';
const THING = 'com.example.v1.Thing';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly 'x-kubernetes-group-version-kind': object;
}
interface Document {
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

let document: Document;
beforeAll(async () => {
  const subresources = { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } };
  await server.install(manifest({ version: { subresources } }));
  document = (await get('/openapi/v3/apis/example.com/v1')).value;
});

const refOf = ({ content = {} }: Content): string | undefined =>
  Object.values(content)[0]?.schema.$ref.replace('#/components/schemas/', '');

/** Returns the query parameters, the types and definition of the body, and the types and definitions of the responses. */
const factsOf = ({ parameters = [], requestBody, responses }: Operation) => ({
  parameters: parameters.map(({ name }) => name),
  body: requestBody && [refOf(requestBody), ...Object.keys(requestBody.content ?? {})],
  responses: Object.fromEntries(
    Object.entries(responses).map(([code, one]) => [code, [refOf(one), ...Object.keys(one.content ?? {})]]),
  ),
});

const own = [THING, ...TYPES];
const status = [`${META}.Status`, ...TYPES];
const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];
const PATCHES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

describe('an operation on custom resources', () => {
  it.each<[string, string, ReturnType<typeof factsOf>]>([
    ['', 'get', { parameters: LIST, body: undefined, responses: { 200: [`${THING}List`, ...TYPES] } }],
    ['', 'post', { parameters: WRITE, body: own, responses: { 200: own, 201: own, 202: own } }],
    ['', 'delete', { parameters: LIST, body: undefined, responses: { 200: status } }],
    ['/{name}', 'get', { parameters: ['resourceVersion'], body: undefined, responses: { 200: own } }],
    ['/{name}', 'put', { parameters: WRITE, body: own, responses: { 200: own, 201: own } }],
    [
      '/{name}',
      'delete',
      {
        parameters: ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'],
        body: [`${META}.DeleteOptions`, ...TYPES],
        responses: { 200: status, 202: status },
      },
    ],
    [
      '/{name}',
      'patch',
      { parameters: [...WRITE, 'force'], body: [`${META}.Patch`, ...PATCHES], responses: { 200: own } },
    ],
    [
      '/{name}/scale',
      'get',
      {
        parameters: ['resourceVersion'],
        body: undefined,
        responses: { 200: ['io.k8s.api.autoscaling.v1.Scale', ...TYPES] },
      },
    ],
  ])('has the parameters, bodies and responses of upstream: %s %s', (path, method, facts) => {
    const operation = document.paths[COLLECTION + path]?.[method];
    if (operation === undefined) throw new Error(`no operation ${method} ${path}`);
    const responses = { ...facts.responses, 401: [undefined] };
    expect(factsOf(operation)).toEqual({ ...facts, responses });
    expect(operation['x-kubernetes-group-version-kind']).toEqual({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
    });
  });

  it('consumes and produces the same types in version 2', async () => {
    const { paths } = (await get('/openapi/v2')).value;
    expect(paths[COLLECTION].get).toMatchObject({ consumes: TYPES, produces: TYPES });
    expect(paths[`${COLLECTION}/{name}`].patch).toMatchObject({ produces: TYPES });
  });
});

describe('the document of custom resources', () => {
  it('has a title and a version of its own, and no security scheme', () => {
    expect(document.info).toEqual({ title: 'Kubernetes CRD Swagger', version: 'v0.1.0' });
    expect(Object.keys(document.components)).toEqual(['schemas']);
  });

  it('has the schemas that its operations need', () => {
    const meta = [
      'DeleteOptions',
      'FieldsV1',
      'ListMeta',
      'ManagedFieldsEntry',
      'ObjectMeta',
      'OwnerReference',
      'Patch',
      'Preconditions',
      'Status',
      'StatusCause',
      'StatusDetails',
      'Time',
    ];
    expect(Object.keys(document.components['schemas'] ?? {})).toEqual([
      THING,
      `${THING}List`,
      ...['Scale', 'ScaleSpec', 'ScaleStatus'].map((name) => `io.k8s.api.autoscaling.v1.${name}`),
      ...meta.map((name) => `${META}.${name}`),
    ]);
  });
});

it('parameters of the same name are sorted by their location', async () => {
  const { paths } = (await get('/openapi/v3/api/v1')).value;
  const { parameters } = paths['/api/v1/nodes/{name}/proxy/{path}'];
  expect(parameters.map((one: { in: string; name: string }) => `${one.in} ${one.name}`)).toEqual([
    'path name',
    'path path',
    'query path',
  ]);
});
