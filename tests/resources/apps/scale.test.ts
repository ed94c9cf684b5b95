import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AdmissionAttributes } from '../../../src/admission/admission-plugin.js';
import type { ApiServer } from '../../../src/api-server.js';
import { requestsTo } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';

const PATH = '/apis/apps/v1/namespaces/default/deployments';
const SCALE = `${PATH}/d/scale`;
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'example.com/i:1' }] },
};
const body = {
  metadata: { name: 'd', labels: { own: 'l' } },
  spec: { replicas: 2, selector: { matchLabels: { app: 'a' } }, template },
};
const scale = (replicas: number, metadata: object = {}) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'd', ...metadata },
  spec: { replicas },
});

let server: ApiServer;
const { get, post, put, merge, apply, remove } = requestsTo(() => server);
let admitted: AdmissionAttributes[];
beforeEach(async () => {
  admitted = [];
  const seen = (attributes: AdmissionAttributes) => void admitted.push(attributes);
  server = await openServer({
    admission: (defaults) => [...defaults, () => ({ name: 'Seen', admit: seen, validate: seen })],
  });
  expect((await post(`${PATH}?fieldManager=maker`, body)).status).toBe(201);
});
afterEach(() => server.close());

const putScale = (object: object) => put(`${SCALE}?fieldManager=scaler`, object);
const applyReplicas = (replicas: number, manager: string, force = false) =>
  apply(`${SCALE}?fieldManager=${manager}${force ? '&force=true' : ''}`, scale(replicas));
const deployment = async () => (await get(`${PATH}/d`)).value;
const ownersOfReplicas = async () =>
  (await deployment()).metadata.managedFields
    .filter(({ fieldsV1 }: { fieldsV1: { 'f:spec'?: object } }) => 'f:replicas' in (fieldsV1['f:spec'] ?? {}))
    .map(({ manager, operation, subresource, apiVersion }: Record<string, string>) =>
      [manager, operation, subresource ?? '', apiVersion].join(' '),
    );

it('returns the desired number of pods, and their selector', async () => {
  const { value } = await get(SCALE);
  expect(value).toMatchObject({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'd', namespace: 'default' },
    spec: { replicas: 2 },
    status: { replicas: 0, selector: 'app=a' },
  });
  expect(Object.keys(value.metadata).sort()).toEqual([
    'creationTimestamp',
    'name',
    'namespace',
    'resourceVersion',
    'uid',
  ]);
});

it('changes only the desired number', async () => {
  const answer = await putScale({
    ...scale(5, { labels: { q: 'r' } }),
    status: { replicas: 9 },
  });
  expect(answer.value.spec).toEqual({ replicas: 5 });
  const { metadata, spec, status } = await deployment();
  expect([spec.replicas, metadata.generation, metadata.labels, status]).toEqual([5, 2, { own: 'l' }, {}]);
});

it('moves the ownership of the field from the object to the scale, and back', async () => {
  expect(await ownersOfReplicas()).toEqual(['maker Update  apps/v1']);
  await putScale(scale(3));
  expect(await ownersOfReplicas()).toEqual(['scaler Update scale apps/v1']);
  await merge(`${PATH}/d?fieldManager=maker`, { spec: { replicas: 4 } });
  expect(await ownersOfReplicas()).toEqual(['maker Update  apps/v1']);
});

it('is applied, with conflicts and by force', async () => {
  expect((await applyReplicas(5, 'one')).message).toContain(
    'conflict with "maker" using autoscaling/v1: .spec.replicas',
  );
  expect((await applyReplicas(5, 'one', true)).status).toBe(200);
  expect(await ownersOfReplicas()).toEqual(['one Apply scale apps/v1']);
  expect((await applyReplicas(6, 'two')).message).toContain(
    'conflict with "one" with subresource "scale": .spec.replicas',
  );
});

it('refuses an invalid scale, an outdated version, and a negative number', async () => {
  const refusals = await Promise.all([
    putScale(scale(-1)),
    putScale({ ...scale(1), kind: 'Deployment', apiVersion: 'apps/v1' }),
    putScale({ ...scale(1), apiVersion: 'extensions/v1beta1' }),
    putScale(scale(1, { name: 'other' })),
    putScale(scale(1, { resourceVersion: '1' })),
    put(`${PATH}/none/scale`, scale(1, { name: 'none' })),
    remove(SCALE),
  ]);
  expect(refusals.map(({ status, message }) => `${status} ${message}`)).toEqual([
    '422 Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    '400 Deployment in version "v1" cannot be handled as a Scale: converting (v1.Deployment) to (autoscaling.Scale): unknown conversion',
    '400 the API version in the data (extensions/v1beta1) does not match the expected API version (autoscaling/v1)',
    '400 the name of the object (other) does not match the name on the URL (d)',
    expect.stringMatching(/^409 Operation cannot be fulfilled on deployments\.apps "d"/),
    '404 deployments.apps "none" not found',
    '405 the server does not allow this method on the requested resource',
  ]);
});

it('is a Scale for admission as well', async () => {
  admitted = [];
  await putScale(scale(7));
  expect(
    admitted.map(({ operation, resource, subresource, kind, object, oldObject }) => [
      operation,
      `${resource.resource}/${subresource}`,
      kind.kind,
      object,
      oldObject,
    ]),
  ).toEqual(
    ['admit', 'validate'].map(() => [
      'UPDATE',
      'deployments/scale',
      'Scale',
      expect.objectContaining({ spec: { replicas: 7 } }),
      expect.objectContaining({ spec: { replicas: 2 } }),
    ]),
  );
});

it('is not stored by a dry run', async () => {
  expect((await put(`${SCALE}?dryRun=All`, scale(9))).value.spec).toEqual({ replicas: 9 });
  expect((await deployment()).spec.replicas).toBe(2);
});

it.each([
  ['/apis/apps/v1/namespaces/default/deployments', 'deployments/scale.apps'],
  ['/apis/apps/v1/namespaces/default/replicasets', 'replicasets/scale.apps'],
  ['/api/v1/namespaces/default/replicationcontrollers', 'replicationcontrollers/scale.autoscaling'],
  ['/apis/apps/v1/namespaces/default/statefulsets', 'statefulsets.apps'],
])('of an absent object in %s is reported as %s', async (path, resource) => {
  const [kind, group] = resource.split('.');
  const { status, value } = await get(`${path}/none/scale`);
  expect([status, value.message, value.details]).toEqual([
    404,
    `${resource} "none" not found`,
    { name: 'none', group, kind },
  ]);
});

it('is reported as absent whatever the failure of its read, but not if a write fails', async () => {
  const absent = 'deployments/scale.apps "d" not found';
  expect(await get(`${SCALE}?resourceVersion=x`)).toMatchObject({ status: 404, message: absent });
  expect((await get(`${SCALE}?resourceVersion=0`)).status).toBe(200);
  const missing = `${PATH}/none/scale`;
  const message = 'deployments.apps "none" not found';
  expect(await put(missing, scale(1, { name: 'none' }))).toMatchObject({ status: 404, message });
  expect(await merge(missing, { spec: { replicas: 1 } })).toMatchObject({ status: 404, message });
});
