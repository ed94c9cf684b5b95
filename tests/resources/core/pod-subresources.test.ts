import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { ask, type Question } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';

const NAMESPACE = '/api/v1/namespaces/default';

/** A server of the k8s dialect with a node, and a pod with a ServiceAccount. */
async function started(): Promise<ApiServer> {
  const server = await openServer({ dialect: 'k8s' });
  await server.load([
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } },
  ]);
  return server;
}

async function newPod(server: ApiServer, name: string, more: { spec?: object; metadata?: object } = {}) {
  const { value } = await ask(server, {
    method: 'POST',
    path: `${NAMESPACE}/pods`,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, ...more.metadata },
      spec: { containers: [{ name: 'c', image: 'i' }], ...more.spec },
    },
  });
  return value;
}

async function said(server: ApiServer, path: string, question: Question = {}) {
  const { status, message } = await ask(server, { ...question, path: `${NAMESPACE}/pods/${path}` });
  return [status, message];
}

const bind = (server: ApiServer, name: string, body: object = { target: { kind: 'Node', name: 'n1' } }) =>
  said(server, `${name}/binding`, { method: 'POST', body: { metadata: { name }, ...body } });

const evict = (server: ApiServer, name: string, apiVersion = 'policy/v1') =>
  said(server, `${name}/eviction`, { method: 'POST', body: { apiVersion, kind: 'Eviction', metadata: { name } } });

const read = async (server: ApiServer, name: string) =>
  (await ask(server, { path: `${NAMESPACE}/pods/${name}` })).value;

describe('a binding', () => {
  it('assigns a pod to a node, once', async () => {
    await using server = await started();
    await newPod(server, 'p');
    const annotated = { metadata: { name: 'p', annotations: { by: 'me' } }, target: { name: 'n1' } };
    expect((await bind(server, 'p', annotated))[0]).toBe(201);
    expect(await read(server, 'p')).toMatchObject({
      metadata: { annotations: { by: 'me' } },
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
    });
    expect((await bind(server, 'p'))[1]).toContain('pod p is already assigned to node "n1"');
    expect((await bind(server, 'missing'))[0]).toBe(404);
  });

  it('waits for scheduling gates, and requires a node', async () => {
    await using server = await started();
    await newPod(server, 'gated', { spec: { schedulingGates: [{ name: 'example.com/g' }] } });
    expect(await bind(server, 'gated')).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "gated": pod gated has non-empty .spec.schedulingGates',
    ]);
    expect((await bind(server, 'gated', { target: { kind: 'Node' } }))[1]).toContain('target.name: Required value');
    expect((await bind(server, 'gated', { target: { kind: 'Minion', name: 'n1' } }))[1]).toContain('target.kind');
  });

  it('can be created without its pod in the path', async () => {
    await using server = await started();
    await newPod(server, 'p');
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { name: 'n1' } };
    expect((await ask(server, { method: 'POST', path: `${NAMESPACE}/bindings`, body })).status).toBe(201);
    expect((await read(server, 'p')).spec.nodeName).toBe('n1');
  });
});

describe('an eviction', () => {
  const metadata = { labels: { app: 'web' } };
  const budget = { minAvailable: 1, selector: { matchLabels: metadata.labels } };
  const status = {
    disruptionsAllowed: 1,
    currentHealthy: 2,
    desiredHealthy: 1,
    expectedPods: 2,
    observedGeneration: 1,
  };
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

  it('deletes a pod that no budget selects', async () => {
    await using server = await started();
    await newPod(server, 'p');
    expect((await evict(server, 'p'))[0]).toBe(201);
    expect((await read(server, 'p')).code).toBe(404);
    expect((await evict(server, 'p'))[0]).toBe(404);
  });

  it('uses up a budget', async () => {
    await using server = await started();
    const at = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    const headers = { 'content-type': 'application/merge-patch+json' };
    await ask(server, { method: 'POST', path: at, body: { metadata: { name: 'b' }, spec: budget } });
    await ask(server, { method: 'PATCH', path: `${at}/b/status`, headers, body: { status } });
    for (const name of ['p', 'q']) {
      await newPod(server, name, { metadata, spec: { nodeName: 'n1' } });
      const patch = { method: 'PATCH', body: { status: ready } };
      expect((await said(server, `${name}/status`, { ...patch, headers }))[0]).toBe(200);
    }
    // Options are validated when the pod would be deleted, so all other errors are reported first.
    const deleteOptions = { propagationPolicy: 'Never' };
    const badly = async (name: string) =>
      (await said(server, `${name}/eviction`, { method: 'POST', body: { metadata: { name }, deleteOptions } }))[0];
    expect([await badly('p'), await badly('nobody')]).toEqual([422, 404]);
    expect((await evict(server, 'p'))[0]).toBe(201);
    const { value: left } = await ask(server, { path: `${at}/b` });
    expect(left.status).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { p: expect.any(String) } });
    // The server owns the fields that it changed, as after any request of its own.
    const own = left.metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'kube-apiserver');
    expect(own).toMatchObject({ operation: 'Update', subresource: 'status', apiVersion: 'policy/v1' });
    expect(Object.keys(own.fieldsV1['f:status'])).toEqual(['f:conditions', 'f:disruptedPods', 'f:disruptionsAllowed']);
    const { status: code, value } = await ask(server, {
      method: 'POST',
      path: `${NAMESPACE}/pods/q/eviction`,
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'q' } },
    });
    expect([code, value.reason, value.details.causes[0].reason]).toEqual([429, 'TooManyRequests', 'DisruptionBudget']);
    expect(value.message).toBe("Cannot evict pod as it would violate the pod's disruption budget.");
    expect(await badly('q')).toBe(429);
  });
});

