import { describe, expect, it } from 'vitest';
import {
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
} from '../../src/exports/kinds.js';
import type { ApiServer, ResourceDefinition } from '../../src/index.js';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { reviewHandler } from '../../src/outbound/review-handler.js';
import { customResourceDefinition } from '../../src/resources/apiextensions/index.js';
import { ask } from '../support/ask.js';
import { closeAfterTest, startServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

const AT = { namespace: 'default' };
interface Question {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonObject[];
}
type Answer = (question: Question, review: JsonObject) => JsonObject;

const schemaOf = (spec: object) => ({
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: spec },
        status: { type: 'object', properties: { seen: { type: 'integer' } } },
      },
    },
  },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.seen' },
  },
});
const replicas = { type: 'integer' };
/** v1 has a host and a port, and v2 has an address with both; v1 is stored. */
const versions = [
  {
    name: 'v1',
    served: true,
    storage: true,
    ...schemaOf({ host: { type: 'string' }, port: { type: 'string' }, replicas }),
  },
  { name: 'v2', served: true, storage: false, ...schemaOf({ address: { type: 'string' }, replicas }) },
];

/** A correct converter between the two versions. */
function convert({ desiredAPIVersion, objects }: Question): JsonObject {
  const convertedObjects = objects.map((object) => {
    const { host, port, address, ...spec } = (object['spec'] ?? {}) as Record<string, JsonValue>;
    const [first = '', second = ''] = String(address ?? '').split(':');
    const made = desiredAPIVersion.endsWith('/v1')
      ? address === undefined
        ? {}
        : { host: first, port: second }
      : host === undefined && port === undefined
        ? {}
        : { address: `${host ?? ''}:${port ?? ''}` };
    return { ...object, apiVersion: desiredAPIVersion, spec: { ...spec, ...made } };
  });
  return { convertedObjects, result: { status: 'Success' } };
}

async function serverWith({
  answer = convert,
  reviews = ['v1', 'v1beta1'],
  dialect = 'k8s' as 'k8s' | 'orch',
}: {
  answer?: Answer;
  reviews?: readonly string[];
  dialect?: 'k8s' | 'orch';
} = {}) {
  const server = closeAfterTest(await startServer({ dialect, authentication: [everybody] }));
  const asked: JsonObject[] = [];
  const state = { answer };
  server.services.set(
    'default/convert',
    reviewHandler((review) => {
      asked.push(review);
      return state.answer(review['request'] as unknown as Question, review);
    }),
  );
  const crd = manifest({ versions });
  const conversion = {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { service: { namespace: 'default', name: 'convert' } },
      conversionReviewVersions: reviews,
    },
  };
  await server.client().create(customResourceDefinition, { ...crd, spec: { ...crd.spec, conversion } } as never);
  await server.settle();
  const things = (version: string): ResourceDefinition => server.kind(`example.com/${version}`, 'Thing');
  const create = (version: string, name: string, spec: object) =>
    server.client().create(things(version), { metadata: { name }, spec } as never, AT) as Promise<never>;
  const get = async (version: string, name: string) =>
    (await server.client().get(things(version), name, AT)) as never as { spec: object; metadata: { uid: string } };
  const path = (version: string, rest = '') => `/apis/example.com/${version}/namespaces/default/things${rest}`;
  return { server, asked, state, things, create, get, path };
}

describe('the conversion webhook in a definition', () => {
  const withBundle = (caBundle: string) => {
    const crd = manifest({ versions });
    const clientConfig = { url: 'https://example.com/convert', caBundle: btoa(caBundle) };
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    return { ...crd, spec: { ...crd.spec, conversion } };
  };
  const established = async (server: ApiServer) => {
    await server.settle();
    const { status } = await server.client().get(customResourceDefinition, 'things.example.com');
    return status.conditions?.find(({ type }) => type === 'Established');
  };

  it('prevents that new definitions are established if its CA bundle is invalid, and leaves established ones served', async () => {
    const server = closeAfterTest(await startServer({ dialect: 'k8s', authentication: [everybody] }));
    await server.client().create(customResourceDefinition, withBundle('\n') as never);
    expect(await established(server)).toMatchObject({
      status: 'False',
      reason: 'InvalidCABundle',
      message: 'The conversion webhook CABundle is invalid',
    });
    const set = (caBundle: string) =>
      server.client().update(customResourceDefinition, 'things.example.com', (draft) => {
        draft.spec.conversion = withBundle(caBundle).spec.conversion as never;
      });
    await set('');
    expect(await established(server)).toMatchObject({ status: 'True' });
    await expect(set('\n')).rejects.toThrow(
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: []byte{0xa}: unable to load root certificates: unable to parse bytes as PEM block',
    );
  });

  it('does not keep unknown fields', async () => {
    const server = closeAfterTest(await startServer({ dialect: 'k8s', authentication: [everybody] }));
    const crd = withBundle('');
    const made = server
      .client()
      .create(customResourceDefinition, { ...crd, spec: { ...crd.spec, preserveUnknownFields: true } } as never);
    await expect(made).rejects.toThrow(
      'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
    );
  });
});

