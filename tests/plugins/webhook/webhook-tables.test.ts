import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../../src/audit/audit-event.js';
import { configMap, mutatingWebhookConfiguration, validatingWebhookConfiguration } from '../../../src/exports/kinds.js';
import type { JsonObject } from '../../../src/json/value.js';
import { reviewHandler } from '../../../src/outbound/review-handler.js';
import { outcome } from '../../authorization/server.js';
import { closeAfterTest, openServer } from '../../support/servers.js';

/* Facts of upstream's tests of both plug-ins: the annotations in audit events, and when webhooks are called. */

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
const BROKEN = {};
type Hook = Readonly<{ name: string } & Record<string, unknown>>;

/** A server that records the annotations of its events, with configurations by name and the responses of their webhooks. */
async function serverWith(
  sort: 'mutating' | 'validating',
  configurations: Readonly<Record<string, readonly Hook[]>>,
  answers: Readonly<Record<string, JsonObject>> = {},
) {
  const events: AuditEvent[] = [];
  const sink = {
    mode: 'blocking' as const,
    write: (records: readonly { readonly event: AuditEvent }[]) => void events.push(...records.map((one) => one.event)),
  };
  const policy = { rules: [{ level: 'Request' as const }], omitStages: ['RequestReceived' as const] };
  const server = closeAfterTest(
    await openServer({ audit: { policy, sinks: [sink] }, controllers: { mode: 'stepped' } }),
  );
  const client = server.client();
  const asked: string[] = [];
  const kind = (sort === 'mutating' ? mutatingWebhookConfiguration : validatingWebhookConfiguration) as never;
  for (const [name, hooks] of Object.entries(configurations)) {
    const webhooks = hooks.map((hook) => {
      const short = hook.name.split('.')[0] ?? '';
      server.services.set(
        `default/${short}`,
        reviewHandler(() => {
          asked.push(short);
          const answer = answers[short] ?? { allowed: true };
          if (answer === BROKEN) throw new Error('out of order');
          return answer;
        }),
      );
      const clientConfig = { service: { namespace: 'default', name: short } };
      return { admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig, rules: [rule], ...hook };
    });
    await client.create(kind, { metadata: { name }, webhooks } as never);
  }
  const create = (dryRun = false) =>
    outcome(
      client.create(configMap, { metadata: { name: 'm', namespace: 'default', labels: { remove: 'me' } } }, { dryRun }),
    );
  const annotations = () =>
    Object.fromEntries(
      Object.entries(events.at(-1)?.annotations ?? {}).filter(([key]) => !key.startsWith('authorization.')),
    );
  return { client, create, annotations, asked };
}

const patching = (...patch: JsonObject[]) => ({ allowed: true, patch });
const ADD = { op: 'add', path: '/metadata/labels/added', value: 'test' };
const REMOVE = { op: 'remove', path: '/metadata/labels/remove' };
const SAME = { op: 'replace', path: '/metadata/labels/remove', value: 'me' };
const of = (sort: string, place: number, round = 0) => `${sort}.webhook.admission.k8s.io/round_${round}_index_${place}`;
const note = (configuration: string, webhook: string, more: object) =>
  JSON.stringify({ configuration, webhook, ...more });