describe('a connection to a pod', () => {
  it('requires a node', async () => {
    await using server = await started();
    await newPod(server, 'p');
    expect(await said(server, 'p/log')).toEqual([204, '']);
    for (const part of ['exec', 'attach', 'portforward'])
      expect(await said(server, `p/${part}`)).toEqual([400, 'pod p does not have a host assigned']);
    expect(await said(server, 'p/proxy/x')).toEqual([400, 'address not allowed']);
    expect(await said(server, 'missing/log')).toEqual([404, 'pods "missing" not found']);
  });

  it('is to one of its containers', async () => {
    await using server = await started();
    const spec = { initContainers: [{ name: 'i', image: 'i' }] };
    await newPod(server, 'p', { spec });
    // Init containers can be selected, but do not make the selection necessary.
    expect((await said(server, 'p/log'))[0]).toBe(204);
    await newPod(server, 'two', { spec: { ...spec, containers: ['c', 'd'].map((name) => ({ name, image: 'i' })) } });
    expect(await said(server, 'two/log')).toEqual([
      400,
      'a container name must be specified for pod two, choose one of: [i c d]',
    ]);
    expect(await said(server, 'p/exec', { query: 'container=x' })).toEqual([400, 'container x is not valid for pod p']);
    expect((await said(server, 'p/log', { query: 'container=i' }))[0]).toBe(204);
  });

  it('is refused for a pod of a node that cannot be reached', async () => {
    await using server = await started();
    await newPod(server, 'p', { spec: { nodeName: 'gone' } });
    await newPod(server, 'q', { spec: { nodeName: 'n1' } });
    expect(await said(server, 'p/log')).toEqual([404, 'pods "gone" not found']);
    expect(await said(server, 'q/log')).toEqual([500, 'no preferred addresses found; known addresses: []']);
    await ask(server, {
      method: 'PATCH',
      path: '/api/v1/nodes/n1/status',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] } },
    });
    expect(await said(server, 'q/exec')).toEqual([400, 'Upgrade request required']);
    expect((await said(server, 'q/exec', { headers: { upgrade: 'websocket' } }))[0]).toBe(400);
    expect((await said(server, 'q/exec', { headers: { connection: 'keep-alive, Upgrade' } }))[0]).toBe(500);
    const headers = { upgrade: 'websocket', connection: 'Upgrade' };
    expect(await said(server, 'q/exec', { headers })).toEqual([500, 'this server reaches no nodes']);
    expect(await said(server, 'q/log')).toEqual([500, 'this server reaches no nodes']);
    const proxied = async (name: string) => {
      const { status, message } = await ask(server, { path: `/api/v1/nodes/${name}/proxy/stats` });
      return [status, message];
    };
    expect(await proxied('http:n1:x:y')).toEqual([400, 'invalid node request "http:n1:x:y"']);
  });

  it('to its log requires valid options', async () => {
    await using server = await started();
    await newPod(server, 'p');
    expect(await said(server, 'p/log', { query: 'tailLines=many' })).toEqual([
      400,
      'strconv.ParseInt: parsing "many": invalid syntax',
    ]);
    expect((await said(server, 'p/log', { query: 'sinceTime=x&tailLines=many' }))[1]).toBe(
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    );
    const query = 'tailLines=-1&limitBytes=0&sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z';
    expect(await said(server, 'p/log', { query })).toEqual([
      422,
      'PodLogOptions "p" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0, []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified]',
    ]);
  });
});

describe('the token volume of a pod', () => {
  it('is added unless the pod or its account disables it', async () => {
    await using server = await started();
    const [container] = (await newPod(server, 'p')).spec.containers;
    const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
    const name = expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/);
    expect(container.volumeMounts).toEqual([{ name, readOnly: true, mountPath }]);
    const { spec } = await read(server, 'p');
    expect(spec.volumes).toMatchObject([{ name, projected: { defaultMode: 420 } }]);
    expect((await newPod(server, 'q', { spec: { automountServiceAccountToken: false } })).spec.volumes).toBeUndefined();
    await server.load([
      {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'shy', namespace: 'default' },
        automountServiceAccountToken: false,
        imagePullSecrets: [{ name: 'registry' }],
      },
    ]);
    const shy = await newPod(server, 'r', { spec: { serviceAccountName: 'shy' } });
    expect([shy.spec.volumes, shy.spec.imagePullSecrets]).toEqual([undefined, [{ name: 'registry' }]]);
    const wants = { serviceAccountName: 'shy', automountServiceAccountToken: true };
    expect((await newPod(server, 's', { spec: wants })).spec.volumes).toHaveLength(1);
  });

  it('is not added at a path that is already mounted', async () => {
    await using server = await started();
    const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
    const own = { name: 'c', image: 'i', volumeMounts: [{ name: 'own', mountPath }] };
    const volumes = [{ name: 'own', emptyDir: {} }];
    expect((await newPod(server, 'p', { spec: { containers: [own], volumes } })).spec.volumes).toHaveLength(1);
    const kept = { name: 'kube-api-access-kept', emptyDir: {} };
    const { spec } = await newPod(server, 'q', { spec: { volumes: [kept] } });
    expect(spec.volumes).toHaveLength(1);
    expect(spec.containers[0].volumeMounts).toMatchObject([{ name: 'kube-api-access-kept', mountPath }]);
  });
});
