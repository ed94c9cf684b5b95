import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import type { AdmissionPluginFactory } from '../../src/exports/admission.js';
import { warningHeaders } from '../../src/requests/answers/respond.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { ask, requestsTo, send } from '../support/ask.js';
import { passingTime } from '../support/passing-time.js';
import { allowing, everybodyIs, openServer, openSuiteServer } from '../support/servers.js';

describe('warnings of a response', () => {
  it.each([
    [[], []],
    [[''], []],
    [['mytext'], ['299 - "mytext"']],
    [
      ['mytext1', 'mytext2', 'mytext3'],
      ['299 - "mytext1"', '299 - "mytext2"', '299 - "mytext3"'],
    ],
    [['my\ntext', 'other'], ['299 - "other"']],
    [['say "a\\b"'], ['299 - "say \\"a\\\\b\\""']],
  ])('%j become %j', (texts, headers) => expect(warningHeaders(new Set(texts))).toEqual(headers));
});

describe('headers of every response', () => {
  let allowed = true;
  const user = { username: 'NAME' };
  const server = openSuiteServer({ authentication: [everybodyIs(user)], authorization: [allowing(() => allowed)] });
  const { get } = requestsTo(server);

  beforeEach(() => {
    allowed = true;
  });

  it.each(['/api/v1/namespaces', '/openapi/v2', '/nowhere', '/livez', '/version'])(
    'of %s forbid caching',
    async (path) => expect((await get(path)).headers['Cache-Control']).toBe('no-cache, private'),
  );

  it.each([
    ['its own id', 'foo-bar-baz'],
    ['a long one', '0'.repeat(73)],
  ])('the audit id of the client: %s', async (_, id) => {
    expect((await get('/version', { headers: { 'audit-id': id } })).headers['Audit-Id']).toBe(id);
  });
  it('a generated audit id if the client sends none', async () => {
    expect((await get('/version')).headers['Audit-Id']).toMatch(/^[0-9a-f-]{36}$/);
    const { headers } = await get('/version', { headers: { 'audit-id': '' } });
    expect(headers['Audit-Id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['/whatever', 'forbidden: User "NAME" cannot get path "/whatever"', {}],
    ['/%3Cscript%3E', 'forbidden: User "NAME" cannot get path "/&lt;script&gt;"', {}],
    [
      '/api/v1/pod',
      'pod is forbidden: User "NAME" cannot list resource "pod" in API group "" at the cluster scope',
      { kind: 'pod' },
    ],
    [
      '/api/v1/pod/mypod',
      'pod "mypod" is forbidden: User "NAME" cannot get resource "pod" in API group "" at the cluster scope',
      { name: 'mypod', kind: 'pod' },
    ],
    [
      '/apis/v2/v1/namespaces/test/pod/a/quota',
      'pod.v2 "a" is forbidden: User "NAME" cannot get resource "pod/quota" in API group "v2" in the namespace "test"',
      { name: 'a', group: 'v2', kind: 'pod' },
    ],
  ])('forbidden: %s', async (path, message, details) => {
    allowed = false;
    const { status, value, headers } = await get(path);
    expect(status).toBe(403);
    expect(value).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Forbidden',
      details,
      code: 403,
    });
    expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' });
  });
});

it.each([
  ['gzip', true],
  ['deflate, , gzip,', true],
  ['deflate', false],
  [', ,  other, nothing, what, ', false],
  ['', false],
])('a response for Accept-Encoding %j is compressed: %s', async (accepted, packed) => {
  const server = await openServer();
  const maps = '/api/v1/namespaces/default/configmaps';
  const data = { a: 'x'.repeat(128 * 1024) };
  for (const [name, content] of [['large', data] as const, ['small', {}] as const])
    await ask(server, { method: 'POST', path: maps, body: { metadata: { name }, data: content } });
  const headers = { 'accept-encoding': accepted };
  for (const name of ['large', 'small']) {
    const answer = await send(server, { path: `${maps}/${name}`, headers });
    expect([answer.gzip ?? false, answer.headers['Vary']]).toEqual(
      packed && name === 'large' ? [true, 'Accept-Encoding'] : [false, undefined],
    );
  }
  await server.close();
});

