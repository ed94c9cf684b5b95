import { describe, expect, it } from 'vitest';
import { apiService, configMap, validatingWebhookConfiguration } from '../../../src/exports/kinds.js';
import type { ServiceHandler } from '../../../src/meta/services/service-routes.js';
import { reviewHandler } from '../../../src/outbound/review-handler.js';
import { outcome } from '../../authorization/server.js';
import { manifest } from '../../custom-resources/support.js';
import { ask } from '../../support/ask.js';
import { closeAfterTest, openServer } from '../../support/servers.js';

const URL_THERE = 'https://hook.default.svc:443/v?timeout=1s';
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
const namespace = 'default';

/** A server that calls the service default/hook for ConfigMaps. */
async function asking(more: object = {}, service: object = {}, options: object = {}) {
  const server = closeAfterTest(await openServer(options));
  const hook = {
    name: 'a.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { service: { namespace, name: 'hook', path: '/v', ...service } },
    timeoutSeconds: 1,
    rules: [rule],
    ...more,
  };
  const client = server.client();
  await client.create(validatingWebhookConfiguration, { metadata: { name: 'hooks' }, webhooks: [hook] } as never);
  const create = async () => {
    const { code, message } = await outcome(client.create(configMap, { metadata: { generateName: 'm', namespace } }));
    return [code, message];
  };
  return { server, create };
}
const failed = (why: string, url = URL_THERE) => [
  500,
  `Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: Post "${url}": ${why}`,
];
const allow = reviewHandler(() => ({ allowed: true }));
const serviceOf = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'hook', namespace },
  spec,
});
const noNetwork =
  "this server dials no addresses of services: set what answers with server.services.set('default/hook', handler) or " +
  "--services=default/hook=URL, or start it with services: 'network' (--services=network)";

describe('a webhook whose service has no target', () => {
  it.each<[string, object | undefined, string]>([
    ['does not exist', undefined, 'service "hook" not found'],
    ['has another port', { ports: [{ port: 80 }] }, 'no service port 443 found for service "hook"'],
    ['has no address', { clusterIP: 'None', ports: [{ port: 443 }] }, 'cannot route to service with ClusterIP "None"'],
    ['has the type ExternalName', { type: 'ExternalName', externalName: 'localhost' }, noNetwork],
    ['names the metadata address', { type: 'ExternalName', externalName: '169.254.169.254' }, noNetwork],
    ['has a cluster IP', { ports: [{ port: 443 }] }, noNetwork],
  ])('fails at once if the Service %s, which does not matter with a target', async (_, spec, why) => {
    const asked: string[] = [];
    const fetch = (url: string) => Promise.reject(new Error(`asked ${asked.push(url)}`));
    const { server, create } = await asking({}, {}, { fetch });
    if (spec) await server.load([serviceOf(spec)]);
    expect(await create()).toEqual(failed(why));
    expect(asked).toEqual([]);
    server.services.set('default/hook', allow);
    expect((await create())[0]).toBe(200);
    expect(server.services.delete('default/hook')).toBe(true);
    expect(await create()).toEqual(failed(why));
  });

  it('lets requests pass if its failures are ignored', async () => {
    const { server, create } = await asking({ failurePolicy: 'Ignore' });
    await server.load([serviceOf({ ports: [{ port: 443 }] })]);
    expect((await create())[0]).toBe(200);
  });

  it('is dialled if there is a network', async () => {
    const asked: string[] = [];
    const fetch = async (url: string, { body = '' }: { body?: string }) => {
      asked.push(url);
      return await allow(new Request('https://there', { method: 'POST', body }));
    };
    const { server, create } = await asking({}, {}, { fetch, services: 'network' });
    await server.load([serviceOf({ clusterIP: '10.0.0.77', ports: [{ port: 443 }] })]);
    expect((await create())[0]).toBe(200);
    expect(asked).toEqual(['https://10.0.0.77:443/v?timeout=1s']);
    server.services.set('default/hook', allow);
    expect((await create())[0]).toBe(200);
    expect(asked).toHaveLength(1);
  });

  const ports = [{ port: 443, name: 'a' }];
  const endpoints = (...subsets: object[]) => ({
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'hook', namespace },
    subsets,
  });
  it.each<[string, object, object | undefined, string]>([
    [
      'cannot have an external name',
      { type: 'ExternalName', externalName: 'a.b', ports },
      undefined,
      'unsupported service type "ExternalName"',
    ],
    ['needs the port', { ports: [{ port: 80 }] }, undefined, 'no service port 443 found for service "hook"'],
    ['needs Endpoints', { ports }, undefined, 'endpoints "hook" not found'],
    ['needs an endpoint', { ports }, endpoints(), 'no endpoints available for service "hook"'],
    [
      'needs an endpoint with the name of the port',
      { ports },
      endpoints({ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 8443, name: 'b' }] }),
      'no endpoints available for service "hook"',
    ],
  ])('%s if requests go to endpoints', async (_, spec, more, why) => {
    const { server, create } = await asking({}, {}, { services: 'network', network: { aggregatorRouting: true } });
    await server.load([serviceOf(spec), ...(more ? [more] : [])]);
    expect(await create()).toEqual(failed(why));
  });

  it('is called at one of its endpoints if requests go to endpoints, also if it has no address', async () => {
    const asked: string[] = [];
    const fetch = async (url: string, { body = '' }: { body?: string }) => {
      asked.push(url);
      return await allow(new Request('https://there', { method: 'POST', body }));
    };
    const { server, create } = await asking(
      {},
      {},
      { fetch, services: 'network', network: { aggregatorRouting: true } },
    );
    const at = endpoints({ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 8443, name: 'a' }] });
    await server.load([serviceOf({ clusterIP: 'None', ports }), at]);
    expect((await create())[0]).toBe(200);
    expect(asked).toEqual(['https://10.1.2.3:8443/v?timeout=1s']);
  });
});

