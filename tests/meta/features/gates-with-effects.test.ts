import { describe, expect, it } from 'vitest';
import { horizontalPodAutoscaler, service } from '../../../src/exports/kinds.js';
import type { FeatureGate } from '../../../src/meta/features/gates.js';
import { openServer } from '../../support/servers.js';

const AT = { namespace: 'default' };
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 200,
    (error: { code: number }) => error.code,
  );

/** What a server answers with a gate off and on. */
async function withAndWithout<T>(
  gate: FeatureGate,
  ask: (server: Awaited<ReturnType<typeof openServer>>) => Promise<T>,
) {
  const answers: T[] = [];
  for (const on of [false, true]) {
    await using server = await openServer({ featureGates: { [gate]: on }, metrics: true });
    answers.push(await ask(server));
  }
  return answers;
}

describe('a gate has its effect', () => {
  it('HPAScaleToZero: an autoscaler may let nothing run', async () => {
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

  it('AllowServiceLBStatusOnNonLB: services of any type say where a load balancer reaches them', async () => {
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

  it('ComponentSLIs: what tells of health alone is shown', async () => {
    const codes = await withAndWithout('ComponentSLIs', async (server) => {
      const { status } = await server.fetch(new Request('https://server/metrics/slis'));
      return status;
    });
    expect(codes).toEqual([404, 200]);
  });
});
