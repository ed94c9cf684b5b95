import { describe, expect, test } from 'vitest';
import { OpenApiDocuments } from '../../src/openapi/documents.js';
import { lease } from '../../src/resources/coordination/index.js';
import { configMap, namespace } from '../../src/resources/core/index.js';
import { ask, clock, documentOf, parse, registryOf } from './fixture.js';

const registry = registryOf([namespace, configMap, lease]);
const documents = new OpenApiDocuments(registry);
const CORE = '/openapi/v3/api/v1';
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const HASH = /^[0-9A-F]{128}$/;

async function hashOf(url: string): Promise<string> {
  const tag = (await ask(documents, url))?.headers['ETag'] ?? '';
  expect(tag).toMatch(/^"[0-9A-F]{128}"$/);
  return tag.slice(1, -1);
}

describe('the index', () => {
  test('names every document with its hash', async () => {
    const { paths } = await documentOf(documents, '/openapi/v3');
    expect(Object.keys(paths)).toEqual([
      '.well-known/openid-configuration',
      'api',
      'api/v1',
      'apis',
      'apis/coordination.k8s.io',
      'apis/coordination.k8s.io/v1',
      'openid/v1/jwks',
      'version',
    ]);
    for (const [name, { serverRelativeURL }] of Object.entries<{ serverRelativeURL: string }>(paths)) {
      const [url = '', hash] = serverRelativeURL.split('?hash=');
      expect(url).toBe(`/openapi/v3/${name}`);
      expect(hash).toMatch(HASH);
      expect(hash).toBe(await hashOf(url));
    }
  });

  test.each(['GET', 'POST', 'HEAD', 'DELETE'])('returns %s as text, whatever is accepted', async (method) => {
    const answer = await ask(documents, '/openapi/v3', { accept: 'application/yaml' }, method);
    expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  });
});

describe('a document', () => {
  test('is OpenAPI 3.0', async () => {
    const document = await documentOf(documents, CORE);
    expect(document).toMatchObject({ openapi: '3.0.0', info: { title: 'Kubernetes', version: 'v1.31.0' } });
    expect(Object.keys(document).sort()).toEqual(['components', 'info', 'openapi', 'paths']);
    expect(Object.keys(document.components).sort()).toEqual(['schemas', 'securitySchemes']);
  });

  test('with its hash may be kept for a year', async () => {
    const answer = await ask(documents, `${CORE}?hash=${await hashOf(CORE)}`);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'Cache-Control': 'public, immutable',
        'Content-Type': 'application/json',
        Expires: new Date(clock.now() + 365 * 86_400_000).toUTCString(),
        Vary: 'Accept',
      },
    });
  });

  test('with another hash redirects to the current one', async () => {
    const answer = await ask(documents, `${CORE}?hash=ABC`);
    expect(answer).toMatchObject({
      status: 301,
      headers: { Location: `${CORE}?hash=${await hashOf(CORE)}`, Vary: 'Accept' },
    });
    expect(answer?.headers).not.toHaveProperty('Cache-Control');
    expect(answer?.body).toHaveLength(0);
  });

  test.each([
    ['of the document', (tag: string) => tag],
    ['of the document among others', (tag: string) => `"x", W/${tag}`],
    ['*', () => '*'],
  ])('is not sent again for the ETag %s', async (_, header) => {
    const answer = await ask(documents, CORE, { 'if-none-match': header(`"${await hashOf(CORE)}"`) });
    expect(answer).toMatchObject({ status: 304, headers: { Vary: 'Accept' } });
    expect(answer?.body).toHaveLength(0);
  });

  test('is not sent again if it was not modified', async () => {
    const since = new Date(clock.now()).toUTCString();
    expect(await ask(documents, CORE, { 'if-modified-since': since })).toMatchObject({ status: 304 });
    expect(await ask(documents, CORE, { 'if-modified-since': 'no date' })).toMatchObject({ status: 200 });
    expect(await ask(documents, CORE, { 'if-modified-since': since, 'if-none-match': '"x"' })).toMatchObject({
      status: 200,
    });
  });

  test.each([
    '/openapi/v3/apis/never.example.com/v1',
    '/openapi/v3/',
    '/openapi/v3/api/v1/',
    '/openapi/v3/constructor',
  ])('%s does not exist', async (url) =>
    expect(await ask(documents, url)).toMatchObject({ status: 404, headers: {}, chunks: [] }),
  );

  test.each(['/openapi/v4', '/openapi/v2/', '/openapi/'])('%s is refused', async (url) =>
    expect(await ask(documents, url)).toBeUndefined(),
  );

  test.each([
    ['text/html', 406],
    ['application/yaml', 406],
    ['', 200],
    ['*/*', 200],
    ['text/html, application/*;q=0.1', 200],
  ])('accepting %s: %i', async (accept, status) =>
    expect((await ask(documents, CORE, { accept }))?.status).toBe(status),
  );

  test.each(['v3.v1.0', 'v3@v1.0'])('is sent as the message %s, with the tag of the JSON', async (name) => {
    const accept = `application/com.github.proto-openapi.spec.${name}+protobuf`;
    const answer = await ask(documents, CORE, { accept });
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
        ETag: `"${await hashOf(CORE)}"`,
        Vary: 'Accept',
      },
    });
    expect(new TextDecoder().decode(answer?.body.subarray(0, 7))).toBe('\n\u00053.0.0');
    expect((await ask(documents, CORE, { accept }))?.chunks).toBe(answer?.chunks);
  });
});

