import { describe, expect, it } from 'vitest';
import { ApiServer } from '../../src/api-server.js';
import { apiService } from '../../src/resources/apiregistration/index.js';
import { startServer } from '../support/servers.js';
import { asMaster } from './far-server.js';

/* Facts of upstream's tests of the aggregator: when another server counts as available, and in which order groups are listed. */

const PORT = 1234;
const registration = (group: string, version: string, spec: object = {}) => ({
  metadata: { name: `${version}.${group}` },
  spec: {
    group,
    version,
    groupPriorityMinimum: 10,
    versionPriority: 10,
    service: { namespace: 'foo', name: 'bar', port: PORT },
    ...spec,
  },
});
const service = (name: string, ports: readonly object[], spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'foo', name },
  spec: { type: 'ClusterIP', clusterIP: '10.0.0.77', ports, ...spec },
});
const endpoints = (...subsets: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { namespace: 'foo', name: 'bar' },
  subsets,
});
const foo = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'foo' } };
const named = [{ port: PORT, name: 'test' }];
const addresses = [{ ip: '10.1.2.3' }];
const bar = service('bar', named);
const ready = endpoints({ addresses, ports: named });
const place = 'service/bar in "foo"';
const url = `https://10.0.0.77:${PORT}/apis/remote/v1`;

describe('the condition Available of an APIService', () => {
  it.each<[string, readonly object[], number, string, string, string, string?]>([
    [
      'is False if the Service does not exist',
      [service('other', named)],
      200,
      'False',
      'ServiceNotFound',
      `${place} is not present`,
    ],
    [
      'is False if the Service lacks the port',
      [service('bar', [{ port: 6443 }]), ready],
      200,
      'False',
      'ServicePortError',
      `${place} is not listening on port ${PORT}`,
    ],
    [
      'is False if the Service has no Endpoints',
      [bar],
      200,
      'False',
      'EndpointsNotFound',
      `cannot find endpoints for ${place}`,
    ],
    [
      'is False if the Endpoints are empty',
      [bar, endpoints()],
      200,
      'False',
      'MissingEndpoints',
      `endpoints for ${place} have no addresses with port name "test"`,
    ],
    [
      'is False if the Endpoints are for another port',
      [bar, endpoints({ addresses, ports: [{ port: PORT, name: 'wrong' }] })],
      200,
      'False',
      'MissingEndpoints',
      `endpoints for ${place} have no addresses with port name "test"`,
    ],
    [
      'is False if no address is ready',
      [bar, endpoints({ notReadyAddresses: addresses, ports: named })],
      200,
      'False',
      'MissingEndpoints',
      `endpoints for ${place} have no addresses with port name "test"`,
    ],
    ['is True if the server answers at a ready address', [bar, ready], 200, 'True', 'Passed', 'all checks passed'],
    [
      'is False if the server answers with 403',
      [bar, ready],
      403,
      'False',
      'FailedDiscoveryCheck',
      `failing or missing response from ${url}: bad status from ${url}: 403`,
    ],
    [
      'is False if the server answers with a redirect',
      [bar, ready],
      302,
      'False',
      'FailedDiscoveryCheck',
      `failing or missing response from ${url}: bad status from ${url}: 302`,
    ],
    [
      'is False if the server answers with 304',
      [bar, ready],
      304,
      'False',
      'FailedDiscoveryCheck',
      `failing or missing response from ${url}: bad status from ${url}: 304`,
    ],
  ])('%s', async (_name, objects, status, condition, reason, message) => {
    const fetch = async () =>
      new Response(null, { status, ...(status === 302 ? { headers: { location: '/test' } } : {}) });
    await using server = new ApiServer({ dialect: 'k8s', fetch: fetch as never, services: 'network' });
    await server.load([foo, ...objects]);
    await server.start();
    await server.client().create(apiService, registration('remote', 'v1') as never);
    await server.settle();
    const { conditions } = (await server.client().get(apiService, 'v1.remote')).status;
    expect(conditions).toMatchObject([{ type: 'Available', status: condition, reason, message }]);
    // Groups of unavailable servers are listed, but the servers receive no request.
    const { groups } = await (await asMaster(server, '/apis')).json();
    expect(groups.at(-1)).toMatchObject({ name: 'remote', preferredVersion: { version: 'v1' } });
    const { status: answered } = await asMaster(server, '/apis/remote/v1/things');
    expect(answered).toBe(condition === 'True' ? 200 : 503);
  });

  it('is True if one of five requests succeeds, as where one of several endpoints does not respond', async () => {
    let requests = 0;
    const fetch = async () => new Response(null, { status: (requests += 1) % 5 === 0 ? 200 : 500 });
    await using server = new ApiServer({ dialect: 'k8s', fetch: fetch as never, services: 'network' });
    await server.load([foo, bar, ready]);
    await server.start();
    await server.client().create(apiService, registration('remote', 'v1') as never);
    await server.settle();
    const { conditions } = (await server.client().get(apiService, 'v1.remote')).status;
    expect(conditions).toMatchObject([{ status: 'True', reason: 'Passed' }]);
  });

  it('is True if its CA bundle cannot be read, which requests of clients report', async () => {
    const urls: string[] = [];
    const fetch = async (at: string) => {
      urls.push(at);
      return new Response(null, { status: 200 });
    };
    await using server = new ApiServer({ dialect: 'k8s', fetch: fetch as never, services: 'network' });
    await server.load([foo, bar, ready]);
    await server.start();
    await server.client().create(apiService, registration('remote', 'v1', { caBundle: btoa('nothing') }) as never);
    await server.settle();
    const { conditions } = (await server.client().get(apiService, 'v1.remote')).status;
    expect(conditions).toMatchObject([{ status: 'True', reason: 'Passed' }]);
    const answered = await asMaster(server, '/apis/remote/v1/things');
    expect([answered.status, await answered.text()]).toEqual([
      500,
      'unable to load root certificates: unable to parse bytes as PEM block\n',
    ]);
    expect(urls).toEqual([url]);
  });

  it('a service with an external name is dialled by that name', async () => {
    const asked: string[] = [];
    const fetch = async (at: string) => {
      asked.push(at);
      return new Response(null, { status: 200 });
    };
    const external = service('bar', [], {
      type: 'ExternalName',
      clusterIP: undefined,
      externalName: 'far.example.com',
    });
    await using server = new ApiServer({ dialect: 'k8s', fetch: fetch as never, services: 'network' });
    await server.load([foo, external]);
    await server.start();
    await server.client().create(apiService, registration('remote', 'v1') as never);
    await server.settle();
    expect(asked[0]).toBe(`https://far.example.com:${PORT}/apis/remote/v1`);
  });
});

