import { describe, expect, it } from 'vitest';
import { requestsTo } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';
import { SAMPLES } from './kind-samples.js';

const server = openSuiteServer({
  runtimeConfig: { 'networking.k8s.io/v1beta1': true, 'resource.k8s.io/v1alpha3': true },
  featureGates: { DynamicResourceAllocation: true, DRAControlPlaneController: true },
});
const { post, merge } = requestsTo(server);

/** The path of each kind, its key in {@link SAMPLES}, and how many causes a bad label has in an update. */
const LOOKS: readonly (readonly [path: string, key: string, causes: number])[] = [
  ['/api/v1/namespaces/default/configmaps', 'configmaps', 4],
  ['/api/v1/nodes', 'nodes', 4],
  ['/api/v1/namespaces/default/events', 'events', 2],
  ['/apis/events.k8s.io/v1/namespaces/default/events', 'events.events', 3],
  ['/api/v1/namespaces/default/limitranges', 'limitranges', 3],
  ['/api/v1/namespaces/default/resourcequotas', 'resourcequotas', 3],
  ['/api/v1/namespaces/default/podtemplates', 'podtemplates', 3],
  ['/api/v1/persistentvolumes', 'persistentvolumes', 4],
  ['/api/v1/namespaces/default/persistentvolumeclaims', 'persistentvolumeclaims', 5],
  ['/apis/apps/v1/namespaces/default/deployments', 'deployments.apps', 3],
  ['/apis/apps/v1/namespaces/default/statefulsets', 'statefulsets.apps', 3],
  ['/apis/apps/v1/namespaces/default/replicasets', 'replicasets.apps', 4],
  ['/apis/apps/v1/namespaces/default/daemonsets', 'daemonsets.apps', 4],
  ['/apis/batch/v1/namespaces/default/jobs', 'jobs.batch', 4],
  ['/apis/batch/v1/namespaces/default/cronjobs', 'cronjobs.batch', 3],
  ['/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', 'horizontalpodautoscalers.autoscaling', 3],
  ['/apis/policy/v1/namespaces/default/poddisruptionbudgets', 'poddisruptionbudgets.policy', 2],
  ['/apis/storage.k8s.io/v1/csidrivers', 'csidrivers.storage', 3],
  ['/apis/storage.k8s.io/v1/csinodes', 'csinodes.storage', 4],
  ['/apis/storage.k8s.io/v1/volumeattachments', 'volumeattachments.storage', 4],
  ['/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', 'roles.rbac.authorization', 5],
  ['/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', 'clusterrolebindings.rbac.authorization', 5],
  ['/apis/coordination.k8s.io/v1/namespaces/default/leases', 'leases.coordination', 3],
  ['/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', 'endpointslices.discovery', 3],
  ['/apis/node.k8s.io/v1/runtimeclasses', 'runtimeclasses.node', 4],
  ['/apis/scheduling.k8s.io/v1/priorityclasses', 'priorityclasses.scheduling', 3],
  ['/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', 'flowschemas.flowcontrol.apiserver', 3],
  [
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    'validatingadmissionpolicies.admissionregistration',
    3,
  ],
  ['/apis/networking.k8s.io/v1beta1/servicecidrs', 'servicecidrs.networking', 4],
  ['/apis/resource.k8s.io/v1alpha3/namespaces/default/resourceclaims', 'resourceclaims.resource', 4],
  ['/apis/resource.k8s.io/v1alpha3/namespaces/default/podschedulingcontexts', 'podschedulingcontexts.resource', 5],
  ['/apis/resource.k8s.io/v1alpha3/resourceslices', 'resourceslices.resource', 3],
];

const bodyOf = (key: string, metadata: object) => ({ ...SAMPLES[key]?.object, metadata });

describe('the metadata of an update', () => {
  it.each(LOOKS)('%s reports its errors as often as upstream checks it', async (path, key, causes) => {
    const name = `of-${key.replaceAll('.', '-')}`;
    expect(await post(path, bodyOf(key, { name }))).toMatchObject({ status: 201 });
    const { status, value } = await merge(`${path}/${name}`, { metadata: { labels: { a: 'b c' } } });
    expect([status, value.details.causes.length]).toEqual([422, causes]);
  });
});

describe('a finalizer without a domain', () => {
  it.each([
    ['/apis/coordination.k8s.io/v1/namespaces/default/leases', 'leases.coordination', 201],
    ['/apis/node.k8s.io/v1/runtimeclasses', 'runtimeclasses.node', 201],
    ['/apis/policy/v1/namespaces/default/poddisruptionbudgets', 'poddisruptionbudgets.policy', 201],
    ['/api/v1/namespaces/default/events', 'events', 201],
    ['/apis/events.k8s.io/v1/namespaces/default/events', 'events.events', 422],
    ['/api/v1/namespaces/default/configmaps', 'configmaps', 422],
    ['/apis/scheduling.k8s.io/v1/priorityclasses', 'priorityclasses.scheduling', 422],
    [
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      'validatingadmissionpolicies.admissionregistration',
      201,
    ],
  ])('%s %s is answered with %i', async (path, key, status) => {
    expect((await post(path, bodyOf(key, { name: `final-${key}`, finalizers: ['mine'] }))).status).toBe(status);
  });
});

it('the labels of an event are reported only when its other fields have no errors', async () => {
  const path = '/api/v1/namespaces/default/events';
  const metadata = { name: 'labelled', labels: { a: 'b c' } };
  const alone = await post(path, bodyOf('events', metadata));
  const both = await post(path, { metadata, involvedObject: { namespace: 'other' } });
  const fields = [alone, both].map(({ value }) => value.details.causes.map(({ field }: { field: string }) => field));
  expect(fields).toEqual([['metadata.labels'], ['involvedObject.namespace']]);
});
