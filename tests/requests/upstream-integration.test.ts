import { beforeAll, describe, expect, it } from 'vitest';
import { customResourceDefinitions } from '../../src/controllers/custom-resources/custom-resource-definitions.js';
import { send as open, requestsTo } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

// Requests of upstream's integration tests of the generic server (k8s dialect) that no record of the suite covers.
const NAMESPACE = '/api/v1/namespaces/default';
const MAPS = `${NAMESPACE}/configmaps`;
const FOOS = '/apis/cr.bar.com/v1/namespaces/default/foos';
const JSON_TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const STREAM_TYPES = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

const server = openSuiteServer({
  controllers: [customResourceDefinitions],
  admission: [],
});
beforeAll(async () => {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'foos.cr.bar.com' },
    spec: {
      group: 'cr.bar.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {}, scale } },
      ],
    },
  });
  await server.settle();
  await post(FOOS, {
    apiVersion: 'cr.bar.com/v1',
    kind: 'Foo',
    metadata: { name: 'foo' },
    spec: { field: 1, replicas: 2 },
  });
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 2, selector: { a: 'b' }, template };
  await post(`${NAMESPACE}/replicationcontrollers`, { metadata: { name: 'rc' }, spec });
});

const send = (method: string, target: string, body?: object | string, headers: Record<string, string> = {}) =>
  requestsTo(server).send(method, target, body, { headers });
async function post(url: string, body: object) {
  const answer = await send('POST', url, body);
  expect(answer.status, answer.message).toBe(201);
  return answer.value;
}
const get = (url: string, accept: string) => send('GET', url, undefined, { accept });

describe('custom resources in protobuf', () => {
  it.each([FOOS, `${FOOS}/foo`, `${FOOS}/foo/status`])(
    '%s: not supported, so that the next accepted media type is used',
    async (path) => {
      const refused = await get(path, 'application/vnd.kubernetes.protobuf');
      expect([refused.status, refused.text]).toEqual([406, expect.stringContaining(JSON_TYPES)]);
      const { status, headers } = await get(path, 'application/vnd.kubernetes.protobuf,application/json');
      expect([status, headers['Content-Type']]).toEqual([200, 'application/json']);
    },
  );

  it('as their metadata, alone and in a list, read and watched', async () => {
    const as = (kind: string) => `application/vnd.kubernetes.protobuf;as=${kind};g=meta.k8s.io;v=v1`;
    for (const [path, kind, type] of [
      [FOOS, 'PartialObjectMetadataList', ''],
      [`${FOOS}/foo`, 'PartialObjectMetadata', ''],
      [`${FOOS}?watch=true`, 'PartialObjectMetadata', ';stream=watch'],
    ] as const) {
      const { status, headers } = await get(path, as(kind));
      expect([status, headers['Content-Type']]).toEqual([200, `application/vnd.kubernetes.protobuf${type}`]);
    }
  });
});

it.each([
  [`${FOOS}/foo/status`, ['Name', 'Age']],
  [`${FOOS}/foo/scale`, ['Name', 'Desired', 'Available', 'Age']],
  [`${NAMESPACE}/replicationcontrollers/rc/status`, expect.arrayContaining(['Desired', 'Current', 'Ready'])],
  [`${NAMESPACE}/replicationcontrollers/rc/scale`, ['Name', 'Desired', 'Available', 'Age']],
])('%s is returned as a table', async (path, columns) => {
  const { value } = await get(path, 'application/json;as=Table;g=meta.k8s.io;v=v1');
  expect([value.kind, value.columnDefinitions.map(({ name }: { name: string }) => name)]).toEqual(['Table', columns]);
});

