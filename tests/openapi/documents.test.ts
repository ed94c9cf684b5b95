import { describe, expect, test } from 'vitest';
import { OpenApiDocuments } from '../../src/openapi/documents.js';
import { lease } from '../../src/resources/coordination/lease.js';
import { configMap } from '../../src/resources/core/config-map.js';
import { namespace } from '../../src/resources/core/namespace.js';
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

  test.each(['GET', 'POST', 'HEAD', 'DELETE'])('answers %s, as text, whatever is accepted', async (method) => {
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

  test('with another hash leads to the right one', async () => {
    const answer = await ask(documents, `${CORE}?hash=ABC`);
    expect(answer).toMatchObject({
      status: 301,
      headers: { Location: `${CORE}?hash=${await hashOf(CORE)}`, Vary: 'Accept' },
    });
    expect(answer?.headers).not.toHaveProperty('Cache-Control');
    expect(answer?.body).toHaveLength(0);
  });

  test.each([
    ['its tag', (tag: string) => tag],
    ['its tag among others', (tag: string) => `"x", W/${tag}`],
    ['any tag', () => '*'],
  ])('is not sent again for %s', async (_, header) => {
    const answer = await ask(documents, CORE, { 'if-none-match': header(`"${await hashOf(CORE)}"`) });
    expect(answer).toMatchObject({ status: 304, headers: { Vary: 'Accept' } });
    expect(answer?.body).toHaveLength(0);
  });

  test('is not sent again when it is not newer', async () => {
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
  ])('%s is not there', async (url) =>
    expect(await ask(documents, url)).toEqual({ type: 'raw', status: 404, headers: {}, body: new Uint8Array(0) }),
  );

  test.each(['/openapi/v4', '/openapi/v2/', '/openapi/'])("%s is nobody's", async (url) =>
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
});

describe('version 2', () => {
  test('is one document of everything', async () => {
    const document = await documentOf(documents, '/openapi/v2');
    expect(document).toMatchObject({ swagger: '2.0', security: [{ BearerToken: [] }] });
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/v1/namespaces', '/apis/coordination.k8s.io/v1/leases', '/version/']),
    );
  });

  test('tells in a PATCH itself that unknown fields can be refused', async () => {
    const { paths } = await documentOf(documents, '/openapi/v2');
    const { parameters } = paths['/api/v1/namespaces/{name}'].patch;
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'fieldValidation', in: 'query' }));
  });

  test.each([PROTOBUF, PROTOBUF.replace('v2.v1', 'v2@v1'), `${PROTOBUF}, */*`])('is sent as %s', async (accept) => {
    const answer = await ask(documents, '/openapi/v2', { accept });
    expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': PROTOBUF } });
    expect(new TextDecoder().decode(answer?.body.subarray(0, 5))).toBe('\n\u00032.0');
  });

  test('is refused in other forms', async () =>
    expect(await ask(documents, '/openapi/v2', { accept: 'text/html' })).toMatchObject({ status: 406 }));
});

test('documents are made once', async () => {
  const fresh = new OpenApiDocuments(registry);
  const [one, two] = await Promise.all([ask(fresh, CORE), ask(fresh, CORE)]);
  expect(one?.body).toBe(two?.body);
  expect(parse(one)).toEqual(await documentOf(documents, CORE));
});

test('a server made of nothing has documents, too', async () => {
  const empty = new OpenApiDocuments(registryOf([]));
  expect(Object.keys((await documentOf(empty, '/openapi/v3')).paths)).toEqual([
    '.well-known/openid-configuration',
    'apis',
    'openid/v1/jwks',
    'version',
  ]);
  expect(await documentOf(empty, '/openapi/v2')).toMatchObject({ swagger: '2.0' });
});
