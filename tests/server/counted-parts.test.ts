import { describe, expect, it } from 'vitest';
import { service } from '../../src/exports/kinds.js';
import { configMap, namespace, pod, serviceAccount } from '../../src/index.js';
import { fetchFrom, requestsTo } from '../support/ask.js';
import { seriesOf } from '../support/metrics.js';
import { openServer } from '../support/servers.js';

/** Returns the labels and values of the series whose value is not 0. */
const moved = async (server: Awaited<ReturnType<typeof openServer>>, name: string) =>
  (await seriesOf(server, name))
    .filter(({ value }) => value !== '0')
    .map(({ labels, value }) => [...Object.values(labels), value].join(' '));

const container = { name: 'c', image: 'i' };

describe('the metrics of parts of a server', () => {
  it('count what admission refuses and accepts, in total and by plug-in', async () => {
    await using server = await openServer({ metrics: true });
    const client = server.client();
    await client.create(configMap, { metadata: { name: 'a' } }, { namespace: 'default' });
    await client.create(configMap, { metadata: { name: 'a' } }, { namespace: 'none' }).catch(() => {});
    await client.delete(namespace, 'default').catch(() => {});
    const lifecycle = (await moved(server, 'apiserver_admission_controller_admission_duration_seconds_count')).filter(
      (line) => line.startsWith('NamespaceLifecycle'),
    );
    expect(lifecycle).toEqual([
      expect.stringMatching(/^NamespaceLifecycle CREATE false admit \d+$/),
      'NamespaceLifecycle CREATE true admit 1',
      'NamespaceLifecycle DELETE true admit 1',
    ]);
    const steps = await moved(server, 'apiserver_admission_step_admission_duration_seconds_count');
    expect(steps).toEqual(expect.arrayContaining(['CREATE true admit 1', 'DELETE true admit 1']));
    expect(steps.some((line) => line.startsWith('CREATE false validate'))).toBe(true);
    expect(await moved(server, 'apiserver_admission_step_admission_duration_seconds_summary_count')).toEqual(steps);
  });

  it('count stored objects, and allocated addresses and ports of Services', async () => {
    await using server = await openServer({ metrics: true });
    const ports = [{ port: 80 }];
    await server.client().create(service, { metadata: { name: 'a' }, spec: { ports } }, { namespace: 'default' });
    const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_007 }] } as const;
    await server.client().create(service, { metadata: { name: 'b' }, spec }, { namespace: 'default' });
    expect(await moved(server, 'apiserver_storage_objects')).toEqual(
      expect.arrayContaining(['namespaces 4', 'services 3']),
    );
    expect(await moved(server, 'kube_apiserver_clusterip_allocator_allocated_ips')).toEqual(['10.0.0.0/24 3']);
    expect(await moved(server, 'kube_apiserver_clusterip_allocator_available_ips')).toEqual(['10.0.0.0/24 251']);
    // The Service of the server itself exists from the start, so it is not counted as an allocation.
    expect(await moved(server, 'kube_apiserver_clusterip_allocator_allocation_total')).toEqual([
      '10.0.0.0/24 dynamic 2',
    ]);
    expect(await moved(server, 'kube_apiserver_nodeport_allocator_available_ports')).toEqual(['2767']);
    expect(await moved(server, 'kube_apiserver_nodeport_allocator_allocation_total')).toEqual(['static 1']);
  });

  it('count how pods relate to the pod security levels of their namespace', async () => {
    await using server = await openServer({ metrics: true });
    const labels = {
      'pod-security.kubernetes.io/enforce': 'baseline',
      'pod-security.kubernetes.io/warn': 'restricted',
    };
    await server.client().create(namespace, { metadata: { name: 'held', labels } });
    await server.client().create(serviceAccount, { metadata: { name: 'default' } }, { namespace: 'held' });
    const where = { namespace: 'held' };
    await server.client().create(pod, { metadata: { name: 'a' }, spec: { containers: [container] } }, where);
    const spec = { hostNetwork: true, containers: [container] };
    await server
      .client()
      .create(pod, { metadata: { name: 'b' }, spec }, where)
      .catch(() => {});
    expect(await moved(server, 'pod_security_evaluations_total')).toEqual([
      'allow enforce baseline latest create pod  1',
      'deny audit baseline latest create pod  1',
      'deny enforce baseline latest create pod  1',
      'deny warn restricted latest create pod  1',
    ]);
  });

  it("count how often the server's own tokens were presented, and how many had to be verified", async () => {
    await using server = await openServer({ metrics: true });
    const where = { namespace: 'default' };
    await server.client().create(serviceAccount, { metadata: { name: 'robot' } }, where);
    const asked = await fetchFrom(server, '/api/v1/namespaces/default/serviceaccounts/robot/token', {
      method: 'POST',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      user: { username: 'admin', groups: ['system:masters'] },
    });
    const { status } = (await asked.json()) as { readonly status: { readonly token: string } };
    const headers = { authorization: `Bearer ${status.token}` };
    for (let i = 0; i < 3; i++) await fetchFrom(server, '/version', { headers });
    const [fetches = ''] = await moved(server, 'authentication_token_cache_fetch_total');
    const verified = Number(/^ok (\d+)$/.exec(fetches)?.[1]);
    expect(await moved(server, 'authentication_token_cache_request_total')).toEqual([
      `hit ${3 - verified}`,
      `miss ${verified}`,
    ]);
    // Only tokens with an extended lifetime count as valid or stale.
    for (const name of ['serviceaccount_valid_tokens_total', 'serviceaccount_stale_tokens_total'])
      expect(await seriesOf(server, name)).toEqual([{ labels: {}, value: '0' }]);
  });

  it('count the work of its controllers', async () => {
    await using server = await openServer({ metrics: true, controllers: (defaults) => defaults });
    await server.settle();
    const adds = await moved(server, 'workqueue_adds_total');
    const worked = await moved(server, 'workqueue_work_duration_seconds_count');
    expect(adds.length).toBeGreaterThan(0);
    expect(worked.length).toBe(adds.length);
    expect(await moved(server, 'workqueue_depth')).toEqual([]);
  });

  it('measure the evaluation of rules of custom resources, and count compilations', async () => {
    await using server = await openServer({ metrics: true, controllers: (defaults) => defaults });
    const rules = [{ rule: 'self.a > 0' }];
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { a: { type: 'integer' } }, 'x-kubernetes-validations': rules },
        },
      },
    };
    const spec = {
      group: 'x.io',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    };
    const { post } = requestsTo(server);
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.x.io' },
      spec,
    };
    expect((await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status).toBe(201);
    const thing = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { generateName: 'a-' }, spec: { a: 1 } };
    const path = '/apis/x.io/v1/namespaces/default/things';
    await expect.poll(async () => (await post(path, thing)).status).toBe(201);
    expect((await post(path, { ...thing, spec: { a: 0 } })).status).toBe(422);
    expect(await moved(server, 'apiserver_cel_compilation_duration_seconds_count')).toEqual(['1']);
    expect(await moved(server, 'apiserver_cel_evaluation_duration_seconds_count')).toEqual(['2']);
  });
});
