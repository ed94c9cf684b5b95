import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { auditedForTests, startAudited } from '../../examples/guides/audit.js';
import { askAs, startWithTokens } from '../../examples/guides/authentication.js';
import { listNamespaces } from '../../examples/guides/client-node.js';
import { startWithPods } from '../../examples/guides/controller.js';
import { forgetful, startFixed, updateThroughConflicts } from '../../examples/guides/determinism.js';
import { startApp as startExpress } from '../../examples/guides/express.js';
import { startApp as startFastify } from '../../examples/guides/fastify.js';
import { connectByPlugin, startWithLogins } from '../../examples/guides/login.js';
import { shortNames, startWithHook } from '../../examples/guides/services.js';
import { refuseTheSecond } from '../../examples/guides/too-many-requests.js';
import { configMap, isExpired } from '../../src/index.js';
import { namespace, pod, secret } from '../../src/resources/core/index.js';
import '../../examples/guides/vitest.test.js';

const where = { namespace: 'default' };

describe('the guide to services', () => {
  it('calls a webhook in this process through the deployed configuration', async () => {
    await using server = await startWithHook();
    const create = (name: string) => server.client().create(configMap, { metadata: { name, ...where } });
    expect((await create('short')).metadata.name).toBe('short');
    await expect(create('a-long-name')).rejects.toThrow(
      'admission webhook "short-names.example.com" denied the request: a-long-name is too long',
    );
    expect(await shortNames({ request: { name: 'a' } })).toMatchObject({ allowed: true });
  });

  it('fails the call at once without a target', async () => {
    await using server = await startWithHook();
    server.services.delete('hooks/short-names');
    const made = server.client().create(configMap, { metadata: { name: 'a', ...where } });
    await expect(made).rejects.toThrow('service "short-names" not found');
  });
});

describe('the guide to audit', () => {
  it('records who changed an object, but no contents of secrets', async () => {
    const seen: string[] = [];
    const server = startAudited((events) => {
      for (const { verb, level, objectRef, requestObject } of events)
        seen.push(
          `${verb} ${objectRef?.resource} ${level} ${requestObject === undefined ? 'alone' : 'with what was sent'}`,
        );
    });
    await server.start();
    const client = server.client({ user: { username: 'jane', groups: ['system:masters'] } });
    await client.create(configMap, { metadata: { name: 'a' } }, where);
    await client.list(configMap, where);
    await client.create(secret, { metadata: { name: 's' }, stringData: { k: 'v' } }, where);
    await server.close();
    expect(seen).toEqual(['create configmaps Request with what was sent', 'create secrets Metadata alone']);
  });

  it('has every event when a test reads them', async () => {
    const { server, events } = auditedForTests();
    await server.start();
    await server.client().create(configMap, { metadata: { name: 'a' } }, where);
    expect(events.at(-1)).toMatchObject({ stage: 'ResponseComplete', responseObject: { metadata: { name: 'a' } } });
    await server.close();
  });
});

describe('the guide to logins', () => {
  it('authenticates by a kubeconfig whose plug-in fetches a token from an issuer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'login-'));
    const { issuer, server, listener } = await startWithLogins();
    try {
      const client = await connectByPlugin(issuer, listener, folder, 'correct horse');
      const watch = await client.watch(configMap, where).opened();
      expect((await client.list(namespace)).items.length).toBe(4);
      await server.client().create(configMap, { metadata: { name: 'seen' } }, where);
      for await (const { type, object } of watch)
        if (object.metadata.name === 'seen') {
          expect(type).toBe('ADDED');
          break;
        }
      const forbidden = client.create(configMap, { metadata: { name: 'mine' } }, where);
      await expect(forbidden).rejects.toThrow('User "oidc:jane" cannot create resource "configmaps"');
      // The library passes the standard error of the plug-in to the terminal, so this test starts the plug-in directly.
      const plugin = fileURLToPath(new URL('../../examples/guides/login-plugin.mjs', import.meta.url));
      const env = {
        ...process.env,
        ISSUER: issuer.url,
        LOGIN: 'jane',
        PASSWORD: 'guess',
        NODE_EXTRA_CA_CERTS: join(folder, 'issuer.crt'),
      };
      await expect(promisify(execFile)(process.execPath, [plugin], { env })).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'jane could not log in: invalid_grant\n',
      });
    } finally {
      await listener.close();
      await server.close();
      await issuer.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the guide to too many requests', () => {
  it('refuses the second request until the first has its response', async () => {
    expect(await refuseTheSecond()).toEqual({ second: 429, retryAfter: '1', third: 200 });
  });
});

