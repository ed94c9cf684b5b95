import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { customResourceDefinitions } from '../../src/controllers/custom-resources/custom-resource-definitions.js';
import { listen } from '../../src/http/index.js';
import { ask, fetchFrom, type Question, requestsTo } from '../support/ask.js';
import { orchDefinitionOf } from '../support/definitions.js';
import { openServer, openSuiteServer } from '../support/servers.js';

// The formats that `orch` accepts and returns (spec 9.1 to 9.14, 5.1 to 5.4).
const MAPS = '/api/v1/namespaces/default/configmaps';
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const PROTOBUF = 'application/vnd.orch.protobuf';
const TABLE = 'application/json;as=Table;g=meta.orch.io;v=v1';
const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

const server = openSuiteServer({ dialect: 'orch', controllers: [customResourceDefinitions] });
const { get, post, put } = requestsTo(server);
beforeAll(async () => {
  await server.install(
    orchDefinitionOf('things', 'Thing', { schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } }),
  );
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' }, spec: { list: [1, 2] } };
  await post(THINGS, thing);
});
beforeEach(async () => {
  const body = { metadata: { name: 'm' }, data: { a: '1' } };
  const { status } = await put(`${MAPS}/m`, body);
  if (status === 404) await post(MAPS, body);
});

async function read(accept: string, path = `${MAPS}/m`, query = '') {
  const response = await fetchFrom(server, `${path}?${query}`, { headers: { accept } });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes,
    text: Buffer.from(bytes).toString(),
  };
}
const patchAs = (type: string, body: Question['body'], path = `${MAPS}/m`, query = '') =>
  ask(server, { method: 'PATCH', path, query, headers: { 'content-type': type }, ...(body && { body }) });

describe('a response', () => {
  it('is JSON, unless another media type is requested', async () => {
    for (const accept of ['', '*/*', 'application/json'])
      expect(await read(accept)).toMatchObject({ status: 200, type: 'application/json' });
    expect(JSON.parse((await read('*/*')).text)).toMatchObject({ kind: 'ConfigMap', data: { a: '1' } });
  });

  it('is YAML', async () => {
    const { type, text } = await read('application/yaml');
    expect(type).toBe('application/yaml');
    expect(text).toContain('kind: ConfigMap\n');
    expect(text).toContain('data:\n  a: "1"\n');
  });

  it('is protobuf: a prefix, then the type and the object', async () => {
    const { type, bytes } = await read(PROTOBUF);
    expect(type).toBe(PROTOBUF);
    expect([...bytes.subarray(0, 4)]).toEqual([0x6b, 0x38, 0x73, 0x00]);
    const strings = (field: number, text: string) => [(field << 3) | 2, text.length, ...Buffer.from(text)];
    const typeMeta = [...strings(1, 'v1'), ...strings(2, 'ConfigMap')];
    expect([...bytes.subarray(4, 6 + typeMeta.length)]).toEqual([(1 << 3) | 2, typeMeta.length, ...typeMeta]);
    expect(bytes[6 + typeMeta.length]).toBe((2 << 3) | 2);
    // The message has no encoding and no content type.
    expect([...bytes.subarray(-4)]).toEqual([(3 << 3) | 2, 0, (4 << 3) | 2, 0]);
  });

  it('has the first supported media type of a list', async () => {
    expect((await read(`${PROTOBUF},application/json`)).type).toBe(PROTOBUF);
    expect((await read('text/css,application/yaml,application/json')).type).toBe('application/yaml');
    const things = await read(`${PROTOBUF},application/json`, `${THINGS}/t`);
    expect([things.status, things.type]).toEqual([200, 'application/json']);
  });

  it('is 406 if no media type is supported', async () => {
    expect((await read('text/css')).status).toBe(406);
    expect((await read(PROTOBUF, `${THINGS}/t`)).status).toBe(406);
    expect((await read('application/vnd.kubernetes.protobuf')).status).toBe(406);
  });

  it('is compressed if it is large, gzip is accepted, and the gate is on', async () => {
    const body = { metadata: { name: 'large' }, data: { a: 'x'.repeat(200_000) } };
    const encodings: (string | null)[] = [];
    for (const featureGates of [{}, { APIResponseCompression: false }]) {
      await using one = await openServer({ dialect: 'orch', featureGates });
      const listener = await listen(one, { tls: false });
      await ask(one, { method: 'POST', path: MAPS, body });
      for (const path of [`${MAPS}/large`, MAPS]) {
        const answer = await fetch(listener.url + path, { headers: { 'accept-encoding': 'gzip' } });
        encodings.push(answer.headers.get('content-encoding'));
        expect(await answer.text()).toContain('xxx');
      }
      await listener.close();
    }
    expect(encodings).toEqual(['gzip', 'gzip', null, null]);
  });
});

describe('a table', () => {
  it('has columns with names and types, and rows', async () => {
    const { value } = await get(`${MAPS}?fieldSelector=metadata.name%3Dm`, { headers: { accept: TABLE } });
    expect(value).toMatchObject({ kind: 'Table', apiVersion: 'meta.orch.io/v1' });
    expect(value.columnDefinitions.map(({ name, type }: Column) => [name, type])).toEqual([
      ['Name', 'string'],
      ['Data', 'string'],
      ['Age', 'string'],
    ]);
    expect(value.rows[0].cells.slice(0, 2)).toEqual(['m', 1]);
  });

  it('has a name and a time if the kind defines no columns', async () => {
    const columns = async (path: string) =>
      (await get(path, { headers: { accept: TABLE } })).value.columnDefinitions.map(({ name, type }: Column) => [
        name,
        type,
      ]);
    const two = [
      ['Name', 'string'],
      ['Created At', 'date'],
    ];
    expect(await columns('/api/v1/namespaces/default/limitranges')).toEqual(two);
    // Custom resources have an age.
    expect(await columns(THINGS)).toEqual([
      ['Name', 'string'],
      ['Age', 'date'],
    ]);
  });

  it('does not exist for every kind: the next media type of the list is used', async () => {
    const review = { spec: { token: 'x' } };
    const create = (accept: string) =>
      post('/apis/authentication.orch.io/v1/tokenreviews', review, { headers: { accept } });
    expect((await create(TABLE)).status).toBe(406);
    expect((await create(`${TABLE},application/json`)).value.kind).toBe('TokenReview');
    expect((await read('application/json;as=Table;g=meta.k8s.io;v=v1')).status).toBe(406);
  });
});
interface Column {
  readonly name: string;
  readonly type: string;
}