describe('annotations of mutating webhooks', () => {
  it.each([
    ['adds a member', { add: patching(ADD) }, [{ mutated: true, patch: [ADD] }]],
    ['removes a member', { add: patching(REMOVE) }, [{ mutated: true, patch: [REMOVE] }]],
    ['changes nothing', { add: { allowed: true } }, [{ mutated: false }]],
    ['sets a member to its value', { add: patching(SAME) }, [{ mutated: false, patch: [SAME] }]],
    ['responds with an empty patch', { add: patching() }, [{ mutated: false }]],
    [
      'responds with a patch that does not apply',
      { add: patching({ op: 'remove', path: '/data/none' }) },
      [{ mutated: false }],
    ],
    ['refuses the request', { add: { allowed: false } }, [{ mutated: false }]],
  ] as const)('record a webhook that %s', async (_name, answers, notes) => {
    const { create, annotations } = await serverWith(
      'mutating',
      { test: [{ name: 'add.example.com' }] },
      answers as never,
    );
    await create();
    const expected = notes.flatMap(({ mutated, ...patched }, i) => [
      [of('mutation', i), note('test', 'add.example.com', { mutated })],
      ...('patch' in patched
        ? [[of('patch', i), note('test', 'add.example.com', { ...patched, patchType: 'JSONPatch' })]]
        : []),
    ]);
    expect(annotations()).toEqual(Object.fromEntries(expected));
  });

  it('one that returns an unknown type of patch has failed, with the effect of its failure policy', async () => {
    const hook = { name: 'add.example.com', failurePolicy: 'Ignore' };
    const answer = { allowed: true, patch: btoa(JSON.stringify([ADD])), patchType: 'Merge' };
    const { create, annotations } = await serverWith('mutating', { test: [hook] }, { add: answer });
    expect(await create()).toMatchObject({ code: 200 });
    expect(annotations()).toEqual({
      [`failed-open.${of('mutation', 0)}`]: 'add.example.com',
      [of('mutation', 0)]: note('test', 'add.example.com', { mutated: false }),
    });
  });

  it('one that returns an object of an unknown type makes the request fail for the object', async () => {
    const answer = { allowed: true, patch: btoa('{}'), patchType: 'Merge' };
    const { create } = await serverWith('mutating', { test: [{ name: 'add.example.com' }] }, { add: answer });
    expect(await create()).toMatchObject({
      message: 'Internal error occurred: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    });
  });

  it('one that cannot be called in a dry run is annotated as well', async () => {
    const hook = { name: 'add.example.com', sideEffects: 'None' };
    const { create, annotations } = await serverWith('mutating', { test: [hook] }, { add: patching(ADD) });
    expect(await create(true)).toMatchObject({ code: 200 });
    expect(Object.keys(annotations())).toEqual([of('mutation', 0), of('patch', 0)]);
  });

  it('indexes count the webhooks of all configurations, in the order of their names', async () => {
    const elsewhere = { rules: [{ ...rule, resources: ['secrets'] }] };
    const { create, annotations } = await serverWith('mutating', {
      b: [{ name: 'four.example.com', ...elsewhere }, { name: 'five.example.com' }],
      a: [
        { name: 'one.example.com', ...elsewhere },
        { name: 'two.example.com' },
        { name: 'three.example.com', objectSelector: { matchLabels: { remove: 'you' } } },
      ],
    });
    await create();
    expect(annotations()).toEqual({
      [of('mutation', 1)]: note('a', 'two.example.com', { mutated: false }),
      [of('mutation', 4)]: note('b', 'five.example.com', { mutated: false }),
    });
  });

  it('an object selector sees the changes of earlier webhooks', async () => {
    const objectSelector = { matchLabels: { remove: 'me' } };
    const { create, asked } = await serverWith(
      'mutating',
      {
        test: [
          { name: 'first.example.com', objectSelector },
          { name: 'second.example.com', objectSelector },
        ],
      },
      { first: patching(REMOVE) },
    );
    await create();
    expect(asked).toEqual(['first']);
  });

  it.each([
    ['IfNeeded', 'IfNeeded', ['add', 'remove', 'add']],
    ['Never', 'IfNeeded', ['add', 'remove']],
    ['IfNeeded', 'Never', ['add', 'remove', 'add']],
    ['Never', 'Never', ['add', 'remove']],
  ] as const)('reinvocation where requested: %s and %s', async (first, second, expected) => {
    const hooks = [
      { name: 'add.example.com', reinvocationPolicy: first },
      { name: 'remove.example.com', reinvocationPolicy: second },
    ];
    const { create, asked } = await serverWith(
      'mutating',
      { test: hooks },
      {
        add: patching(ADD),
        remove: patching({ op: 'add', path: '/metadata/labels/other', value: 'x' }),
      },
    );
    await create();
    expect(asked).toEqual(expected);
  });
});

describe('annotations of validating webhooks', () => {
  it('its own annotations are kept under its name if that is valid', async () => {
    const auditAnnotations = { key1: 'value1', 'a/b': 'x', '': 'x', 'not a name': 'x' };
    const { create, annotations } = await serverWith(
      'validating',
      { test: [{ name: 'allow.example.com' }] },
      { allow: { allowed: true, auditAnnotations } },
    );
    await create();
    expect(annotations()).toEqual({ 'allow.example.com/key1': 'value1' });
  });

  it('ignored failures are annotated with the index among the called webhooks', async () => {
    const none = { name: 'zero.example.com', rules: [{ ...rule, resources: ['secrets'] }] };
    const { create, annotations } = await serverWith(
      'validating',
      {
        test: [
          none,
          { name: 'one.example.com', failurePolicy: 'Ignore' },
          { name: 'two.example.com', failurePolicy: 'Ignore' },
        ],
      },
      { one: { allowed: true }, two: BROKEN },
    );
    expect(await create()).toMatchObject({ code: 200 });
    expect(annotations()).toMatchObject({ [`failed-open.${of('validating', 1)}`]: 'two.example.com' });
  });
});

it('match conditions see no namespace, but the resource of the request', async () => {
  const matchConditions = [
    { name: 'namespace', expression: 'namespaceObject == null' },
    { name: 'resource', expression: "request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap'" },
  ];
  const { create, asked } = await serverWith('validating', { test: [{ name: 'allow.example.com', matchConditions }] });
  await create();
  expect(asked).toEqual(['allow']);
});