it.each(['//api/v1/nodes', '///api/v1/namespaces/default/pods/p', '//apis/apps/v1/deployments', '/apis//v1/x'])(
  'a resource behind an empty segment, %s, is an unknown path for every method',
  async (path) => {
    await using server = await openServer();
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await ask(server, { method, path })).toMatchObject({ status: 404, text: '404 page not found\n' });
  },
);

it('a request for an unknown path fails with plain text, which no browser renders as HTML', async () => {
  const server = await openServer();
  const { status, text, headers } = await ask(server, { path: '/api/v1/watch', query: '<script>' });
  expect(text).toMatch(
    /^Internal Server Error: "\/api\/v1\/watch\?&lt;script&gt;": failed to create RequestInfo: .*\n$/,
  );
  expect(status).toBe(500);
  expect(headers).toMatchObject({ 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
  await server.close();
});

describe('aggregated discovery', () => {
  const accept = (version: string, type = 'application/json') =>
    `${type};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  it.each([
    [accept('v2'), accept('v2')],
    [accept('v2beta1'), accept('v2beta1')],
    [`${accept('v2')},,${accept('v2beta1')},`, accept('v2')],
    [accept('v2', 'application/vnd.kubernetes.protobuf'), accept('v2', 'application/vnd.kubernetes.protobuf')],
    ['application/json;foo=bar', 'application/json'],
  ])('for %s is %s', async (accepted, type) => {
    const server = await openServer();
    const { status, headers } = await ask(server, { path: '/apis', headers: { accept: accepted } });
    expect([status, headers['Content-Type']]).toEqual([200, type]);
    await server.close();
  });
  it('is sent again only if it changed: its ETag is computed from its content', async () => {
    const [server, other] = [await openServer(), await openServer({ runtimeConfig: { 'apps/v1': 'false' } })];
    const groupsOf = (from: ApiServer, tag = '') =>
      ask(from, { path: '/apis', headers: { accept: accept('v2'), 'if-none-match': tag } });
    const first = await groupsOf(server);
    const tag = String(first.headers['ETag']);
    expect(tag).toMatch(/^"[0-9A-F]{128}"$/);
    expect((await groupsOf(server)).headers['ETag']).toBe(tag);
    const same = await groupsOf(server, tag);
    expect([same.status, same.text, same.headers['ETag']]).toEqual([304, '', tag]);
    for (const wrong of ['"wrongetag"', tag.replaceAll('"', ''), `W/${tag}`]) {
      const { status, headers, text } = await groupsOf(server, wrong);
      expect([status, headers['ETag'], text]).toEqual([200, tag, first.text]);
    }
    const outdated = await groupsOf(other, tag);
    expect(outdated.status).toBe(200);
    expect(outdated.headers['ETag']).not.toBe(tag);
    await Promise.all([server.close(), other.close()]);
  });
});

it('a request that throws fails alone: the next request gets its slot', async () => {
  const broken: AdmissionPluginFactory = () => ({
    name: 'broken',
    handles: ({ name }) => name === 'broken',
    validate: () => {
      throw new TypeError('as designed');
    },
  });
  const seen: string[] = [];
  const clock = createFakeClock('2026-11-21T12:00:00Z');
  const server = await openServer({
    clock,
    limits: { maxRequestsInFlight: 1, maxMutatingRequestsInFlight: 1, priorityAndFairness: true },
    admission: (defaults) => [...defaults, broken],
    log: (message) => void seen.push(String(message)),
  });
  const path = '/api/v1/namespaces/default/configmaps';
  // With so few seats, the levels are divided again before the first request gets one.
  const create = (name: string) =>
    passingTime(clock, ask(server, { method: 'POST', path, body: { metadata: { name } } }));
  for (let i = 0; i < 5; i++) expect((await create('broken')).status).toBe(500);
  expect((await create('whole')).status).toBe(201);
  await server.close();
});