describe('a watch in another representation', () => {
  describe.each(['v1', 'v1beta1'])('%s', (v) => {
    it.each([
      [`application/yaml;as=Table;g=meta.k8s.io;v=${v}`, FOOS, STREAM_TYPES],
      [`application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=${v}`, MAPS, JSON_TYPES],
      [`application/json;as=PartialObjectMetadata;g=k8s.io;v=${v}`, MAPS, JSON_TYPES],
      [`application/json;as=PartialObject;g=meta.k8s.io;v=${v}`, MAPS, JSON_TYPES],
      [`application/json;as=Service;g=;v=${v}`, MAPS, JSON_TYPES],
      [`application/json;g=meta.k8s.io;v=${v}`, MAPS, JSON_TYPES],
      ['application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1alpha1', MAPS, JSON_TYPES],
    ])('%s is not supported', async (accept, path, types) => {
      const { status, message } = await get(`${path}?watch=true`, accept);
      expect([status, message]).toEqual([
        406,
        expect.stringContaining(`only the following media types are accepted: ${types}`),
      ]);
    });

    it('has the columns of a table in its first event only, and as much of the object as requested', async () => {
      for (const [includeObject, object] of [
        ['', { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${v}` }],
        ['None', undefined],
        ['Object', { kind: 'Foo', spec: { field: 1, replicas: 2 } }],
      ] as const) {
        const events = await watched(
          FOOS,
          `application/json;as=Table;g=meta.k8s.io;v=${v}`,
          `includeObject=${includeObject}`,
        );
        const [first, second] = events.map((event) => event.object);
        expect(first.columnDefinitions).toHaveLength(2);
        expect(second.columnDefinitions).toBeNull();
        if (object) expect(second.rows[0].object).toMatchObject(object);
        else expect(second.rows[0].object ?? undefined).toBeUndefined();
      }
    });

    it('is refused for its options before its media type', async () => {
      const yaml = `application/yaml;as=Table;g=meta.k8s.io;v=${v}`;
      const refusal = async (query: string) => (await get(`${MAPS}?watch=true&${query}`, yaml)).status;
      expect(await refusal('')).toBe(406);
      for (const query of ['includeObject=x', 'labelSelector=!!', 'fieldSelector=a%3Db'])
        expect(await refusal(query)).toBe(400);
      expect(await refusal('resourceVersion=-1')).toBe(500);
    });

    it('refuses an unknown includeObject', async () => {
      const { status, message } = await get(
        `${MAPS}?watch=true&includeObject=unrecognized`,
        `application/json;as=Table;g=meta.k8s.io;v=${v}`,
      );
      expect(status).toBe(400);
      expect(message).toContain(`Invalid value: "unrecognized": must be 'Metadata', 'Object', 'None', or empty`);
    });
  });

  /** Returns the first two events: the existing object, and a change. */
  async function watched(path: string, accept: string, query: string) {
    const opened = await open(server, { path, query: `watch=true&${query}`, headers: { accept } });
    if (opened.body.type !== 'stream') throw new Error(`no stream: ${opened.status}`);
    const { stream } = opened.body;
    let text = '';
    const read = () => {
      for (const chunk of stream.take()) text += Buffer.from(chunk).toString();
      return text.split('\n').length - 1;
    };
    await expect.poll(read).toBe(1);
    const labels = { change: String(Math.random()) };
    await send('PATCH', `${path}/foo`, { metadata: { labels } }, { 'content-type': 'application/merge-patch+json' });
    await expect.poll(read).toBe(2);
    stream.close();
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
});

describe('the status of a path', () => {
  it.each([
    [405, ['PATCH /api/v1/nodes', 'PUT /api/v1/nodes', `PATCH ${MAPS}`, `PUT ${MAPS}`, `POST ${MAPS}/a`]],
    [
      405,
      ['POST /api/v1/watch/namespaces/default/configmaps/a', `POST ${MAPS}/a?watch=true`, 'DELETE /api/v1/configmaps'],
    ],
    [
      404,
      [
        'GET /api/v1/blah',
        'GET /api/v1/nodes/a/b',
        `DELETE ${MAPS}/a/b`,
        'GET /api/v1/watch/blah',
        'GET /api/v1/proxy/x/y',
      ],
    ],
    [500, ['GET /api/v1/watch/', 'GET /api/v1/watch']],
  ])('is %d', async (code, calls) => {
    for (const call of calls) {
      const [method = '', url = ''] = call.split(' ');
      expect([call, (await send(method, url)).status]).toEqual([call, code]);
    }
  });
});

it('returns 202 to a deletion that waits if the client sets a propagation policy, and 200 otherwise', async () => {
  const orphanDependents = false;
  for (const [finalizers, body, code] of [
    [[], undefined, 200],
    [['example.com/a'], undefined, 200],
    [[], { orphanDependents }, 200],
    [['example.com/a'], { orphanDependents }, 202],
  ] as const) {
    const { metadata } = await post(MAPS, { metadata: { generateName: 'd-', finalizers } });
    expect([finalizers, body, (await send('DELETE', `${MAPS}/${metadata.name}`, body)).status]).toEqual([
      finalizers,
      body,
      code,
    ]);
  }
});

describe('a conflict of names', () => {
  it('is reported as one of a generated name wherever there is a prefix', async () => {
    await post(MAPS, { metadata: { name: 'taken', finalizers: ['example.com/a'] } });
    const taken = 'configmaps "taken" already exists';
    const unique = ', the server was not able to generate a unique name for the object';
    const again = async (more: object) => {
      const { status, value, message } = await send('POST', MAPS, { metadata: { name: 'taken', ...more } });
      return [status, value.reason, message, value.details.retryAfterSeconds];
    };
    expect(await again({})).toEqual([409, 'AlreadyExists', taken, undefined]);
    expect(await again({ generateName: 'ta' })).toEqual([409, 'AlreadyExists', `${taken}${unique}`, 1]);
    await send('DELETE', `${MAPS}/taken`);
    expect((await again({}))[2]).toBe(`object is being deleted: ${taken}`);
    expect((await again({ generateName: 'ta' }))[2]).toBe(`object is being deleted: ${taken}${unique}`);
    const versioned = { metadata: { name: 'taken', resourceVersion: '5' } };
    expect((await send('POST', MAPS, versioned)).message).toBe(
      'resourceVersion should not be set on objects to be created',
    );
  });
});

describe('lists by field', () => {
  it.each([
    ['/api/v1/secrets', 'metadata.name=foo', 3],
    ['/api/v1/secrets', 'metadata.name=foo,metadata.name=bar', 0],
    ['/api/v1/secrets', 'metadata.name=foo,metadata.namespace=ns1', 1],
    ['/api/v1/namespaces/ns1/secrets', 'metadata.name=foo,metadata.namespace=ns1', 1],
    ['/api/v1/namespaces/ns1/secrets', 'metadata.name=foo,metadata.namespace=ns2', 0],
    ['/api/v1/namespaces/ns1/secrets', 'metadata.name=foo,metadata.namespace=', 0],
  ])('%s %s', async (path, fieldSelector, found) => {
    for (const namespace of ['ns0', 'ns1', 'ns2'])
      for (const name of ['foo', 'bar'])
        await send('POST', `/api/v1/namespaces/${namespace}/secrets`, { metadata: { name } });
    const { value } = await send('GET', `${path}?fieldSelector=${encodeURIComponent(fieldSelector)}`);
    expect(value.items).toHaveLength(found);
  });
});

describe('a list with every option', () => {
  const DEPLOYMENTS = '/apis/apps/v1/namespaces/paged/deployments';
  const matches = ['', 'NotOlderThan', 'Exact', 'InvalidMatch'];
  let token = '';
  let old = '';
  beforeAll(async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    for (let i = 0; i < 10; i++) {
      const spec = { selector: { matchLabels: { a: 'b' } }, template };
      old ||= (await post(DEPLOYMENTS, { metadata: { name: `test-${i}` }, spec })).metadata.resourceVersion;
      if (i > 0) await send('POST', DEPLOYMENTS, { metadata: { name: `test-${i}` }, spec });
    }
    token = (await send('GET', `${DEPLOYMENTS}?limit=6`)).value.metadata.continue;
  });

  const asked = [0, 6].flatMap((limit) =>
    ['none', 'valid', 'invalid'].flatMap((next) =>
      ['', '0', 'old', 'invalid'].flatMap((version) => matches.map((match) => ({ limit, next, version, match }))),
    ),
  );
  it.each(asked)(
    'limit $limit, $next token, version "$version", match "$match"',
    async ({ limit, next, version, match }) => {
      const query = new URLSearchParams({
        ...(limit ? { limit: String(limit) } : {}),
        ...(next === 'none' ? {} : { continue: next === 'valid' ? token : 'invalidContinueToken' }),
        ...(version ? { resourceVersion: version === 'old' ? old : version } : {}),
        ...(match ? { resourceVersionMatch: match } : {}),
      });
      const { value, message } = await send('GET', `${DEPLOYMENTS}?${query}`);
      const refusal =
        (version === '' && match !== '' && 'resourceVersionMatch is forbidden unless resourceVersion is provided') ||
        (next !== 'none' && match !== '' && 'resourceVersionMatch is forbidden when continue is provided') ||
        (match === 'InvalidMatch' && 'supported values') ||
        (match === 'Exact' && version === '0' && 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"') ||
        (version === 'invalid' && 'Invalid value') ||
        (next === 'invalid' && 'continue key is not valid') ||
        (next === 'valid' && version === 'old' && 'specifying resource version is not allowed when using continue');
      if (refusal) {
        expect(message).toContain(refusal);
        return;
      }
      const exactly = match === 'Exact' || (limit > 0 && match === '' && version === 'old');
      const whole = version === 'old' && exactly ? 1 : 10;
      // A response from memory, which need not be the newest, is complete.
      const paged = limit > 0 && version !== '0';
      expect(value.items).toHaveLength(next === 'valid' ? 4 : paged ? Math.min(limit, whole) : whole);
    },
  );
});
