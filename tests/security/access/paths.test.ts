import { beforeAll, describe, expect, it } from 'vitest';
import type { AuthorizationAttributes } from '../../../src/authorization/authorizer.js';
import { configMap, secret } from '../../../src/resources/core/index.js';
import { ask, requestsTo } from '../../support/ask.js';
import { allowing, everybodyIs, suiteServer } from '../../support/servers.js';

/** A user who may do everything with ConfigMaps in namespace `own`, and may read any non-resource path. */
const mayDo = ({ resourceRequest, group, resource, namespace }: AuthorizationAttributes) =>
  !resourceRequest || (group === '' && resource === 'configmaps' && namespace === 'own');

const server = suiteServer({
  dialect: 'k8s',
  authentication: [everybodyIs({ username: 'bob' })],
  authorization: [
    allowing((attributes) => {
      asked.push(attributes);
      return mayDo(attributes);
    }),
  ],
  controllers: [],
});
const { get } = requestsTo(server);
let asked: AuthorizationAttributes[] = [];
beforeAll(async () => {
  await server.load(['own', 'other'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
  const client = server.client();
  for (const namespace of ['own', 'other']) {
    await client.create(configMap, { metadata: { name: 'c' }, data: { where: namespace } }, { namespace });
    await client.create(secret, { metadata: { name: 's' }, stringData: { k: 'hidden' } }, { namespace });
  }
});

describe('paths that resemble others', () => {
  it('reach allowed paths', async () => {
    const { status, value } = await get('/api/v1/namespaces/own/configmaps/c');
    expect({ status, data: value.data }).toEqual({ status: 200, data: { where: 'own' } });
  });

  it.each([
    '/api/v1/namespaces/other/configmaps/c',
    '/api/v1/namespaces/own/secrets/s',
    '/api/v1/namespaces/own/configmaps/../secrets/s',
    '/api/v1/namespaces/own/configmaps/..%2fsecrets/s',
    '/api/v1/namespaces/own/configmaps/%2e%2e/%2e%2e/other/configmaps/c',
    '/api/v1/namespaces/own/../other/configmaps/c',
    '/api/v1/namespaces/own%2F..%2Fother/configmaps/c',
    '/api/v1/namespaces/own/configmaps%2F..%2Fsecrets/s',
    '/api/v1/namespaces//configmaps/c',
    '/api/v1/namespaces/own//secrets/s',
    '/api/v1//namespaces/own/secrets/s',
    '//api/v1/namespaces/own/secrets/s',
    '/api//v1/namespaces/own/secrets/s',
    '/./api/v1/namespaces/own/secrets/s',
    '/api/v1/./namespaces/own/secrets/s',
    '/API/v1/namespaces/own/secrets/s',
    '/api/V1/namespaces/own/secrets/s',
    '/api/v1/Namespaces/own/secrets/s',
    '/api/v1/namespaces/own/Secrets/s',
    '/api/v1/namespaces/own/secrets/s%00',
    '/api/v1/namespaces/own%00/secrets/s',
    '/api/v1/namespaces/own/secrets%00/s',
    '/api/v1/namespaces/own/secrets/s/',
    '/api/v1/namespaces/own/secrets;a=b/s',
    '/api/v1/namespaces/own/secrets\\s',
    '/api/v1/proxy/namespaces/own/secrets/s',
    '/api/v1/watch/namespaces/own/secrets/s',
    '/api/v1/namespaces/own/configmaps/c/../../secrets/s',
    '/apis//v1/namespaces/own/secrets/s',
    '/apis/%20/v1/namespaces/own/secrets/s',
    '/healthz/../api/v1/namespaces/own/secrets/s',
    '/version/../api/v1/namespaces/own/secrets/s',
    '/openapi/v2/..%2f..%2fapi/v1/namespaces/own/secrets/s',
    '/%61pi/v1/namespaces/own/secrets/s',
    '/api/v1/namespaces/own/secrets/%73',
    '/api%2Fv1%2Fnamespaces%2Fown%2Fsecrets%2Fs',
    '/api/v1/namespaces/own/configmaps/c%2f..%2f..%2fsecrets%2fs',
    '/api/v1/namespaces/own/secrets/%252e%252e',
  ])('never reveal forbidden ones: %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', 'GET ']) {
      asked = [];
      const { status, value } = await ask(server, {
        method,
        path,
        ...(method === 'POST' || method === 'PUT' ? { body: {} } : {}),
      });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(value)).not.toContain('aGlkZGVu'); // the secret's content
      // No response is returned without a call of the authorizer.
      if (status !== 400 && status !== 500) expect(asked.length).toBeGreaterThan(0);
    }
  });

  it.each(['/api/v1/namespaces/own/configmaps/%', '/%zz', '/api/v1/%c3%2'])(
    'with broken escapes are refused: %s',
    async (path) => {
      expect((await get(path)).status).toBe(400);
    },
  );

  it('are authorized as they are executed', async () => {
    const inner = ['c', 'c/', 'c?x=1', '%63', 'c%2F'];
    for (const name of inner) {
      asked = [];
      const { status, value } = await get(`/api/v1/namespaces/own/configmaps/${name}`);
      if (status === 200) expect(value.metadata.name).toBe(asked[0]?.name);
    }
  });

  it('are not extended by the value of a field selector', async () => {
    for (const name of ['..', 'a/b', 'c%2f..', '']) {
      asked = [];
      await get(`/api/v1/namespaces/own/configmaps?fieldSelector=metadata.name%3D${encodeURIComponent(name)}`);
      expect(asked[0]?.name).toBe('');
    }
  });

  it('are quoted without markup in a refusal', async () => {
    const { status, message } = await get('/api/v1/namespaces/own/%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(status).toBe(403);
    expect(message.slice(message.indexOf('User'))).not.toContain('<script>');
  });
});