describe('the guide to client-node', () => {
  it('lists namespaces over HTTPS', async () => {
    expect(await listNamespaces()).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  });
});

describe.each([
  ['express', () => mountExpress()],
  ['fastify', () => mountFastify()],
])('the guide to %s', (_, mount) => {
  it('mounts the API under a prefix, with the users of the application', async () => {
    const { url, close } = await mount();
    try {
      const body = JSON.stringify({ metadata: { name: 'a' }, data: { k: 'v' } });
      const ask = (path: string, session = '', init: RequestInit = {}) =>
        fetch(`${url}${path}`, { ...init, headers: { 'x-session': session, 'content-type': 'application/json' } });
      expect(await (await ask('/health')).text()).toBe('ok');
      const maps = '/cluster/api/v1/namespaces/default/configmaps';
      expect((await ask(maps, '42', { method: 'POST', body })).status).toBe(201);
      expect(await (await ask(`${maps}/a`, '42')).json()).toMatchObject({ data: { k: 'v' } });
      expect([401, 403]).toContain((await ask(maps)).status);
    } finally {
      await close();
    }
  });
});

const sessions = new Map([['42', { username: 'root', groups: ['system:masters'] }]]);
async function mountExpress() {
  const { app, server } = await startExpress(sessions);
  const http = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  const close = async () => {
    await new Promise((resolve) => http.close(resolve));
    await server.close();
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, close };
}
async function mountFastify() {
  const { app, server } = await startFastify(sessions);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const close = async () => {
    await app.close();
    await server.close();
  };
  return { url, close };
}

describe('the guide to own controllers', () => {
  it('runs pods', async () => {
    await using server = await startWithPods();
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await server.client().create(pod, { metadata: { name: 'p' }, spec }, where);
    await server.settle();
    expect((await server.client().get(pod, 'p', where)).status.phase).toBe('Running');
  });
});

describe('the guide to determinism', () => {
  it('produces the same bytes for the same calls', async () => {
    const run = async () => {
      const { server, clock } = startFixed(7);
      await server.start();
      clock.advance(60_000);
      await server.client().create(configMap, { metadata: { generateName: 'a-' }, data: { k: 'v' } }, where);
      await server.settle();
      const text = await server.save();
      await server.close();
      return text;
    };
    const [one, other] = [await run(), await run()];
    expect(one).toBe(other);
    expect(one).toContain('2030-01-01T00:01:00Z');
  });

  it('updates through conflicts, and expires a watch from an old version', async () => {
    expect(await updateThroughConflicts()).toBe('2');
    await using server = forgetful();
    await server.start();
    const watch = server.client().watch(configMap, { ...where, resourceVersion: '1' });
    await expect(watch.opened().then(() => watch[Symbol.asyncIterator]().next())).rejects.toSatisfy(isExpired);
  });
});

describe('the guide to authentication', () => {
  it('authenticates users by token, and in process by name', async () => {
    const { server } = await startWithTokens();
    const authorization = 'Bearer s3cret';
    const maps = 'https://server/api/v1/namespaces/default/configmaps';
    expect((await server.fetch(new Request(maps, { headers: { authorization } }))).status).toBe(200);
    expect(await askAs(server, 'joe', '/api/v1/namespaces/default/configmaps')).toBe(403);
    expect(await askAs(server, 'joe', '/version')).toBe(200);
    await server.close();
  });
});
