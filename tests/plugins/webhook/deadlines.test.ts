import { expect, it } from 'vitest';
import { createFakeClock } from '../../../src/testing/index.js';
import { requestsTo } from '../../support/ask.js';
import { closeAfterTest, openServer } from '../../support/servers.js';

// Facts of upstream's integration test of timeouts: a webhook receives its remaining time, and a request whose time is up calls no
// others.
const HOOKS = '/apis/admissionregistration.k8s.io/v1';

interface Hook {
  readonly timeoutSeconds: number;
  readonly failurePolicy?: string;
}

/** Creates a ConfigMap with webhooks that each take a number of seconds. @returns the response, and the timeout that each webhook received */
async function create(timeout: string, seconds: number, mutating: readonly Hook[], validating: readonly Hook[] = []) {
  const clock = createFakeClock('2030-01-01T00:00:00Z');
  const server = closeAfterTest(await openServer({ clock }));
  const { post } = requestsTo(server);
  const asked: string[] = [];
  const webhooks = (sort: string, hooks: readonly Hook[]) =>
    hooks.map((hook, index) => {
      const name = `${sort}${index + 1}`;
      server.services.set(`default/${name}`, async (request) => {
        asked.push(`${name} ${new URL(request.url).searchParams.get('timeout')}`);
        const { apiVersion, kind, request: question } = (await request.json()) as Record<string, { uid: string }>;
        if (sort === 'mutating') clock.advance(seconds * 1000);
        return Response.json({ apiVersion, kind, response: { uid: question?.uid, allowed: true } });
      });
      return {
        name: `${name}.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { namespace: 'default', name } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        ...hook,
      };
    });
  for (const [sort, hooks] of [
    ['mutating', mutating],
    ['validating', validating],
  ] as const) {
    const body = { metadata: { name: 'hooks' }, webhooks: webhooks(sort, hooks) };
    expect((await post(`${HOOKS}/${sort}webhookconfigurations`, body)).status).toBe(201);
  }
  const { status } = await post(`/api/v1/namespaces/default/configmaps?timeout=${timeout}`, {
    metadata: { name: 'a' },
  });
  // Work that continues after the response comes to its end.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  return { status, asked };
}

it('a webhook receives its own timeout, or the remaining time of the request', async () => {
  const { status, asked } = await create(
    '10s',
    1,
    [{ timeoutSeconds: 20 }, { timeoutSeconds: 5 }, { timeoutSeconds: 20 }],
    [{ timeoutSeconds: 5 }, { timeoutSeconds: 10 }, { timeoutSeconds: 20 }],
  );
  expect(status).toBe(201);
  expect(asked).toEqual([
    'mutating1 10s',
    'mutating2 5s',
    'mutating3 8s',
    'validating1 5s',
    'validating2 7s',
    'validating3 7s',
  ]);
});

it('a fraction of a second of remaining time counts as one second', async () => {
  expect((await create('2500ms', 0, [{ timeoutSeconds: 20 }])).asked).toEqual(['mutating1 3s']);
});

it.each([3, 1])(
  'a request whose time is up calls no further webhooks, whatever their failure policies (%d)',
  async (count) => {
    const hook = { timeoutSeconds: 4, failurePolicy: 'Ignore' };
    const { status, asked } = await create('3s', 5, Array(count).fill(hook), [hook]);
    expect(status).toBe(504);
    expect(asked).toEqual(['mutating1 3s']);
  },
);