it.each([
  ['nothing', 'unable to parse bytes as PEM block'],
  ['-----BEGIN X-----\nAAAA\n-----END X-----\n', 'no valid certificate authority data seen'],
])('a webhook with the CA bundle %j is not called, except at a target', async (bundle, why) => {
  const asked: string[] = [];
  const fetch = (url: string) => Promise.reject(new Error(`asked ${asked.push(url)}`));
  const service = { namespace, name: 'hook', path: '/v' };
  const clientConfig = { service, caBundle: btoa(bundle) };
  const { server, create } = await asking({ clientConfig }, {}, { fetch, services: 'network' });
  await server.load([serviceOf({ clusterIP: '10.0.0.77', ports: [{ port: 443 }] })]);
  const message = `could not get REST client: unable to load root certificates: ${why}`;
  const called = 'Internal error occurred: failed calling webhook "a.example.com": ';
  expect([await create(), asked]).toEqual([[500, called + message], []]);
  server.services.set('default/hook', allow);
  expect((await create())[0]).toBe(200);
});

describe("a webhook whose service is the server's own", () => {
  it('is a path of this server, also if another server implements it, and the server itself is its caller', async () => {
    const path = '/apis/reviews.example.com/v1/checks';
    const { server, create } = await asking({}, { name: 'kubernetes', path }, { dialect: 'k8s' });
    const callers: (string | null)[] = [];
    server.services.set('default/reviews', async (request) => {
      callers.push(request.headers.get('x-remote-user'));
      return await reviewHandler(() => ({ allowed: false, status: { message: 'not today' } }))(request);
    });
    expect(await create()).toEqual([500, expect.stringContaining('the server could not find the requested resource')]);
    await server.client().create(apiService, {
      metadata: { name: 'v1.reviews.example.com' },
      spec: {
        group: 'reviews.example.com',
        version: 'v1',
        groupPriorityMinimum: 1,
        versionPriority: 1,
        service: { namespace, name: 'reviews' },
      },
    });
    await server.client().update(
      apiService,
      'v1.reviews.example.com',
      (draft) => {
        draft.status.conditions = [{ type: 'Available', status: 'True', lastTransitionTime: null }];
      },
      { subresource: 'status' },
    );
    callers.length = 0;
    expect(await create()).toEqual([400, 'admission webhook "a.example.com" denied the request: not today']);
    expect(callers).toContain('system:apiserver');
    server.services.set('default/kubernetes', allow);
    expect((await create())[0]).toBe(200);
  });
});

it('targets given as options exist from the start, by port as well', async () => {
  const refuse = reviewHandler(() => ({ allowed: false, status: { message: 'by port' } }));
  const services = { 'default/hook': allow, 'default/hook:8443': refuse };
  expect((await (await asking({}, {}, { services })).create())[0]).toBe(200);
  const { create } = await asking({}, { port: 8443 }, { services });
  expect(await create()).toEqual([400, 'admission webhook "a.example.com" denied the request: by port']);
});

it('a handler receives the request as a server behind the Service would', async () => {
  const seen: unknown[] = [];
  const { server, create } = await asking();
  server.services.set('default/hook', {
    fetch(request, caller) {
      const { method, url, headers } = request;
      seen.push(method, url, headers.get('content-type'), headers.get('user-agent'), caller);
      return allow(request);
    },
  });
  expect((await create())[0]).toBe(200);
  expect(seen).toEqual([
    'POST',
    'https://hook.default.svc/v?timeout=1s',
    'application/json',
    'kube-apiserver-admission',
    {},
  ]);
});

const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20).fill(32)) });