describe('a body', () => {
  const postAs = (type: string, body: string | Uint8Array, path = MAPS) => post(path, body, { type });

  it('is JSON, YAML or protobuf, as its type says', async () => {
    expect((await postAs('application/yaml', 'metadata:\n  name: yaml\ndata:\n  a: b\n')).value.data).toEqual({
      a: 'b',
    });
    const { bytes } = await read(PROTOBUF);
    const path = '/api/v1/namespaces/kube-system/configmaps';
    const sent = await put(`${MAPS}/m`, bytes, { type: PROTOBUF });
    expect([sent.status, sent.value.data]).toEqual([200, { a: '1' }]);
    expect((await postAs('text/css', '{}')).status).toBe(415);
    expect((await postAs(PROTOBUF, '{}', path)).status).toBe(400);
  });

  it('of a custom resource cannot be protobuf', async () => {
    const field = (number: number, bytes: ArrayLike<number>) => [(number << 3) | 2, bytes.length, ...Array.from(bytes)];
    const typeMeta = [...field(1, Buffer.from('example.com/v1')), ...field(2, Buffer.from('Thing'))];
    const raw = Buffer.from('{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"p"}}');
    const sent = Uint8Array.from([0x6b, 0x38, 0x73, 0x00, ...field(1, typeMeta), ...field(2, raw)]);
    expect(await postAs(PROTOBUF, sent, THINGS)).toMatchObject({
      status: 400,
      message: expect.stringContaining('does not implement the protobuf marshalling interface'),
    });
  });
});

describe('a patch', () => {
  it('is a JSON patch, which has no effect if one of its tests fails', async () => {
    const replace = { op: 'replace', path: '/data/a', value: '2' };
    expect((await patchAs(JSON_PATCH, [{ op: 'test', path: '/data/a', value: '1' }, replace])).value.data).toEqual({
      a: '2',
    });
    expect((await patchAs(JSON_PATCH, [{ op: 'test', path: '/data/a', value: '1' }, replace])).status).toBe(422);
    await patchAs(JSON_PATCH, [{ ...replace, value: '1' }]);
  });

  it('is a merge patch', async () => {
    expect((await patchAs(MERGE, { data: { b: '2' } })).value.data).toEqual({ a: '1', b: '2' });
    expect((await patchAs(MERGE, { data: { b: null } })).value.data).toEqual({ a: '1' });
    expect((await patchAs(MERGE, { spec: { list: [3] } }, `${THINGS}/t`)).value.spec).toEqual({ list: [3] });
  });

  it('is a strategic merge patch, but not for a custom resource', async () => {
    const containers = (...names: string[]) => ({ containers: names.map((name) => ({ name, image: 'i' })) });
    const pods = '/api/v1/namespaces/default/podtemplates';
    const template = { spec: containers('a') };
    await post(pods, { metadata: { name: 'p' }, template });
    const found = await patchAs(STRATEGIC, { template: { spec: containers('b') } }, `${pods}/p`);
    expect(found.value.template.spec.containers.map(({ name }: { name: string }) => name)).toEqual(['b', 'a']);
    expect((await patchAs(STRATEGIC, { spec: {} }, `${THINGS}/t`)).status).toBe(415);
    expect((await patchAs('application/json', {})).status).toBe(415);
  });

  it('is an apply, in YAML or JSON, which names its manager', async () => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: {a: "1"}\n';
    const path = `${MAPS}/applied`;
    const query = 'fieldManager=m';
    expect((await patchAs(APPLY, body, path, query)).status).toBe(201);
    const json = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'applied' },
      data: { a: '2' },
    });
    const again = await patchAs(APPLY, json, path, query);
    expect([again.status, again.value.data]).toEqual([200, { a: '2' }]);
    const unnamed = await patchAs(APPLY, body, path);
    expect([unnamed.status, unnamed.message]).toEqual([422, expect.stringContaining('fieldManager: Required value')]);
  });

  it('is for one resourceVersion if it contains that', async () => {
    const { resourceVersion } = (await get(`${MAPS}/m`)).value.metadata;
    const of = (version: string) => patchAs(MERGE, { metadata: { resourceVersion: version }, data: { v: version } });
    expect((await of(resourceVersion)).status).toBe(200);
    expect((await of(resourceVersion)).status).toBe(409);
  });
});

it('refuses a patch of another type because of its response, as 406, if the request announces no body', async () => {
  const { send } = requestsTo(server, { type: 'application/json' });
  expect(await send('PATCH', `${MAPS}/a`, '{}')).toMatchObject({ status: 415, message: '415: Unsupported Media Type' });
  const message = '406: Not Acceptable\n\nAvailable representations: ';
  expect(await send('PATCH', `${MAPS}/a`)).toMatchObject({ status: 406, message });
  const chunked = { headers: { 'transfer-encoding': 'chunked' } };
  expect(await send('PATCH', `${MAPS}/a`, '{}', chunked)).toMatchObject({ status: 406, message });
});
