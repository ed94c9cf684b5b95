import { describe, expect, it } from 'vitest';
import {
  configMap,
  mutatingWebhookConfiguration,
  pod,
  priorityClass,
  secret,
  serviceAccount,
  validatingWebhookConfiguration,
} from '../../../src/exports/kinds.js';
import type { JsonObject } from '../../../src/json/value.js';
import type { WebhookHandler } from '../../../src/outbound/review-handler.js';
import { reviewHandler } from '../../../src/outbound/review-handler.js';
import { outcome } from '../../authorization/server.js';
import { closeAfterTest, startServer } from '../../support/servers.js';

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
const namespace = 'default';

/** A server with webhooks that are handlers of this process. The reviews that they received are recorded. */
async function serverWith(
  sort: 'validating' | 'mutating',
  hooks: Readonly<Record<string, object>>,
  answer: (request: JsonObject, name: string) => JsonObject | Promise<JsonObject>,
) {
  const server = closeAfterTest(await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' } }));
  const asked: (readonly [string, JsonObject])[] = [];
  const webhooks = Object.entries(hooks).map(([name, more]) => {
    const handler: WebhookHandler = ({ request }) => {
      asked.push([name, request as JsonObject]);
      return answer(request as JsonObject, name);
    };
    server.services.set(`default/${name}`, reviewHandler(handler));
    const clientConfig = { service: { namespace: 'default', name: name } };
    return {
      name: `${name}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig,
      rules: [rule],
      ...more,
    };
  });
  const kind = sort === 'validating' ? validatingWebhookConfiguration : mutatingWebhookConfiguration;
  const client = server.client();
  await client.create(
    kind as typeof validatingWebhookConfiguration,
    { metadata: { name: 'hooks' }, webhooks } as never,
  );
  return { server, client, asked, names: () => asked.splice(0).map(([name]) => name) };
}
const map = (
  name: string,
  data: Readonly<Record<string, string>> = {},
  labels: Readonly<Record<string, string>> = {},
) => ({
  metadata: { name, namespace, labels },
  data,
});
const allow = () => ({ allowed: true });
const modeOf = ({ object }: JsonObject) =>
  ((object as JsonObject | null)?.['data'] as JsonObject | undefined)?.['mode'];

describe('a validating webhook', () => {
  it('receives the whole review', async () => {
    const { client, asked } = await serverWith('validating', { a: {} }, allow);
    await client.create(configMap, map('m', { k: 'v' }));
    await client.delete(configMap, 'm', { namespace });
    const [[, created], [, deleted]] = asked as [[string, JsonObject], [string, JsonObject]];
    expect(created).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'm',
      namespace,
      operation: 'CREATE',
      userInfo: { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] },
      object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'm' }, data: { k: 'v' } },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    });
    expect(deleted).toMatchObject({ operation: 'DELETE', object: null, oldObject: { data: { k: 'v' } } });
  });

  it('refuses with its own message and code, which cannot be a success', async () => {
    const { client } = await serverWith('validating', { a: {} }, (request) => ({
      allowed: false,
      ...(modeOf(request) === 'teapot'
        ? { status: { code: 418, message: 'short and stout' } }
        : { status: { code: 200 } }),
    }));
    const create = (mode: string) => outcome(client.create(configMap, map('m', { mode })));
    expect(await create('teapot')).toEqual({
      code: 418,
      message: 'admission webhook "a.example.com" denied the request: short and stout',
    });
    expect(await create('x')).toEqual({
      code: 400,
      message: 'admission webhook "a.example.com" denied the request without explanation',
    });
  });

  it('fails closed, unless its failures are ignored', async () => {
    const broken = () => Promise.reject(new Error('out of order'));
    const strict = await serverWith('validating', { a: {} }, broken);
    expect(await outcome(strict.client.create(configMap, map('m')))).toEqual({
      code: 500,
      message: expect.stringMatching(
        /^Internal error occurred: failed calling webhook "a\.example\.com": failed to call webhook: Post .*: out of order$/,
      ),
    });
    const lenient = await serverWith('validating', { a: { failurePolicy: 'Ignore' } }, broken);
    expect(await outcome(lenient.client.create(configMap, map('m')))).toMatchObject({ code: 200 });
  });

  const inStatus = 'Go struct field StatusDetails.response.status.details.';
  it.each<[string, JsonObject, string]>([
    ['allowed', { allowed: 'yes' }, 'string into Go struct field AdmissionResponse.response.allowed of type bool'],
    [
      'status',
      { allowed: false, status: [] },
      'array into Go struct field AdmissionResponse.response.status of type v1.Status',
    ],
    ...['5\n', [5], true, 1.5, 1e300, { a: 1 }].map((seconds): [string, JsonObject, string] => [
      `retryAfterSeconds: ${JSON.stringify(seconds)}`,
      { allowed: false, status: { code: 429, details: { retryAfterSeconds: seconds } } },
      `${inStatus}retryAfterSeconds of type int32`,
    ]),
    [
      'code',
      { allowed: false, status: { code: 404.5 } },
      'number 404.5 into Go struct field Status.response.status.code of type int32',
    ],
    [
      'warnings',
      { allowed: true, warnings: [1] },
      'number into Go struct field AdmissionResponse.response.warnings of type string',
    ],
    ['patch', { allowed: true, patch: '!', patchType: 'JSONPatch' }, 'illegal base64 data at input byte 0'],
  ])('whose response has wrong types has failed: %s', async (_, answer, why) => {
    const strict = await serverWith('validating', { a: {} }, () => answer);
    const { code, message } = await outcome(strict.client.create(configMap, map('m')));
    expect([code, message]).toEqual([500, expect.stringContaining('failed to call webhook: ')]);
    expect(message).toContain(why);
    const lenient = await serverWith('mutating', { a: { failurePolicy: 'Ignore' } }, () => answer);
    expect(await outcome(lenient.client.create(configMap, map('m')))).toMatchObject({ code: 200 });
  });

  it('is called only for requests that its rules, selectors and conditions match', async () => {
    const { client, names } = await serverWith(
      'validating',
      {
        labelled: { objectSelector: { matchLabels: { hook: 'yes' } } },
        elsewhere: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
        second: { matchConditions: [{ name: 'c', expression: "object != null && object.data.mode == 'second'" }] },
        accounts: { rules: [{ ...rule, resources: ['serviceaccounts'], operations: ['CREATE'] }] },
      },
      allow,
    );
    await client.create(configMap, map('a', { mode: 'first' }));
    expect(names()).toEqual([]);
    await client.create(configMap, map('b', { mode: 'second' }, { hook: 'yes' }));
    expect(names().sort()).toEqual(['labelled', 'second']);
    await client.patch(configMap, 'b', { metadata: { labels: { hook: 'no' } }, data: { mode: 'x' } }, { namespace });
    expect(names()).toEqual(['labelled']);
    await client.create(serviceAccount, { metadata: { name: 's', namespace } });
    expect(names()).toEqual(['accounts']);
    await client.create(secret, { metadata: { name: 's', namespace } });
    expect(names()).toEqual([]);
  });

  it('is never called for its own configuration', async () => {
    const everything = { ...rule, apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
    const { client } = await serverWith('validating', { a: { rules: [everything] } }, () => ({ allowed: false }));
    expect(await outcome(client.create(configMap, map('m')))).toMatchObject({ code: 400 });
    await client.delete(validatingWebhookConfiguration, 'hooks');
    expect(await outcome(client.create(configMap, map('m')))).toMatchObject({ code: 200 });
  });
});

describe('a mutating webhook', () => {
  it('changes the object, sees earlier changes, and is reinvoked if configured', async () => {
    const { client, names } = await serverWith(
      'mutating',
      { first: { reinvocationPolicy: 'IfNeeded' }, second: {} },
      (request, name) => ({
        allowed: true,
        patch: [
          {
            op: 'add',
            path: `/data/${name}`,
            value: `saw ${Object.keys((request['object'] as { data: object }).data).join()}`,
          },
        ],
      }),
    );
    const made = await client.create(configMap, map('m', { k: 'v' }));
    expect(made.data).toEqual({ k: 'v', first: 'saw first,k,second', second: 'saw first,k' });
    expect(names()).toEqual(['first', 'second', 'first']);
  });

  it('is not reinvoked if the plug-ins of the server did not change the object', async () => {
    const { server, client, names } = await serverWith(
      'mutating',
      { a: { reinvocationPolicy: 'IfNeeded', rules: [{ ...rule, operations: ['CREATE'], resources: ['pods'] }] } },
      () => ({ allowed: true, patch: [{ op: 'add', path: '/metadata/labels/a', value: 'true' }] }),
    );
    await server.client().create(priorityClass, { metadata: { name: 'low' }, value: 1 });
    const spec = { priorityClassName: 'low', containers: [{ name: 'c', image: 'i' }] };
    const made = await client.create(pod, { metadata: { name: 'p', namespace, labels: { x: 'y' } }, spec });
    expect(made.metadata.labels).toEqual({ a: 'true', x: 'y' });
    expect(names()).toEqual(['a']);
  });

  it('cannot move a new object to another namespace', async () => {
    const patch = [{ op: 'replace', path: '/metadata/namespace', value: 'kube-system' }];
    const { client } = await serverWith('mutating', { a: {} }, () => ({ allowed: true, patch }));
    expect(await outcome(client.create(configMap, map('m')))).toEqual({
      code: 400,
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
  });

  it('cannot create an object that is invalid for its kind', async () => {
    const patch = [{ op: 'replace', path: '/data', value: 'x' }];
    const { client } = await serverWith('mutating', { a: {} }, () => ({ allowed: true, patch }));
    expect(await outcome(client.create(configMap, map('m')))).toEqual({
      code: 500,
      message:
        'Internal error occurred: json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    });
  });

  it.each([
    ['Secret', 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
    [
      'Nothing',
      'no kind "Nothing" is registered for version "v1" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
    ],
    [1, 'json: cannot unmarshal number into Go struct field .kind of type string'],
  ])('cannot change the kind: %s', async (kind, why) => {
    const patch = [{ op: 'replace', path: '/kind', value: kind }];
    const { client } = await serverWith('mutating', { a: {} }, () => ({ allowed: true, patch }));
    const { code, message } = await outcome(client.create(configMap, map('m')));
    expect([code, message]).toEqual([500, expect.stringContaining(`Internal error occurred: `)]);
    expect(message).toContain(why);
  });

  it('may omit the kind, which the server knows', async () => {
    const patch = [
      { op: 'remove', path: '/kind' },
      { op: 'add', path: '/data', value: { b: '2' } },
    ];
    const { client } = await serverWith('mutating', { a: {} }, () => ({ allowed: true, patch }));
    expect(await client.create(configMap, map('m'))).toMatchObject({ data: { b: '2' } });
  });

  it('may write other objects while it is called', async () => {
    const { server, client } = await serverWith(
      'mutating',
      { a: { rules: [{ ...rule, resources: ['serviceaccounts'] }] } },
      async () => {
        await server.client().create(configMap, map('beside'));
        return { allowed: true };
      },
    );
    await client.create(serviceAccount, { metadata: { name: 's', namespace } });
    expect(await client.get(configMap, 'beside', { namespace })).toMatchObject({ metadata: { name: 'beside' } });
  });
});