it.each<[string, ServiceHandler['fetch'], string | RegExp]>([
  [
    'throws',
    () => {
      throw new Error('out of order');
    },
    failed('out of order')[1] as string,
  ],
  ['rejects', () => Promise.reject(new Error('out of order')), failed('out of order')[1] as string],
  ['rejects with undefined', () => Promise.reject(undefined), failed('undefined')[1] as string],
  [
    'returns undefined',
    () => undefined as never,
    failed('the handler of the service returned no Response')[1] as string,
  ],
  ['never responds', () => new Promise(() => {}), failed('context deadline exceeded')[1] as string],
  [
    'never ends its response',
    () => new Response(new ReadableStream()),
    failed('context deadline exceeded')[1] as string,
  ],
  [
    'responds without end',
    () => new Response(endless()),
    failed('the response is longer than 8388608 bytes')[1] as string,
  ],
  [
    'responds with 500',
    () => new Response('no', { status: 500 }),
    /failed to call webhook: an error on the server \("no"\)/,
  ],
  [
    'responds with 500 and text without a content type',
    () => new Response(new TextEncoder().encode(' no\n'), { status: 500 }),
    /failed to call webhook: an error on the server \("no"\)/,
  ],
  [
    'responds with 500 and an image',
    () => new Response('no', { status: 500, headers: { 'content-type': 'image/png' } }),
    /failed to call webhook: an error on the server \("unknown"\)/,
  ],
  [
    'responds with something other than JSON',
    () => new Response('<html>'),
    /failed calling webhook "a\.example\.com": failed to call webhook: /,
  ],
  [
    'responds with an empty body',
    () => new Response(),
    /failed to call webhook: 0-length response with status code: 200 and content type: application\/json$/,
  ],
  [
    'responds with an empty text',
    () => new Response('', { headers: { 'content-type': 'text/plain' } }),
    /failed to call webhook: 0-length response with status code: 200 and content type: text\/plain$/,
  ],
  ['redirects', () => Response.redirect('https://127.0.0.1:1/', 307), /failed to call webhook: /],
  ['responds with another kind of review', () => Response.json({ kind: 'A', apiVersion: 'v9' }), /unknown conversion/],
])('a handler that %s fails the call, and nothing else', async (_, fetch, why) => {
  const { server, create } = await asking();
  server.services.set('default/hook', fetch);
  const [status, message] = await create();
  expect(status).toBe(500);
  if (typeof why === 'string') expect(message).toBe(why);
  else expect(message).toMatch(why);
  server.services.set('default/hook', allow);
  expect((await create())[0]).toBe(200);
});

it('calls in progress stay with their handler', async () => {
  const { server, create } = await asking({ timeoutSeconds: 30 });
  let [begin, go] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  server.services.set('default/hook', async (request) => {
    begin();
    await going;
    return await allow(request);
  });
  const first = create();
  await begun;
  server.services.set(
    'default/hook',
    reviewHandler(() => ({ allowed: false, status: { message: 'the next one' } })),
  );
  expect(await create()).toEqual([400, 'admission webhook "a.example.com" denied the request: the next one']);
  server.services.delete('default/hook');
  expect((await create())[1]).toContain('service "hook" not found');
  go();
  expect((await first)[0]).toBe(200);
});

it('a handler whose own requests call it again still has the time limit of its call', async () => {
  const { server, create } = await asking();
  let [calls, over] = [0, false];
  server.services.set('default/hook', async (request) => {
    // The count ends the test if the time limit does not.
    if (!over && ++calls < 5_000) await create();
    return await allow(request);
  });
  expect(await create()).toEqual(failed('context deadline exceeded'));
  over = true;
});

it('a conversion webhook is called in the same way', async () => {
  const server = closeAfterTest(await openServer());
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
  const crd = manifest({ versions });
  const webhook = { clientConfig: { service: { namespace, name: 'hook' } }, conversionReviewVersions: ['v1'] };
  await server.install({ ...crd, spec: { ...crd.spec, conversion: { strategy: 'Webhook', webhook } } });
  const path = (version: string, rest = '') => `/apis/example.com/${version}/namespaces/default/things${rest}`;
  const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: {} };
  expect((await ask(server, { method: 'POST', path: path('v1'), body })).status).toBe(201);
  await server.load([serviceOf({ ports: [{ port: 443 }] })]);
  const read = () => ask(server, { path: path('v2', '/a') });
  const { status, message } = await read();
  expect([status, message]).toEqual([
    500,
    `conversion webhook for example.com/v1, Kind=Thing failed: Post "https://hook.default.svc:443/?timeout=30s": ${noNetwork}`,
  ]);
  server.services.set(
    'default/hook',
    reviewHandler(({ request }) => {
      const { objects, desiredAPIVersion } = request as unknown as { objects: object[]; desiredAPIVersion: string };
      const convertedObjects = objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion }));
      return { convertedObjects: convertedObjects as never, result: { status: 'Success' } };
    }),
  );
  expect((await read()).value).toMatchObject({ apiVersion: 'example.com/v2', metadata: { name: 'a' } });
});
