import { describe, expect, it } from 'vitest';
import type { ControllerDefinition } from '../../../src/controllers/controller.js';
import { customResourceDefinitions } from '../../../src/controllers/custom-resources/custom-resource-definitions.js';
import { horizontalPodAutoscaler, service } from '../../../src/exports/kinds.js';
import type { FeatureGate } from '../../../src/meta/features/gates.js';
import { boundTokenUser } from '../../../src/plugins/service-accounts/bound-token.js';
import { readTokenClaims } from '../../../src/plugins/service-accounts/token-claims.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';
import { manifest, thingsOf } from '../../custom-resources/support.js';
import { fetchFrom } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';

const AT = { namespace: 'default' };
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 200,
    (error: { code: number }) => error.code,
  );

/** Returns the responses of a server with a gate off and on. */
async function withAndWithout<T>(
  gate: FeatureGate,
  ask: (server: Awaited<ReturnType<typeof openServer>>) => Promise<T>,
  controllers: readonly ControllerDefinition[] = [],
) {
  const answers: T[] = [];
  for (const on of [false, true]) {
    await using server = await openServer({
      featureGates: { [gate]: on },
      metrics: true,
      controllers: [...controllers],
    });
    answers.push(await ask(server));
  }
  return answers;
}

describe('a gate that is on', () => {
  it('HPAScaleToZero: an autoscaler may have zero replicas', async () => {
    const spec = {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      minReplicas: 0,
      maxReplicas: 2,
      metrics: [{ type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } }],
    };
    const codes = await withAndWithout('HPAScaleToZero', (server) =>
      codeOf(server.client().create(horizontalPodAutoscaler, { metadata: { name: 'a' }, spec } as never, AT)),
    );
    expect(codes).toEqual([422, 200]);
  });

  it('AllowServiceLBStatusOnNonLB: services of any type may have a load balancer status', async () => {
    const found = await withAndWithout('AllowServiceLBStatusOnNonLB', async (server) => {
      const client = server.client();
      const made = await client.create(service, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } }, AT);
      const status = { loadBalancer: { ingress: [{ hostname: 'a.example.com' }] } };
      const code = await codeOf(
        client.replace(service, { ...made, status } as never, { ...AT, subresource: 'status' }),
      );
      const labelled = await client.patch(service, 's', { metadata: { labels: { a: 'b' } } }, AT);
      return [code, labelled.status.loadBalancer.ingress?.length];
    });
    expect(found).toEqual([
      [422, undefined],
      [200, 1],
    ]);
  });

  it('ComponentSLIs: the health metrics have an endpoint of their own', async () => {
    const codes = await withAndWithout('ComponentSLIs', async (server) => {
      const { status } = await fetchFrom(server, '/metrics/slis');
      return status;
    });
    expect(codes).toEqual([404, 200]);
  });
});

describe('a gate that is off', () => {
  it('CRDValidationRatcheting: unchanged values are validated as well', async () => {
    const of = (size: object) => manifest({ spec: { size, other: { type: 'string' } } as never });
    const changed = await withAndWithout(
      'CRDValidationRatcheting',
      async (server) => {
        const client = server.client();
        await server.install(of({ type: 'integer' }));
        await client.create(thingsOf(server), { metadata: { name: 'a' }, spec: { size: 5 } } as never, AT);
        const codes = [];
        for (const stricter of [{ maximum: 3 }, { 'x-kubernetes-validations': [{ rule: 'self < 3' }] }]) {
          await server.install(of({ type: 'integer', ...stricter }));
          const patch = { spec: { other: JSON.stringify(stricter) } } as never;
          codes.push(await codeOf(client.patch(thingsOf(server), 'a', patch, AT)));
        }
        return codes;
      },
      [customResourceDefinitions],
    );
    expect(changed).toEqual([
      [422, 422],
      [200, 200],
    ]);
  });

  it('OpenAPIEnums: enumerations are published for custom resources only', async () => {
    const listed = await withAndWithout(
      'OpenAPIEnums',
      async (server) => {
        await server.install(manifest({ spec: { color: { type: 'string', enum: ['red'] } } as never }));
        const textOf = async (path: string) => (await fetchFrom(server, path)).text();
        const paths = ['/openapi/v2', '/openapi/v3/api/v1', '/openapi/v3/apis/example.com/v1'];
        return [
          (await textOf(paths[0] ?? '')).includes('"enum":["ClusterFirst"'),
          (await textOf(paths[1] ?? '')).includes('"enum":["ClusterFirst"'),
          (await textOf(paths[2] ?? '')).includes('"enum":["red"]'),
        ];
      },
      [customResourceDefinitions],
    );
    expect(listed).toEqual([
      [false, false, true],
      [true, true, true],
    ]);
  });

  it('ServiceAccountTokenNodeBindingValidation: tokens that are bound to a node are refused', async () => {
    const bound = { namespace: 'n', serviceaccount: { name: 'a', uid: 'u' }, node: { name: 'm', uid: 'v' } };
    const claims = readTokenClaims({ sub: 's', exp: 2_000_000_000, 'kubernetes.io': bound }, 'kubernetes.io');
    const host = createFakeHost();
    const gates = { ...host.gates, ServiceAccountTokenNodeBindingValidation: false };
    expect(() => boundTokenUser(claims, { ...host, gates })).toThrow(
      'token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled',
    );
    expect(() => boundTokenUser(claims, host)).toThrow('serviceaccounts "a" not found');
  });
});
