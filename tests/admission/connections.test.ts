import { describe, expect, it } from 'vitest';
import {
  pod,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
} from '../../src/exports/kinds.js';
import type { ApiServerOptions } from '../../src/index.js';
import type { JsonObject } from '../../src/json/value.js';
import { reviewHandler } from '../../src/outbound/review-handler.js';
import { everybody } from '../custom-resources/support.js';
import { ask } from '../support/ask.js';
import { closeAfterTest, startServer } from '../support/servers.js';

const rules = [
  {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CONNECT'],
    resources: ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy'],
  },
];

async function serverWithPod(options: ApiServerOptions = {}) {
  const server = closeAfterTest(
    await startServer({
      dialect: 'k8s',
      authentication: [everybody],
      controllers: { mode: 'stepped' },
      ...options,
    }),
  );
  const spec = { containers: [{ name: 'main', image: 'x' }], serviceAccountName: 'default' };
  await server.client().create(pod, { metadata: { name: 'p' }, spec } as never, { namespace: 'default' });
  const connect = (what: string, query = '') =>
    ask(server, { method: 'POST', path: `/api/v1/namespaces/default/pods/p/${what}`, query });
  return { server, connect };
}

describe('a CONNECT request to a subresource of an object', () => {
  it('is passed to admission plug-ins, with the options of its query', async () => {
    const { server, connect } = await serverWithPod();
    const seen: JsonObject[] = [];
    server.services.set(
      'default/hook',
      reviewHandler(({ request }) => {
        seen.push(request as JsonObject);
        return { allowed: false, status: { message: 'no shells' } };
      }),
    );
    const webhook = {
      name: 'hook.example.com',
      clientConfig: { service: { namespace: 'default', name: 'hook' } },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules,
    };
    await server
      .client()
      .create(validatingWebhookConfiguration, { metadata: { name: 'h' }, webhooks: [webhook] } as never);
    const refused = await connect('exec', 'command=sh&command=-c&stdin=true&tty=false&container=main');
    expect(refused).toMatchObject({
      status: 400,
      value: { message: 'admission webhook "hook.example.com" denied the request: no shells' },
    });
    expect(seen).toEqual([
      expect.objectContaining({
        kind: { group: '', version: 'v1', kind: 'PodExecOptions' },
        resource: { group: '', version: 'v1', resource: 'pods' },
        subResource: 'exec',
        name: 'p',
        namespace: 'default',
        operation: 'CONNECT',
        object: { kind: 'PodExecOptions', apiVersion: 'v1', command: ['sh', '-c'], container: 'main', stdin: true },
        oldObject: null,
        dryRun: false,
        options: null,
      }),
    ]);
    expect((await connect('portforward', 'ports=80,81&ports=82')).status).toBe(400);
    expect(seen[1]).toMatchObject({ object: { kind: 'PodPortForwardOptions', ports: [80, 81, 82] } });
    for (const [ports, why] of [
      ['x', 'invalid syntax'],
      ['65536', 'value out of range'],
    ] as const)
      expect((await connect('portforward', `ports=80,${ports}`)).message).toBe(
        `cannot convert to []int32: strconv.ParseUint: parsing "${ports}": ${why}`,
      );
    // A log is read with GET, so it is not a connection.
    await ask(server, { path: '/api/v1/namespaces/default/pods/p/log' });
    expect(seen).toHaveLength(2);
  });

  it.each([
    ['', {}],
    [', also on a server with metrics', { metrics: true }],
  ])('is validated by policies%s', async (_, options: ApiServerOptions) => {
    const { server, connect } = await serverWithPod(options);
    const policy = {
      metadata: { name: 'no-tty' },
      spec: {
        matchConstraints: { resourceRules: rules },
        validations: [{ expression: '!has(object.tty) || !object.tty', message: 'no terminals' }],
      },
    };
    await server.client().create(validatingAdmissionPolicy, policy as never);
    const binding = { metadata: { name: 'b' }, spec: { policyName: 'no-tty', validationActions: ['Deny'] } };
    await server.client().create(validatingAdmissionPolicyBinding, binding as never);
    expect((await connect('exec', 'command=sh&tty=true')).value.message).toContain('no terminals');
    expect((await connect('exec', 'command=sh')).value.message).not.toContain('no terminals');
    if (options.metrics)
      expect((await ask(server, { path: '/metrics' })).text).toMatch(
        /^apiserver_admission_step_admission_duration_seconds_count\{operation="CONNECT",rejected="true",type="validate"\} 1$/m,
      );
  });
});