describe('a range request', () => {
  const part = async (range: string, more: Record<string, string> = {}) => {
    const answer = await ask(documents, CORE, { range, ...more });
    return { status: answer?.status, range: answer?.headers['Content-Range'], body: answer?.body };
  };
  const whole = async () => (await ask(documents, CORE))?.body ?? new Uint8Array(0);

  test('is supported by all documents', async () => {
    expect((await ask(documents, CORE))?.headers).toMatchObject({ 'Accept-Ranges': 'bytes' });
    expect((await ask(documents, '/openapi/v2', {}, 'HEAD'))?.headers).toMatchObject({ 'Accept-Ranges': 'bytes' });
  });

  test.each<[string, (size: number) => readonly [number, number]]>([
    ['bytes=0-0', () => [0, 0]],
    ['bytes=5-9', () => [5, 9]],
    ['bytes= 5 - 9 ', () => [5, 9]],
    ['bytes=7-', (size) => [7, size - 1]],
    ['bytes=-3', (size) => [size - 3, size - 1]],
    ['bytes=-999999999', (size) => [0, size - 1]],
    ['bytes=2-999999999', (size) => [2, size - 1]],
    ['bytes=999999999-,1-2', () => [1, 2]],
  ])('%s', async (range, places) => {
    const body = await whole();
    const [first, last] = places(body.length);
    expect(await part(range)).toEqual({
      status: 206,
      range: `bytes ${first}-${last}/${body.length}`,
      body: body.subarray(first, last + 1),
    });
  });

  test.each(['bytes=', 'bytes=0-0,5-5'])('with %s gets the whole document', async (range) => {
    const { status, body } = await part(range);
    expect(status).toBe(200);
    expect(body).toEqual(await whole());
  });

  test.each(['lines=1-2', 'bytes=1', 'bytes=2-1', 'bytes=-', 'bytes=--1', 'bytes=a-', 'bytes=1-b', 'bytes=0-1,x'])(
    'with %s is refused',
    async (range) => {
      const answer = await part(range);
      expect(answer).toMatchObject({ status: 416, range: undefined });
      expect(new TextDecoder().decode(answer.body)).toBe('invalid range\n');
    },
  );

  test('beyond the end is refused', async () => {
    const answer = await part('bytes=999999999-');
    expect(answer).toMatchObject({ status: 416, range: `bytes */${(await whole()).length}` });
    expect(new TextDecoder().decode(answer.body)).toBe('invalid range: failed to overlap\n');
  });

  test('is answered only for the document whose part the client has', async () => {
    const tag = `"${await hashOf(CORE)}"`;
    const now = new Date(clock.now()).toUTCString();
    for (const [condition, status] of [
      [tag, 206],
      [now, 206],
      ['"x"', 200],
      [`W/${tag}`, 200],
      [new Date(0).toUTCString(), 200],
    ] as const)
      expect(await part('bytes=0-1', { 'if-range': condition })).toMatchObject({ status });
  });
});

test('a conditional request for another document fails', async () => {
  const tag = `"${await hashOf(CORE)}"`;
  for (const [headers, status] of [
    [{ 'if-match': tag }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': `"x", ${tag}` }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-match': `W/${tag}` }, 412],
    [{ 'if-unmodified-since': new Date(0).toUTCString() }, 412],
    [{ 'if-unmodified-since': new Date(clock.now()).toUTCString() }, 200],
    [{ 'if-unmodified-since': 'no date' }, 200],
    [{ 'if-match': tag, 'if-unmodified-since': new Date(0).toUTCString() }, 200],
  ] as const)
    expect(await ask(documents, CORE, headers)).toMatchObject({ status });
  expect(await ask(documents, CORE, { 'if-none-match': tag }, 'POST')).toMatchObject({ status: 412 });
});

describe('version 2', () => {
  test('is one document of everything', async () => {
    const document = await documentOf(documents, '/openapi/v2');
    expect(document).toMatchObject({ swagger: '2.0', security: [{ BearerToken: [] }] });
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/v1/namespaces', '/apis/coordination.k8s.io/v1/leases', '/version/']),
    );
  });

  test('says in the PATCH operation that unknown fields can be refused', async () => {
    const { paths } = await documentOf(documents, '/openapi/v2');
    const { parameters } = paths['/api/v1/namespaces/{name}'].patch;
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'fieldValidation', in: 'query' }));
  });

  test.each([PROTOBUF, PROTOBUF.replace('v2.v1', 'v2@v1'), `${PROTOBUF}, */*`])('is sent as %s', async (accept) => {
    const answer = await ask(documents, '/openapi/v2', { accept });
    expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': PROTOBUF } });
    expect(new TextDecoder().decode(answer?.body.subarray(0, 5))).toBe('\n\u00032.0');
  });

  test('refuses other media types', async () =>
    expect(await ask(documents, '/openapi/v2', { accept: 'text/html' })).toMatchObject({ status: 406 }));
});

test('each document is generated once', async () => {
  const fresh = new OpenApiDocuments(registry);
  const [one, two] = await Promise.all([ask(fresh, CORE), ask(fresh, CORE)]);
  expect(one?.chunks).toBe(two?.chunks);
  expect(parse(one)).toEqual(await documentOf(documents, CORE));
});

test('a server without resources has documents as well', async () => {
  const empty = new OpenApiDocuments(registryOf([]));
  expect(Object.keys((await documentOf(empty, '/openapi/v3')).paths)).toEqual([
    '.well-known/openid-configuration',
    'apis',
    'openid/v1/jwks',
    'version',
  ]);
  expect(await documentOf(empty, '/openapi/v2')).toMatchObject({ swagger: '2.0' });
});
