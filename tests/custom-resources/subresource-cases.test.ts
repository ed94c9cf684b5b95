import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiServer } from '../../src/index.js';
import { requestsTo } from '../support/ask.js';
import { everybody } from './support.js';

// Cases of upstream's integration tests of status and scale, with two versions of one kind.

const server = new ApiServer({ dialect: 'k8s', authentication: [everybody] });
const { get, post, put, merge, apply } = requestsTo(server);
beforeAll(() => server.start());
afterAll(() => server.close());

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A kind with status and scale in v1beta1, where the path of replicas can differ, and in v1. */
async function define(plural: string, schema: object = open, specReplicasPath = '.spec.replicas') {
  const subresources = (path: string, labelSelectorPath: string) => ({
    status: {},
    scale: { specReplicasPath: path, statusReplicasPath: '.status.replicas', labelSelectorPath },
  });
  const version = { served: true, schema: { openAPIV3Schema: schema } };
  const versions = [
    {
      ...version,
      name: 'v1beta1',
      storage: true,
      subresources: subresources(specReplicasPath, '.status.labelSelector'),
    },
    { ...version, name: 'v1', storage: false, subresources: subresources('.spec.replicas', '.status.another') },
  ];
  const group = `${plural}.example.com`;
  const names = { plural, kind: 'Noxu' };
  const metadata = { name: `${plural}.${group}` };
  const made = await post(CRDS, { metadata, spec: { group, scope: 'Namespaced', names, versions } });
  await server.settle();
  const path = (name: string) => `/apis/${group}/${name}/namespaces/default/${plural}`;
  const object = (name: string, more: object = {}) => ({
    apiVersion: `${group}/${name}`,
    kind: 'Noxu',
    metadata: { name: 'foo' },
    spec: { num: 10, replicas: 3 },
    status: { replicas: 7 },
    ...more,
  });
  return { made, path, object };
}

it('the path of replicas must be simple', async () => {
  const { made } = await define('odd', open, 'foo,bar');
  expect([made.status, made.value.message]).toEqual([
    422,
    expect.stringContaining('must be a simple json path starting with .'),
  ]);
});

it('scaling in another version makes the manager an owner of the replicas, besides those who applied and created', async () => {
  const { path, object } = await define('owned', open, '.spec.replicas[0]');
  const created = await post(path('v1beta1'), object('v1beta1', { spec: { num: 10, 'replicas[0]': 3 } }));
  expect([created.status, created.value.status]).toEqual([201, undefined]);
  const { status: _, ...body } = object('v1', { spec: { replicas: 3 } });
  const applied = await apply(`${path('v1')}/foo?fieldManager=applier`, body);
  expect([applied.status, applied.value.metadata?.managedFields?.length]).toEqual([200, 2]);
  const scaled = await merge(`${path('v1')}/foo/scale?fieldManager=scaler`, { spec: { replicas: 5 } });
  expect([scaled.status, scaled.value.spec?.replicas]).toEqual([200, 5]);
  const { managedFields } = (await get(`${path('v1')}/foo`)).value.metadata;
  const shown = managedFields.map((one: Record<string, unknown>) => {
    const { manager, operation, apiVersion, subresource = '', fieldsV1 } = one;
    return [manager, operation, String(apiVersion).split('/')[1], subresource, JSON.stringify(fieldsV1)];
  });
  expect(shown).toEqual([
    ['applier', 'Apply', 'v1', '', '{"f:spec":{}}'],
    ['scaler', 'Update', 'v1', 'scale', '{"f:spec":{"f:replicas":{}}}'],
    ['unknown', 'Update', 'v1beta1', '', expect.stringContaining('f:num')],
  ]);
});

it.each(['v1beta1', 'v1'])(
  'a write of the status is validated only by the rules of the status (%s)',
  async (version) => {
    const num = { type: 'object', properties: { num: { type: 'integer', maximum: 10 } } };
    const schema = { type: 'object', properties: { spec: num, status: num } };
    const { path, object } = await define(`only${version}`, schema);
    const { value } = await post(path(version), object(version, { status: { num: 10 } }));
    const foo = `${path(version)}/foo/status`;
    const passed = await put(foo, { ...value, spec: { num: 15 }, status: { num: 9 } });
    expect([passed.status, passed.value.spec, passed.value.metadata.generation]).toEqual([200, { num: 10 }, 1]);
    const refused = await put(foo, { ...passed.value, status: { num: 15 } });
    expect([refused.status, refused.value.message]).toEqual([422, expect.stringContaining('Invalid value')]);
  },
);

it.each(['v1beta1', 'v1'])(
  'a patch of a subresource changes only that part, and nothing if nothing is different (%s)',
  async (version) => {
    const { path, object } = await define(`parts${version}`);
    await post(path(version), object(version));
    const foo = `${path(version)}/foo`;
    const both = { spec: { num: 999 }, status: { num: 999 } };
    const { value } = await merge(`${foo}/status`, both);
    expect([value.status, value.spec.num, value.metadata.generation]).toEqual([{ num: 999 }, 10, 1]);
    for (const again of [both, {}])
      expect((await merge(`${foo}/status`, again)).value.metadata.resourceVersion).toBe(value.metadata.resourceVersion);
    const seven = { spec: { replicas: 7 }, status: { replicas: 7 } };
    const scaled = (await merge(`${foo}/scale`, seven)).value;
    expect([scaled.spec.replicas, scaled.status.replicas]).toEqual([7, 0]);
    for (const again of [seven, {}])
      expect((await merge(`${foo}/scale`, again)).value.metadata.resourceVersion).toBe(scaled.metadata.resourceVersion);
    const now = (await get(foo)).value;
    expect([now.spec, now.metadata.generation]).toEqual([{ num: 10, replicas: 7 }, 2]);
    const large = await put(foo, { ...now, spec: { replicas: 2 ** 31 } });
    expect([large.status, large.value.message]).toEqual([
      422,
      expect.stringContaining('should be less than or equal to 2147483647'),
    ]);
  },
);
