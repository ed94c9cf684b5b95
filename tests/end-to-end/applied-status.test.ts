import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { k8s } from '../../src/meta/dialect.js';
import { serveResource } from '../../src/registry/served/served-resource.js';
import { builtinResources } from '../../src/resources/index.js';
import { keyOfKind, SAMPLES } from '../resources/kind-samples.js';
import { startWorld, type World } from './world.js';

// Each route applies only its own part of an object, and the applied fields of the other part get no owner.
let world: World;
let namespace: string;
beforeAll(async () => {
  world = await startWorld({
    controllers: { mode: 'stepped' },
    runtimeConfig: { 'api/all': 'true' },
    featureGates: { DynamicResourceAllocation: true },
    admission: (plugins) => plugins.filter(({ name }) => name !== 'ServiceAccount' && name !== 'TaintNodesByCondition'),
  });
  namespace = await world.namespace();
});
afterAll(() => world.close());

const ingress = { loadBalancer: { ingress: [{ ip: '127.0.0.1' }] } };
const condition = (type: string) => ({
  conditions: [{ type, status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z', reason: 'Because', message: 'so' }],
});
/** A status of each kind; a condition by default. */
const STATUS: Readonly<Record<string, object>> = {
  persistentvolumes: { message: 'hello' },
  resourcequotas: { used: { cpu: '5M' } },
  ingresses: ingress,
  horizontalpodautoscalers: { currentReplicas: 5 },
  cronjobs: { lastScheduleTime: '2020-01-01T00:00:00Z' },
  volumeattachments: { attached: true },
  poddisruptionbudgets: { currentHealthy: 5 },
  podschedulingcontexts: { resourceClaims: [{ name: 'c', unsuitableNodes: ['n'] }] },
  resourceclaims: { deallocationRequested: true },
  storageversions: condition('AllEncodingVersionsEqual'),
};
/** Kinds of which one route resets both parts, and of which one resets none. */
const SKIPPED = ['certificatesigningrequests', 'servicecidrs'];

const kinds = builtinResources
  .filter(({ subresources, plural, virtual }) => !virtual && subresources?.['status'] && !SKIPPED.includes(plural))
  .filter((definition) => SAMPLES[keyOfKind(definition)])
  .map((definition) => serveResource(definition, k8s));
const at = (where: { readonly gvr: { readonly group: string; readonly version: string } }) =>
  where.gvr.group === '' ? `/api/${where.gvr.version}` : `/apis/${where.gvr.group}/${where.gvr.version}`;

it.each(kinds.map((kind) => [`${kind.gvr.resource}.${kind.gvr.version}.${kind.gvr.group}`, kind] as const))(
  '%s',
  async (_, kind) => {
    const { apiVersion, gvk, gvr, namespaced, definition } = kind;
    const sample = SAMPLES[keyOfKind(definition)]?.object as { metadata: { name: string } };
    const { name } = sample.metadata;
    const path = `${at(kind)}${namespaced ? `/namespaces/${namespace}` : ''}/${gvr.resource}/${name}`;
    const status = STATUS[gvr.resource] ?? condition('MyStatus');
    const itself = { apiVersion, kind: gvk.kind };
    const both = { ...sample, ...itself, status };

    const made = await world.apply(path, both, 'maker');
    expect(made.status, made.message).toBe(201);
    const told = await world.apply(`${path}/status`, both, 'teller', '&force=true');
    expect(told.status, told.message).toBe(200);
    const entries: readonly { manager: string; fieldsV1: object }[] = told.value.metadata.managedFields;
    const fields = (of: string) => entries.find(({ manager }) => manager === of)?.fieldsV1 ?? {};
    expect(Object.keys(fields('maker'))).not.toContain('f:status');
    expect(Object.keys(fields('teller'))).toEqual(['f:status']);
    await world.delete(path, { gracePeriodSeconds: 0 });
  },
);

it('the status of a ServiceCIDR is written on either route', async () => {
  const path = '/apis/networking.k8s.io/v1beta1/servicecidrs/range';
  const itself = { apiVersion: 'networking.k8s.io/v1beta1', kind: 'ServiceCIDR', metadata: { name: 'range' } };
  const both = { ...itself, spec: { cidrs: ['10.7.0.0/16'] }, status: condition('Ready') };
  const made = await world.apply(path, both, 'maker');
  expect([made.status, made.value.status]).toMatchObject([201, condition('Ready')]);
  const [{ fieldsV1 }] = made.value.metadata.managedFields;
  expect(Object.keys(fieldsV1).sort()).toEqual(['f:spec', 'f:status']);
  const changed = await world.apply(path, { ...both, status: condition('Other') }, 'maker');
  expect(changed.value.status).toMatchObject(condition('Other'));
  // The ranges are immutable on the one route, and ignored on the other.
  const other = { ...both, spec: { cidrs: ['10.8.0.0/16'] } };
  expect((await world.apply(path, other, 'maker')).status).toBe(422);
  const third = { ...other, status: condition('Third') };
  const told = await world.apply(`${path}/status`, third, 'teller', '&force=true');
  expect([told.status, told.value.spec]).toEqual([200, { cidrs: ['10.7.0.0/16'] }]);
  await world.delete(path, {});
});

describe('the status of a pod', () => {
  it('ignores the other fields of the applied object: the spec, the owners, the deletion time', async () => {
    const path = `/api/v1/namespaces/${namespace}/pods/pod`;
    const itself = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod' } };
    const pod = { ...itself, spec: { containers: [{ name: 'c', image: 'a' }] } };
    await world.apply(path, pod, 'maker');
    const metadata = { name: 'pod', deletionTimestamp: '2020-01-01T00:00:00Z', ownerReferences: [] };
    const spec = { containers: [{ name: 'c', image: 'b' }] };
    const status = { conditions: [{ type: 'MyStatus', status: 'False' }] };
    const other = { ...itself, metadata, spec, status };
    const told = await world.apply(`${path}/status`, other, 'teller');
    expect([told.status, told.value.spec?.containers[0].image, told.value.metadata.deletionTimestamp]).toEqual([
      200,
      'a',
      undefined,
    ]);
    expect((await world.apply(path, { ...other, metadata: { name: 'pod' } }, 'teller')).status).toBe(409);
    const contrary = { ...pod, status: { conditions: [{ type: 'MyStatus', status: 'True' }] } };
    expect((await world.apply(`${path}/status`, contrary, 'maker')).status).toBe(409);
  });
});
