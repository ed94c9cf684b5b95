import { expect, it } from 'vitest';
import { mutatingWebhookConfiguration, pod, priorityClass } from '../../../src/exports/kinds.js';
import type { JsonObject } from '../../../src/json/value.js';
import { reviewHandler } from '../../../src/outbound/review-handler.js';
import { outcome } from '../../authorization/server.js';
import { closeAfterTest, startServer } from '../../support/servers.js';

/* Reinvocation of webhooks as in upstream's tests: the change of each webhook depends on the pod that it receives. */

interface Seen {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly priorityClassName?: string };
}
const label = (name: string, value: string) => ({ op: 'add', path: `/metadata/labels/${name}`, value });
const priority = (value: string) => [
  { op: 'add', path: '/spec/priorityClassName', value },
  { op: 'remove', path: '/spec/priority' },
];
const HOOKS: Readonly<Record<string, (labels: Readonly<Record<string, string>>, spec: Seen['spec']) => object[]>> = {
  noop: () => [],
  add: ({ a }) => (a ? [] : [label('a', 'true')]),
  add2: ({ a, b }) => (a && !b ? [label('b', 'true')] : []),
  on: ({ fight }) => (fight === 'true' ? [] : [label('fight', 'true')]),
  off: ({ fight }) => (fight === 'false' ? [] : [label('fight', 'false')]),
  high: (_labels, { priorityClassName }) => (priorityClassName === 'high' ? [] : priority('high')),
  invalid: () => priority('invalid'),
};

type Hook = readonly [name: string, policy?: 'IfNeeded' | 'Never', objectSelector?: object];
it.each<[string, readonly Hook[], readonly string[], Readonly<Record<string, string>> | string]>([
  ['not one that changes nothing', [['noop', 'IfNeeded']], ['noop'], {}],
  ['not one after which the server changes nothing', [['add', 'IfNeeded']], ['add'], { a: 'true' }],
  ['one after which the server changes the object', [['high', 'IfNeeded']], ['high', 'high'], {}],
  [
    'one that precedes a webhook that changes the object',
    [
      ['add', 'IfNeeded'],
      ['add2', 'IfNeeded'],
    ],
    ['add', 'add2', 'add'],
    { a: 'true', b: 'true' },
  ],
  [
    'two that undo each other, once each',
    [
      ['on', 'IfNeeded'],
      ['off', 'IfNeeded'],
    ],
    ['on', 'off', 'on', 'off'],
    { fight: 'false' },
  ],
  [
    'not one that did not match the first time',
    [
      ['add2', 'IfNeeded', { matchLabels: { a: 'true' } }],
      ['add', 'IfNeeded'],
    ],
    ['add'],
    { a: 'true' },
  ],
  [
    'not one whose result the server refuses',
    [['invalid', 'IfNeeded']],
    ['invalid'],
    'no PriorityClass with name invalid was found',
  ],
  [
    'not one with the policy Never',
    [
      ['add2', 'Never'],
      ['add', 'Never'],
    ],
    ['add2', 'add'],
    { a: 'true' },
  ],
  ['not one without a policy', [['add2'], ['add']], ['add2', 'add'], { a: 'true' }],
])('webhooks are called again: %s', async (_name, hooks, expected, labels) => {
  const server = closeAfterTest(await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' } }));
  const client = server.client();
  await client.create(priorityClass, { metadata: { name: 'low' }, value: 1 });
  await client.create(priorityClass, { metadata: { name: 'high' }, value: 10 });
  const asked: string[] = [];
  for (const [i, [name, reinvocationPolicy, objectSelector]] of hooks.entries()) {
    server.services.set(
      `default/${name}`,
      reviewHandler(({ request }) => {
        asked.push(name);
        const { metadata, spec } = (request as unknown as { object: Seen }).object;
        const patch = HOOKS[name]?.(metadata.labels ?? {}, spec) ?? [];
        return { allowed: true, ...(patch.length > 0 && { patch: patch as JsonObject[] }) };
      }),
    );
    const hook = {
      name: `${name}.example.com`,
      clientConfig: { service: { namespace: 'default', name: name } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      ...(reinvocationPolicy && { reinvocationPolicy }),
      ...(objectSelector && { objectSelector }),
    };
    await client.create(mutatingWebhookConfiguration, { metadata: { name: `test-${i}` }, webhooks: [hook] } as never);
  }
  const spec = { priorityClassName: 'low', containers: [{ name: 'c', image: 'i' }] };
  const made = client.create(pod, { metadata: { name: 'p', namespace: 'default', labels: { x: 'true' } }, spec });
  if (typeof labels === 'string') expect((await outcome(made)).message).toContain(labels);
  else {
    const { metadata, spec: after } = await made;
    expect(metadata.labels).toEqual({ x: 'true', ...labels });
    expect(after.priority).toBe(expected.includes('high') ? 10 : 1);
  }
  expect(asked).toEqual(expected);
});
