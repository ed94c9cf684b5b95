import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/http/index.js';
import { type ApiError, isConflict, isInvalid, isNotFound } from '../../src/meta/api-error.js';
import { defineResource } from '../../src/registry/resource-definition.js';
import { configMap } from '../../src/resources/core/index.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { suiteServer } from '../support/servers.js';

const server = suiteServer();

const where = { namespace: 'default' };
const jane = { username: 'jane', groups: ['system:authenticated'] };
const request = (path: string, headers = {}) => new Request(`https://server${path}`, { headers });

describe('the user of a request in process', () => {
  it('is the one that the program gives', async () => {
    expect((await server.fetch(request('/api/v1/namespaces/default/configmaps'))).status).toBe(403);
    const refused = await server.fetch(request('/api/v1/namespaces/default/configmaps'), { user: jane });
    expect(await refused.json()).toMatchObject({ code: 403, message: expect.stringContaining('User "jane" cannot') });
    const admin = { username: 'root', groups: ['system:masters'] };
    await expect(server.fetch('/version' as never)).rejects.toThrow('takes a Request, such as');
    expect((await server.fetch(request('/version'), { user: admin })).status).toBe(200);
    const headers = { 'impersonate-user': 'jane' };
    const acting = await server.fetch(request('/api/v1/nodes', headers), { user: admin });
    expect(await acting.json()).toMatchObject({ message: expect.stringContaining('User "jane" cannot') });
  });

  it.each([[{}], ['jane'], [{ username: '' }], [{ username: 'jane', groups: 'admins' }]])(
    'cannot be %j',
    async (user) => {
      const given = user as { username: string };
      await expect(server.fetch(request('/version'), { user: given })).rejects.toThrow(TypeError);
      expect(() => server.client({ user: given })).toThrow(TypeError);
    },
  );
});

describe('a client', () => {
  const client = () => server.client();
  it('requires the namespace for namespaced kinds', async () => {
    const object = { metadata: { name: 'a' } };
    const text = "ConfigMap is namespaced: give the namespace, as in { namespace: 'default' }";
    await expect(client().create(configMap, object)).rejects.toThrow(new TypeError(text));
    await expect(client().deleteCollection(configMap)).rejects.toThrow(new TypeError(text));
    await expect(client().get(configMap, 'a', { namespace: '' })).rejects.toThrow(new TypeError(text));
    expect((await client().list(configMap)).kind).toBe('ConfigMapList');
  });

  it.each([undefined, ''])('requires the name: %j', async (name) => {
    const text = 'give the name of the ConfigMap';
    await expect(client().get(configMap, name as string, where)).rejects.toThrow(new TypeError(text));
    await expect(client().delete(configMap, name as string, where)).rejects.toThrow(new TypeError(text));
    await expect(client().apply(configMap, { metadata: {} }, where)).rejects.toThrow(new TypeError(text));
  });

  it('reports that a kind is not served', async () => {
    const other = defineResource({
      group: 'shop.example.com',
      version: 'v1',
      kind: 'Other',
      plural: 'others',
      scope: 'Namespaced',
      schema: openApiToSchema({ type: 'object' }),
    });
    const error = await client()
      .list(other)
      .catch((problem: unknown) => problem);
    expect(isNotFound(error) && error.message).toContain('name the kind in the option "resources", or install() it');
  });
});

describe('an ApiError', () => {
  const fail = async () =>
    await server
      .client()
      .create(configMap, { metadata: { name: 'A' }, data: {} }, where)
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  it('has a type that is narrowed by its reason', async () => {
    const error = await fail();
    if (!isInvalid(error)) throw new Error('not refused');
    const narrowed: ApiError = error;
    expect(narrowed.details?.causes).toHaveLength(1);
    expect(isConflict(error)).toBe(false);
  });

  it('prints its name, code, reason and the object, each once', async () => {
    const shown = inspect(await fail());
    expect(shown).toMatch(/^ApiError: ConfigMap "A" is invalid: metadata.name: Invalid value/);
    expect(shown).toMatch(/code: 422,\n\s+reason: 'Invalid',\n\s+details: \{/);
    expect(shown).not.toContain('isApiError');
    expect(shown).not.toContain('status:');
  });
});

describe('a handler in an existing HTTP server', () => {
  it('authenticates clients as usual, behind a listener', async () => {
    const listener = await listen(server, { tls: false });
    expect((await fetch(`${listener.url}/api/v1/nodes`)).status).toBe(403);
    await listener.close();
  });
});