describe('the order of groups and versions', () => {
  const listed = async (services: readonly ReturnType<typeof registration>[]) => {
    await using server = await startServer({ dialect: 'k8s' });
    for (const each of services) await server.client().create(apiService, each as never);
    const { groups } = await (await asMaster(server, '/apis')).json();
    return (groups as { name: string; versions: { version: string }[]; preferredVersion: { version: string } }[])
      .filter(({ name }) => services.some(({ spec }) => spec.group === name))
      .map(({ name, versions, preferredVersion }) => [
        name,
        versions.map(({ version }) => version),
        preferredVersion.version,
      ]);
  };

  it('is by the highest priority of a group, then by that of the version', async () => {
    expect(
      await listed([
        registration('foo', 'v1', { groupPriorityMinimum: 20 }),
        registration('bar', 'v2', { groupPriorityMinimum: 11 }),
        registration('foo', 'v2', { groupPriorityMinimum: 1, versionPriority: 15 }),
        registration('bar', 'v1', { groupPriorityMinimum: 11 }),
      ]),
    ).toEqual([
      ['foo', ['v2', 'v1'], 'v2'],
      ['bar', ['v2', 'v1'], 'v2'],
    ]);
  });

  it.each([
    [
      ['v1', 'v2'],
      ['v2', 'v1'],
    ],
    [
      ['v2', 'v10'],
      ['v10', 'v2'],
    ],
    [
      ['v2', 'v2beta1', 'v10beta2', 'v10beta1', 'v10alpha1', 'v1'],
      ['v2', 'v1', 'v10beta2', 'v10beta1', 'v2beta1', 'v10alpha1'],
    ],
    [
      ['v1', 'v2', 'test', 'foo10', 'final', 'foo2', 'foo1'],
      ['v2', 'v1', 'final', 'foo1', 'foo10', 'foo2', 'test'],
    ],
    [
      ['v12alpha1', 'v10', 'v11beta2', 'v10beta3', 'v3beta1', 'v2', 'v11alpha2', 'foo1', 'v1', 'foo10'],
      ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'],
    ],
  ])('is by name where priorities are equal: %j', async (given, expected) => {
    const found = await listed(given.map((version) => registration('foo', version)));
    expect(found).toEqual([['foo', expected, expected[0]]]);
  });
});
