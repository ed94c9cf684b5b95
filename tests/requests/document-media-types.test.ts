import { describe, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

/* A GET of a document that upstream's router serves is also refused for its Content-Type, although it has no body. */
describe('the Content-Type of a GET', () => {
  const server = openSuiteServer();
  const NOT_ACCEPTABLE = '406: Not Acceptable\n\nAvailable representations: ';
  const get = async (path: string, type: string, more: object = {}) => {
    const { status, value } = await ask(server, { path, headers: { 'content-type': type }, ...more });
    return status === 200 ? 200 : `${status} ${value.message}`;
  };

  it.each([
    '/api',
    '/api/v1',
    '/apis/apps/v1',
    '/apis/apps/v1/',
    '/apis/apiextensions.k8s.io/v1',
    '/apis/apiregistration.k8s.io/v1',
  ])('of %s is a type of the API, or absent', async (path) => {
    for (const type of ['', 'application/json', 'application/yaml;a=b', 'x, application/vnd.kubernetes.protobuf'])
      expect(await get(path, type)).toBe(200);
    for (const type of ['text/plain', 'x', '*/*']) expect(await get(path, type)).toBe(`406 ${NOT_ACCEPTABLE}`);
    expect(await get(path, 'text/plain', { body: 'text' })).toBe('415 415: Unsupported Media Type');
  });

  it('of the version is JSON, or absent', async () => {
    for (const type of ['', 'application/json']) expect(await get('/version', type)).toBe(200);
    for (const type of ['application/yaml', 'x']) expect(await get('/version', type)).toBe(`406 ${NOT_ACCEPTABLE}`);
  });

  it.each(['/apis', '/apis/apps', '/openapi/v2', '/healthz', '/api/v1/nodes', '/'])(
    'of %s may be any type, because its handler reads none',
    async (path) => expect(await get(path, 'text/plain')).toBe(200),
  );

  it('of the core versions is checked before aggregated discovery', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const headers = { accept, 'content-type': 'x' };
    expect((await ask(server, { path: '/api', headers })).status).toBe(406);
    expect((await ask(server, { path: '/api', headers: { accept } })).value.kind).toBe('APIGroupDiscoveryList');
  });
});
