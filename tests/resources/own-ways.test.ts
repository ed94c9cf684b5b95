import { beforeAll, describe, expect, it } from 'vitest';
import { builtinResources } from '../../src/resources/index.js';
import { requestsTo } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';
import { keyOfKind, SAMPLES } from './kind-samples.js';

/* Differences between kinds in the verbs that all of them have (spec 3.7, 6.5, 7.1, 7.6). */

const server = openSuiteServer({ runtimeConfig: { 'api/all': 'true' } });
const { get, post, put, merge, remove } = requestsTo(server);
beforeAll(async () => {
  await server.load([
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
  ]);
});

const served = builtinResources.filter((kind) => !kind.virtual && SAMPLES[keyOfKind(kind)]);
type Kind = (typeof served)[number];

const groups = new Set(['', 'apps', 'batch', 'autoscaling', 'policy']);
function pathOf({ groupStem = '', version, scope, plural }: Kind) {
  const group = groups.has(groupStem) ? groupStem : `${groupStem}.k8s.io`;
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}${scope === 'Cluster' ? '' : '/namespaces/default'}/${plural}`;
}
const sampleOf = (kind: Kind) => {
  const { object } = SAMPLES[keyOfKind(kind)] ?? {};
  if (object === undefined) throw new Error('no sample');
  return { name: object.metadata.name ?? '', object };
};

async function create(kind: Kind, metadata: object) {
  const { object } = sampleOf(kind);
  const body = { ...object, metadata: { ...object.metadata, ...metadata } };
  const { status } = await post(pathOf(kind), body);
  expect(status).toBe(201);
}
async function removeSample(kind: Kind) {
  const path = `${pathOf(kind)}/${sampleOf(kind).name}`;
  await remove(path, { gracePeriodSeconds: 0 });
  await merge(path, { metadata: { finalizers: null } });
}
const titled = (kinds: readonly Kind[]) => kinds.map((kind) => [`${kind.plural} ${kind.version}`, kind] as const);

describe('a PUT of an absent object', () => {
  const makes = [
    'clusterrolebindings.rbac.authorization',
    'clusterroles.rbac.authorization',
    'endpoints',
    'events',
    'events.events',
    'leasecandidates.coordination',
    'leases.coordination',
    'limitranges',
    'rolebindings.rbac.authorization',
    'roles.rbac.authorization',
    'runtimeclasses.node',
    'services',
  ];
  it.each(titled(served))('%s', async (_, kind) => {
    const { name, object } = sampleOf(kind);
    const { status } = await put(`${pathOf(kind)}/${name}`, object);
    expect(status).toBe(makes.includes(keyOfKind(kind)) ? 201 : 404);
    if (status === 201) await removeSample(kind);
  });
});

describe('the metadata in a write of the status', () => {
  // The metadata is ignored completely, or in part.
  const apart: Readonly<Record<string, readonly string[]>> = {
    'apiservices.apiregistration': ['labels', 'annotations'],
    'deployments.apps': ['labels'],
    'flowschemas.flowcontrol.apiserver': ['labels', 'annotations'],
    'podschedulingcontexts.resource': ['labels', 'annotations'],
    'prioritylevelconfigurations.flowcontrol.apiserver': ['labels', 'annotations'],
    'resourceclaims.resource': ['labels', 'annotations'],
    'storageversions.internal.apiserver': ['labels', 'annotations'],
    'validatingadmissionpolicies.admissionregistration': ['labels', 'annotations'],
    'volumeattachments.storage': ['labels', 'annotations'],
  };
  it.each(titled(served.filter(({ subresources }) => subresources?.status)))('of %s', async (_, kind) => {
    await create(kind, { labels: { own: '1' } });
    const path = `${pathOf(kind)}/${sampleOf(kind).name}/status`;
    const body = { metadata: { labels: { added: '1' }, annotations: { added: '1' } } };
    const { status, value } = await merge(path, body);
    expect(status).toBe(200);
    const { labels, annotations } = value.metadata;
    const left = apart[keyOfKind(kind)] ?? [];
    expect([labels.own, labels.added, annotations?.added]).toEqual([
      '1',
      left.includes('labels') ? undefined : '1',
      left.includes('annotations') ? undefined : '1',
    ]);
    await removeSample(kind);
  });
});

describe('deletion', () => {
  const find = (key: string) => served.find((kind) => keyOfKind(kind) === key) as Kind;
  it.each(['events', 'events.events'])('of %s does not wait, because events have no dependents', async (key) => {
    const kind = find(key);
    const path = `${pathOf(kind)}/${sampleOf(kind).name}`;
    for (const propagationPolicy of ['Foreground', 'Orphan']) {
      await create(kind, {});
      const { status } = await remove(path, { propagationPolicy });
      expect([status, (await get(path)).status]).toEqual([200, 404]);
    }
  });
  it('ends when a write of the status removes the last finalizer', async () => {
    const kind = find('replicasets.apps');
    const path = `${pathOf(kind)}/${sampleOf(kind).name}`;
    await create(kind, { finalizers: ['example.com/hold'] });
    await remove(path);
    const body = { metadata: { finalizers: null } };
    const last = await merge(`${path}/status`, body);
    expect([last.status, (await get(path)).status]).toEqual([200, 404]);
  });
});