describe('a conversion webhook', () => {
  it('receives the review of upstream, in the first version that it supports', async () => {
    const { asked, create, get } = await serverWith();
    await create('v1', 'a', { host: 'h', port: '1' });
    expect(asked).toEqual([]); // The object is stored as it was written.
    expect((await get('v2', 'a')).spec).toEqual({ address: 'h:1' });
    expect(asked).toEqual([
      {
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        request: {
          uid: expect.any(String),
          desiredAPIVersion: 'example.com/v2',
          objects: [expect.objectContaining({ apiVersion: 'example.com/v1', spec: { host: 'h', port: '1' } })],
        },
        response: { uid: '', convertedObjects: null, result: { metadata: {} } },
      },
    ]);
    const [object] = (asked[0] as never as { request: Question }).request.objects;
    expect(object?.['metadata']).not.toHaveProperty('resourceVersion');
  });

  it('is called once for a list, and not again for unchanged objects', async () => {
    const { server, asked, create, things } = await serverWith();
    for (let i = 0; i < 20; i++) await create('v1', `thing-${i}`, { host: 'h', port: String(i) });
    const list = await server.client().list(things('v2'), AT);
    expect(list.items).toHaveLength(20);
    expect(list.items.map((item) => (item as never as { spec: object }).spec)).toContainEqual({ address: 'h:7' });
    expect(asked).toHaveLength(1);
    await server.client().list(things('v2'), AT);
    expect(asked).toHaveLength(1);
    await create('v1', 'one-more', { host: 'h', port: '9' });
    await server.client().list(things('v2'), AT);
    expect(asked.map(({ request }) => (request as never as Question).objects.length)).toEqual([20, 1]);
  });

  it('may use the older review, whose responses have no version', async () => {
    const answer: Answer = (question, review) => ({
      kind: review['kind'] ?? '',
      apiVersion: review['apiVersion'] ?? '',
      response: { ...convert(question), uid: '' },
    });
    const { asked, create, get } = await serverWith({ reviews: ['v9', 'v1beta1'], answer });
    await create('v1', 'a', { host: 'h', port: '1' });
    expect((await get('v2', 'a')).spec).toEqual({ address: 'h:1' });
    expect(asked[0]?.['apiVersion']).toBe('apiextensions.k8s.io/v1beta1');
  });

  it('converts writes before they are stored, and then the response', async () => {
    const { server, create, get, things } = await serverWith();
    expect(await create('v2', 'a', { address: 'h:1' })).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { address: 'h:1' },
    });
    expect((await get('v1', 'a')).spec).toEqual({ host: 'h', port: '1' });
    const patched = await server
      .client()
      .patch(things('v2'), 'a', { spec: { address: 'x:2' } }, { ...AT, type: 'merge' } as never);
    expect((patched as never as { spec: object }).spec).toEqual({ address: 'x:2' });
    expect((await get('v1', 'a')).spec).toEqual({ host: 'x', port: '2' });
    expect((await get('v1', 'a')).metadata.uid).toBe((await get('v2', 'a')).metadata.uid);
    await server.client().delete(things('v2'), 'a', AT);
    await expect(get('v1', 'a')).rejects.toMatchObject({ code: 404 });
  });

  it('lets managers own fields in the version that they wrote', async () => {
    const { server, path } = await serverWith();
    const apply = (version: string, manager: string, spec: object, force = false) =>
      ask(server, {
        method: 'PATCH',
        path: path(version, '/a'),
        query: `fieldManager=${manager}${force ? '&force=true' : ''}`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: JSON.stringify({ apiVersion: `example.com/${version}`, kind: 'Thing', metadata: { name: 'a' }, spec }),
      });
    expect(await apply('v1', 'one', { host: 'h', port: '1' })).toMatchObject({ status: 201 });
    expect((await apply('v2', 'two', { address: 'h:1' })).status).toBe(200);
    const conflict = await apply('v2', 'three', { address: 'h:2' });
    expect(conflict.status).toBe(409);
    expect(conflict.value.message).toContain(
      'conflicts with "one":\n- .spec.port\nconflicts with "two":\n- .spec.address',
    );
    const forced = await apply('v2', 'three', { address: 'h:2' }, true);
    expect(forced.status).toBe(200);
    const owners = (await ask(server, { path: path('v1', '/a') })).value.metadata.managedFields as {
      manager: string;
      apiVersion: string;
      fieldsV1: object;
    }[];
    // In v1, only the port has changed: the first manager still owns the host.
    expect(owners.map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1])).toEqual([
      ['one', 'example.com/v1', { 'f:spec': { 'f:host': {} } }],
      ['three', 'example.com/v2', { 'f:spec': { 'f:address': {} } }],
    ]);
    // A field that is given up is kept if another manager owns a part of it in another version.
    expect((await apply('v2', 'three', {})).value.spec).toEqual({ address: 'h:2' });
    expect((await apply('v1', 'one', {})).value.spec).toEqual({ port: '2' });
  });

  it('converts every event of a watch, in order', async () => {
    const { server, asked, create, things } = await serverWith();
    await create('v1', 'first', { host: 'h', port: '0' });
    const abort = new AbortController();
    const seen: string[] = [];
    const watch = server.client().watch(things('v2'), { ...AT, signal: abort.signal } as never);
    const reading = (async () => {
      for await (const event of watch as AsyncIterable<{ type: string; object: never }>) {
        const { metadata, spec, apiVersion } = event.object as {
          metadata: { name: string };
          spec: { address: string };
          apiVersion: string;
        };
        expect(apiVersion).toBe('example.com/v2');
        seen.push(`${event.type} ${metadata.name} ${spec.address}`);
        if (event.type === 'DELETED') return;
      }
    })();
    for (let i = 1; i < 6; i++)
      await create(i % 2 ? 'v1' : 'v2', `thing-${i}`, i % 2 ? { host: 'h', port: `${i}` } : { address: `h:${i}` });
    await server.client().delete(things('v1'), 'first', AT);
    await reading;
    abort.abort();
    expect(seen).toEqual([
      'ADDED first h:0',
      ...[1, 2, 3, 4, 5].map((i) => `ADDED thing-${i} h:${i}`),
      'DELETED first h:0',
    ]);
    expect(asked.length).toBeGreaterThan(1);
  });

  it('ends a watch whose events it cannot convert', async () => {
    const { server, state, create, things } = await serverWith();
    const events: { type: string; object: { message?: string } }[] = [];
    const watch = await server.client().watch(things('v2'), { ...AT, resourceVersion: String(1) } as never);
    const reading = (async () => {
      for await (const event of watch as never as AsyncIterable<(typeof events)[0]>) events.push(event);
    })().catch((error: Error) => error.message);
    state.answer = () => ({ result: { status: 'Failed', message: 'not today' } });
    await create('v1', 'a', { host: 'h', port: '1' });
    const ended = await reading;
    expect(ended ?? events.at(-1)?.object.message).toContain(
      'conversion webhook for example.com/v1, Kind=Thing failed: not today',
    );
  });

  it('sends the error of a failed conversion once, and ends the stream', async () => {
    const { server, state, create } = await serverWith();
    const response = await server.fetch(new Request('https://server/apis/example.com/v2/things?watch=true'));
    state.answer = () => ({ result: { status: 'Failed', message: 'not today' } });
    await create('v1', 'a', { host: 'h', port: '1' });
    await create('v1', 'b', { host: 'h', port: '2' });
    const events = (await response.text()).trimEnd().split('\n');
    expect(events.map((line) => JSON.parse(line).type)).toEqual(['ERROR']);
  });

  it('is used for changes of status and scale in every version', async () => {
    const { server, create, get, path } = await serverWith();
    await create('v1', 'a', { host: 'h', port: '1', replicas: 1 });
    const scaled = await ask(server, {
      method: 'PATCH',
      path: path('v2', '/a/scale'),
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { replicas: 4 } }),
    });
    expect(scaled.value).toMatchObject({ kind: 'Scale', spec: { replicas: 4 } });
    expect((await get('v1', 'a')).spec).toEqual({ host: 'h', port: '1', replicas: 4 });
    const status = await ask(server, {
      method: 'PATCH',
      path: path('v2', '/a/status'),
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ status: { seen: 3 } }),
    });
    expect(status.value).toMatchObject({ apiVersion: 'example.com/v2', spec: { address: 'h:1' }, status: { seen: 3 } });
    expect(await get('v1', 'a')).toMatchObject({ spec: { replicas: 4 }, status: { seen: 3 } });
  });

  it('converts objects that were stored before the storage version changed', async () => {
    const { server, create, get } = await serverWith();
    await create('v1', 'old', { host: 'h', port: '1' });
    const crd = await server.client().update(customResourceDefinition, 'things.example.com', (draft) => {
      for (const version of draft.spec.versions) version.storage = version.name === 'v2';
    });
    expect(crd.status.storedVersions).toEqual(['v1', 'v2']);
    await server.settle();
    await create('v1', 'new', { host: 'n', port: '2' });
    for (const name of ['old', 'new']) {
      expect((await get('v1', name)).spec).toEqual({
        host: name[0] === 'o' ? 'h' : 'n',
        port: name === 'old' ? '1' : '2',
      });
      expect((await get('v2', name)).spec).toEqual({ address: name === 'old' ? 'h:1' : 'n:2' });
    }
  });

  it('is not called for a write that is too large to be stored', async () => {
    const grow: Answer = (question) => {
      const { convertedObjects, ...answer } = convert(question);
      const much = { host: 'h'.repeat(2_000_000) };
      return {
        ...answer,
        convertedObjects: (convertedObjects as JsonObject[]).map((each) => ({ ...each, spec: much })),
      };
    };
    const { server, state, create, path } = await serverWith();
    await create('v2', 'a', { address: 'h:1' });
    state.answer = grow;
    const body = { spec: { replicas: 2 } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const tooLarge = { status: 500, message: 'etcdserver: request is too large' };
    expect(await ask(server, { method: 'PATCH', path: path('v2', '/a'), headers, body })).toMatchObject(tooLarge);
    const neu = { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 'b' }, spec: { address: 'h:1' } };
    expect(await ask(server, { method: 'POST', path: path('v2'), body: neu })).toMatchObject(tooLarge);
    expect((await ask(server, { path: path('v1') })).text.length).toBeLessThan(10_000);
  });

  it('returns objects that are pruned by the schema of their version', async () => {
    const answer: Answer = (question) => {
      const { convertedObjects, result } = convert(question) as { convertedObjects: JsonObject[]; result: JsonObject };
      return { convertedObjects: convertedObjects.map((each) => ({ ...each, extra: 1 })), result };
    };
    const { create, get } = await serverWith({ answer });
    await create('v1', 'a', { host: 'h', port: '1' });
    expect(await get('v2', 'a')).not.toHaveProperty('extra');
  });

  it('is called before admission webhooks and policies, which see the version that they match', async () => {
    const { server, create, get } = await serverWith();
    const seen: JsonValue[] = [];
    server.services.set(
      'default/mutate',
      reviewHandler(({ request }) => {
        const { object } = request as JsonObject;
        seen.push(object ?? null);
        return { allowed: true, patch: [{ op: 'replace', path: '/spec/host', value: 'patched' }] };
      }),
    );
    const rules = [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }];
    const hook = {
      name: 'mutate.example.com',
      clientConfig: { service: { namespace: 'default', name: 'mutate' } },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules,
    };
    await server.client().create(mutatingWebhookConfiguration, { metadata: { name: 'm' }, webhooks: [hook] } as never);
    const policy = {
      metadata: { name: 'p' },
      spec: {
        matchConstraints: { resourceRules: rules },
        validations: [{ expression: "object.spec.host != 'patched' || object.spec.port != '13'" }],
      },
    };
    await server.client().create(validatingAdmissionPolicy, policy as never);
    const binding = { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny'] } };
    await server.client().create(validatingAdmissionPolicyBinding, binding as never);
    expect(await create('v2', 'a', { address: 'h:1' })).toMatchObject({ spec: { address: 'patched:1' } });
    expect(seen).toEqual([expect.objectContaining({ apiVersion: 'example.com/v1', spec: { host: 'h', port: '1' } })]);
    expect((await get('v1', 'a')).spec).toEqual({ host: 'patched', port: '1' });
    await expect(create('v2', 'b', { address: 'h:13' })).rejects.toMatchObject({ code: 422 });
  });

  it('receives the names of the dialect', async () => {
    const { asked, create, get } = await serverWith({ dialect: 'orch' });
    await create('v1', 'a', { host: 'h', port: '1' });
    expect((await get('v2', 'a')).spec).toEqual({ address: 'h:1' });
    expect(asked[0]?.['apiVersion']).toBe('apiextensions.orch.io/v1');
  });

  describe('is not trusted', () => {
    const change =
      (change: (object: JsonObject) => JsonValue): Answer =>
      (question) => {
        const { convertedObjects, result } = convert(question) as {
          convertedObjects: JsonObject[];
          result: JsonObject;
        };
        return { convertedObjects: convertedObjects.map(change), result };
      };
    const metadata = (more: object) =>
      change((object) => ({ ...object, metadata: { ...(object['metadata'] as JsonObject), ...more } as JsonObject }));
    const about = 'conversion webhook for example.com/v1, Kind=Thing';
    it.each([
      ['that failed', () => ({ result: { status: 'Failure', message: 'no' } }), `${about} failed: no`],
      ['without a status', () => ({ result: {} }), `${about} failed: response.result.status was '', not 'Success'`],
      ['without objects', () => ({ result: { status: 'Success' } }), `${about} returned 0 objects, expected 1`],
      [
        'with an object of another version',
        change((object) => ({ ...object, apiVersion: 'example.com/v3' })),
        `${about} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v3)`,
      ],
      [
        'with an object without an apiVersion',
        change(({ apiVersion: _, ...object }) => object),
        `${about} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received )`,
      ],
      ['with null as object', change(() => null), 'unexpected end of JSON input'],
      [
        'with a string as object',
        change(() => 'x'),
        'json: cannot unmarshal string into Go value of type map[string]interface {}',
      ],
      ['with an empty object', change(() => ({})), "Object 'Kind' is missing in '{}'"],
      [
        'with an object of another kind',
        change((object) => ({ ...object, kind: 'Thong' })),
        `${about} returned invalid object at index 0: invalid kind (expected Thing, received Thong)`,
      ],
      [
        'with an object of another name',
        metadata({ name: 'b' }),
        `${about} returned invalid object: must have the same name: a != b`,
      ],
      [
        'with labels that are not strings',
        metadata({ labels: { a: 1 } }),
        `${about} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
      ],
      [
        'with invalid labels',
        metadata({ labels: { 'a b': 'c' } }),
        `${about} returned invalid metadata: metadata.labels: Invalid value: "a b": name part must consist of`,
      ],
      [
        'for another uid',
        (question: Question, review: JsonObject) => ({
          kind: review['kind'] ?? '',
          apiVersion: review['apiVersion'] ?? '',
          response: { ...convert(question), uid: 'other' },
        }),
        `${about} failed: expected response.uid=`,
      ],
      [
        'of another kind of review',
        (question: Question) => ({ kind: 'Review', response: convert(question) }),
        `${about} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=Review`,
      ],
    ] as [string, Answer, string][])('with a response %s', async (_name, answer, message) => {
      const { server, create, path } = await serverWith({ answer });
      await create('v1', 'a', { host: 'h', port: '1' });
      const read = await ask(server, { path: path('v2', '/a') });
      expect(read.status).toBe(500);
      expect(read.value.message).toContain(message);
      expect((await ask(server, { path: path('v2') })).status).toBe(500);
      expect((await ask(server, { path: path('v1', '/a') })).status).toBe(200);
    });

    it('with changed metadata other than labels and annotations', async () => {
      const { create, get } = await serverWith({
        answer: metadata({ generation: 7, finalizers: ['x/y'], labels: { a: 'b' }, annotations: { c: 'd' } }),
      });
      await create('v1', 'a', { host: 'h', port: '1' });
      const { metadata: read } = (await get('v2', 'a')) as never as { metadata: JsonObject };
      expect(read).toMatchObject({ generation: 1, labels: { a: 'b' }, annotations: { c: 'd' } });
      expect(read).not.toHaveProperty('finalizers');
    });
  });
});
