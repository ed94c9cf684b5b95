import { beforeAll, describe, expect, it } from 'vitest';
import { customResourceDefinition } from '../../src/resources/apiextensions/index.js';
import { requestsTo } from '../support/ask.js';
import { startServer, suiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

const OPEN = { 'x-kubernetes-preserve-unknown-fields': true };
const SCALE = {
  specReplicasPath: '.spec.count.wanted',
  statusReplicasPath: '.status.there',
  labelSelectorPath: '.status.picks',
};

describe('the scale of a custom resource', () => {
  const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
  const { get, post, put, merge } = requestsTo(server);
  beforeAll(async () => {
    const additionalPrinterColumns = [{ name: 'Count', type: 'integer', jsonPath: '.spec.count.wanted' }];
    const version = { subresources: { status: {}, scale: SCALE }, additionalPrinterColumns };
    await server
      .client()
      .create(customResourceDefinition, manifest({ spec: { count: OPEN }, root: OPEN, version }) as never);
    await server.settle();
  });

  const PATH = '/apis/example.com/v1/namespaces/default/things';
  const thing = (name: string, more: object) => ({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name },
    ...more,
  });
  const make = (name: string, more: object) => post(PATH, thing(name, more));
  const scale = (name: string, spec: object, more: object = {}) => ({
    ...{ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace: 'default' }, spec },
    ...more,
  });
  const putScale = (name: string, body: object) => put(`${PATH}/${name}/scale`, body);
  const patchScale = (name: string, body: object) => merge(`${PATH}/${name}/scale`, body);

  it('is not found if the number of replicas is absent, but can be set', async () => {
    await make('without', { spec: {} });
    const missing = 'Internal error occurred: the spec replicas field ".spec.count.wanted" does not exist';
    expect(await get(`${PATH}/without/scale`)).toMatchObject({
      status: 500,
      value: { message: missing },
    });
    expect(await patchScale('without', { metadata: { labels: { a: 'b' } } })).toMatchObject({
      status: 400,
      value: { message: 'the spec replicas field ".spec.count.wanted" cannot be empty' },
    });
    expect(await putScale('without', scale('without', { replicas: 3 }))).toMatchObject({
      status: 200,
      value: { spec: { replicas: 3 } },
    });
    expect((await get(`${PATH}/without`)).value.spec).toEqual({ count: { wanted: 3 } });
    await make('patched', {});
    expect((await patchScale('patched', { spec: { replicas: 2 } })).value).toMatchObject({ spec: { replicas: 2 } });
    await make('nothing', {});
    expect((await putScale('nothing', scale('nothing', {}))).value.spec).toEqual({});
    expect((await get(`${PATH}/nothing`)).value.spec).toEqual({ count: { wanted: 0 } });
  });

  it('is printed as a table with its own columns, whatever those of its kind are', async () => {
    await make('shown', { spec: { count: { wanted: 4 } } });
    const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    const table = async (name: string) => (await get(`${PATH}/${name}/scale`, { headers })).value;
    const { columnDefinitions, rows } = await table('shown');
    const shape = ({ name, type, format, priority }: Record<string, unknown>) => [name, type, format, priority];
    expect(columnDefinitions.map(shape)).toEqual([
      ['Name', 'string', 'name', 0],
      ['Desired', 'integer', '', 0],
      ['Available', 'integer', '', 0],
      ['Age', 'date', '', 0],
    ]);
    expect(rows[0].cells).toEqual(['shown', 4, 0, expect.stringMatching(/^\d+s$/)]);
    // A scale of zero omits the number of replicas, so the cell is empty.
    await make('zero', { spec: { count: { wanted: 0 } } });
    expect((await table('zero')).rows[0].cells.slice(0, 3)).toEqual(['zero', null, 0]);
  });

  it('is sent in the formats of its resource, and has no protobuf form', async () => {
    await make('sent', { spec: { count: { wanted: 4 } } });
    const protobuf = 'application/vnd.kubernetes.protobuf';
    expect((await get(`${PATH}/sent/scale`, { headers: { accept: protobuf } })).status).toBe(406);
    // Controllers of upstream send this, and it is accepted in either form.
    const { value } = await get(`${PATH}/sent/scale`, { headers: { accept: `${protobuf}, */*` } });
    expect(value).toMatchObject({ kind: 'Scale', spec: { replicas: 4 } });
  });

  it('accepts only its own kind', async () => {
    await make('other', { spec: { count: { wanted: 1 } } });
    const told = async (body: object) => (await putScale('other', body)).value.message;
    const scheme = 'in scheme "k8s.io/client-go/scale/util.go:131"';
    expect(await told(thing('other', {}))).toBe(
      `Thing in version "v1" cannot be handled as a Scale: no kind "Thing" is registered for version "example.com/v1" ${scheme}`,
    );
    expect(await told({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'other' } })).toBe(
      `Pod in version "v1" cannot be handled as a Scale: no kind "Pod" is registered for version "v1" ${scheme}`,
    );
  });

  it('must have integers and a string', async () => {
    const wrong = await make('wrong', {
      spec: { count: 'three' },
      status: { there: 1.5, picks: ['a'] },
    });
    // The status has a route of its own, so the status of a new object is ignored.
    expect(
      wrong.value.details?.causes?.map(({ field, message }: Record<string, string>) => `${field} ${message}`),
    ).toEqual([
      '.spec.count.wanted Invalid value: 0: .spec.count.wanted accessor error: three is of the type string, expected map[string]interface{}',
    ]);
    await make('right', { spec: { count: { wanted: 1 } } });
    const status = await merge(`${PATH}/right/status`, { status: { there: 1.5, picks: ['a'] } });
    expect(
      status.value.details?.causes?.map(({ field, message }: Record<string, string>) => `${field} ${message}`),
    ).toEqual([
      '.status.there Invalid value: 0: .status.there accessor error: 1.5 is of the type float64, expected int64',
      '.status.picks Invalid value: "": .status.picks accessor error: [a] is of the type []interface {}, expected string',
    ]);
  });
});

it('answers a write through a version whose number the stored version does not have, without the number', async () => {
  await using server = await startServer({ dialect: 'k8s', authentication: [everybody] });
  const { get, post, merge } = requestsTo(() => server);
  const version = (name: string, field: string) => {
    const number = { type: 'object', properties: { [field]: { type: 'integer' } } };
    return {
      ...{ name, served: true, storage: name === 'v1' },
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: number, status: number } } },
      subresources: { scale: { specReplicasPath: `.spec.${field}`, statusReplicasPath: `.status.${field}` } },
    };
  };
  await server.install(manifest({ versions: [version('v1', 'replicas'), version('v2', 'count')] }));
  const path = (name: string) => `/apis/example.com/${name}/namespaces/default/things`;
  await post(path('v1'), {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
    spec: { replicas: 1 },
  });
  const written = await merge(`${path('v2')}/a/scale`, { spec: { replicas: 5 } });
  expect([written.status, written.value.spec]).toEqual([200, {}]);
  expect((await get(`${path('v2')}/a/scale`)).status).toBe(500);
});
