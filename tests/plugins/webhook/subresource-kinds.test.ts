import { expect, it } from 'vitest';
import { mutatingWebhookConfiguration, pod } from '../../../src/exports/kinds.js';
import type { JsonObject } from '../../../src/json/value.js';
import { reviewHandler } from '../../../src/outbound/review-handler.js';
import { everybody, manifest } from '../../custom-resources/support.js';
import { ask, requestsTo } from '../../support/ask.js';
import { closeAfterTest, startServer } from '../../support/servers.js';

/** A server with a mutating webhook that returns a patch. The reviews that it received are recorded. */
async function serverWith(rule: object, patch: readonly object[] = []) {
  const server = closeAfterTest(
    await startServer({ dialect: 'k8s', authentication: [everybody], controllers: { mode: 'stepped' } }),
  );
  const seen: JsonObject[] = [];
  server.services.set(
    'default/hook',
    reviewHandler(({ request }) => {
      seen.push(request as JsonObject);
      return { allowed: true, patchType: 'JSONPatch', patch: btoa(JSON.stringify(patch)) };
    }),
  );
  const webhook = {
    name: 'hook.example.com',
    clientConfig: { service: { namespace: 'default', name: 'hook' } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules: [{ operations: ['*'], ...rule }],
  };
  await server.client().create(mutatingWebhookConfiguration, { metadata: { name: 'h' }, webhooks: [webhook] } as never);
  return { server, seen };
}

it('a webhook receives the Scale of another version of a custom resource unchanged', async () => {
  const rule = { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things/scale'] };
  const { server, seen } = await serverWith(rule, [{ op: 'replace', path: '/spec/replicas', value: 7 }]);
  const version = (name: string) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
          status: { type: 'object', properties: { replicas: { type: 'integer' } } },
        },
      },
    },
    subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  });
  await server.install(manifest({ versions: [version('v1'), version('v2')] }) as never);
  const { post, merge } = requestsTo(server);
  const things = '/apis/example.com/v2/namespaces/default/things';
  await post(things, { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 'a' }, spec: { replicas: 1 } });
  const { status, value } = await merge(`${things}/a/scale`, { spec: { replicas: 3 } });
  expect([status, value.spec]).toEqual([200, { replicas: 7 }]);
  expect(seen).toMatchObject([
    {
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'example.com', version: 'v1', resource: 'things' },
      subResource: 'scale',
      requestKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      requestResource: { group: 'example.com', version: 'v2', resource: 'things' },
      object: { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 3 } },
    },
  ]);
});

it.each([
  [
    'may add unknown fields to the options of a connection',
    [{ op: 'add', path: '/foo', value: 'test' }],
    // The next step fails, because no server runs in the pod.
    expect.not.stringContaining('cannot be changed'),
  ],
  [
    'cannot change the options of a connection',
    [{ op: 'add', path: '/container', value: 'other' }],
    'Internal error occurred: what a connection is opened with cannot be changed',
  ],
  [
    'cannot replace the options of a connection by a list',
    [{ op: 'replace', path: '', value: [] }],
    'Internal error occurred: what a connection is opened with cannot be changed',
  ],
])('a webhook %s', async (_, patch, message) => {
  const { server, seen } = await serverWith({ apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec'] }, patch);
  const spec = { containers: [{ name: 'main', image: 'x' }], serviceAccountName: 'default' };
  await server.client().create(pod, { metadata: { name: 'p' }, spec } as never, { namespace: 'default' });
  const path = '/api/v1/namespaces/default/pods/p/exec';
  const refused = await ask(server, { method: 'POST', path, query: 'command=sh&container=main' });
  expect(seen).toHaveLength(1);
  expect(refused.message).toEqual(message);
});
