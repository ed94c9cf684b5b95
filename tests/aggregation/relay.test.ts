import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { asMaster, conditionOf, farServer, frontServer, GROUP, MASTER, PATH } from './far-server.js';

const THINGS = `${PATH}/namespaces/default/things`;

it('passes a request on with the identity of the caller, and returns the response', async () => {
  const { handler, seen } = farServer(() =>
    Response.json({ kind: 'Thing' }, { status: 201, headers: { 'x-own': '1' } }),
  );
  await using server = await frontServer(handler);
  const user = { ...MASTER, extra: { 'some/key': ['a', 'b'] } };
  const init = {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json', 'user-agent': 'me/1' },
  };
  const answer = await asMaster(server, `${THINGS}?dryRun=All&a=%20b`, init, user);
  expect(answer.status).toBe(201);
  expect(answer.headers.get('x-own')).toBe('1');
  expect(await answer.json()).toEqual({ kind: 'Thing' });
  const [request] = seen;
  expect(new URL(request?.url ?? '').pathname + new URL(request?.url ?? '').search).toBe(`${THINGS}?a=+b&dryRun=All`);
  expect(await request?.text()).toBe('{"a":1}');
  expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'me/1',
    'x-remote-user': 'admin',
    'x-remote-group': 'system:masters, system:authenticated',
    'x-remote-extra-some%2fkey': 'a, b',
    'x-forwarded-uri': THINGS,
    'x-forwarded-proto': 'https',
    'audit-id': answer.headers.get('audit-id'),
  });
});

it('sends no identity but that of the caller: it drops forged identities, credentials and connection headers', async () => {
  const { handler, seen } = farServer(() => Response.json({}));
  await using server = await frontServer(handler);
  await asMaster(server, `${THINGS}/a`, {
    headers: {
      authorization: 'Bearer secret',
      'x-remote-user': 'forged',
      x_remote_user: 'forged',
      'X_Remote-Extra_scopes': 'forged',
      impersonate_user: 'forged',
      x_own: 'kept',
      'x-remote-group': 'system:masters',
      'x-remote-extra-a': 'b',
      'x-remote-uid': 'u',
      connection: 'x-hop',
      'x-hop': '1',
      te: 'trailers',
      'x-mine': '2',
    },
  });
  const names = [...(seen[0]?.headers.keys() ?? [])];
  for (const name of ['authorization', 'x-remote-extra-a', 'x-remote-uid', 'x-hop', 'te'])
    expect(names).not.toContain(name);
  expect(names.filter((name) => name.includes('_'))).toEqual(['x_own']);
  expect(seen[0]?.headers.get('x-remote-user')).toBe('admin');
  expect(seen[0]?.headers.get('x-mine')).toBe('2');
});

it('drops headers by which other proxies identify users', async () => {
  const { handler, seen } = farServer(() => Response.json({}));
  const requestHeader = {
    clientCA: '',
    allowedNames: [],
    usernameHeaders: ['One', 'X-Remote-User'],
    groupHeaders: ['two'],
    extraHeaderPrefixes: ['Three-'],
  };
  await using server = await frontServer(handler, { authenticationTrust: { requestHeader } });
  const forged = { one: 'echo', two: 'golf', 'three-four': 'india', 'x-remote-group-3': 'one-a', 'one-more': 'kept' };
  await asMaster(server, `${THINGS}/a`, { headers: forged });
  const names = [...(seen[0]?.headers.keys() ?? [])];
  for (const name of ['one', 'two', 'three-four', 'x-remote-group-3']) expect(names).not.toContain(name);
  expect(seen[0]?.headers.get('one-more')).toBe('kept');
});

it('authorizes the request itself, and does not pass on a forbidden one', async () => {
  const { handler, seen } = farServer(() => Response.json({}));
  await using server = await frontServer(handler);
  const answer = await asMaster(server, `${THINGS}/a`, {}, { username: 'carol', groups: ['system:authenticated'] });
  expect(answer.status).toBe(403);
  expect((await answer.json()).message).toBe(
    `things.${GROUP} "a" is forbidden: User "carol" cannot get resource "things" in API group "${GROUP}" in the namespace "default"`,
  );
  expect(seen).toEqual([]);
});

it('drops connection headers and CORS headers from responses, and does not follow redirects', async () => {
  const { handler } = farServer((_, { searchParams }) => {
    if (searchParams.has('move'))
      return new Response(null, { status: 302, headers: { location: 'https://evil.example/' } });
    const headers = {
      connection: 'x-hop',
      'x-hop': '1',
      'access-control-allow-origin': '*',
      'cache-control': 'max-age=9',
    };
    return new Response('text', { headers });
  });
  await using server = await frontServer(handler);
  const answer = await asMaster(server, THINGS);
  expect(answer.headers.get('x-hop')).toBeNull();
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('cache-control')).toBe('no-cache, private, max-age=9');
  const moved = await asMaster(server, `${THINGS}?move=1`);
  expect(moved.status).toBe(502);
  expect(await moved.text()).toBe('the backend attempted to redirect this request, which is not permitted');
});

it('decompresses a response that it requested compressed', async () => {
  const packed = () => new Response(gzipSync('{"kind":"Thing"}'), { headers: { 'content-encoding': 'gzip' } });
  const { handler, seen } = farServer(packed);
  await using server = await frontServer(handler);
  const answer = await asMaster(server, THINGS);
  expect(seen[0]?.headers.get('accept-encoding')).toBe('gzip');
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(await answer.json()).toEqual({ kind: 'Thing' });
});

it('reads a long response no faster than its reader, and stops when the reader leaves', async () => {
  let made = 0;
  let cancelled = false;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1024).fill(made++ & 0xff)),
      cancel: () => {
        cancelled = true;
      },
    });
  const { handler } = farServer((_, { searchParams }) =>
    searchParams.has('watch') ? new Response(endless()) : undefined,
  );
  await using server = await frontServer(handler);
  const reader = (await asMaster(server, `${THINGS}?watch=1`)).body?.getReader();
  for (let i = 0; i < 5; i++) await reader?.read();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(made).toBeLessThan(12);
  await reader?.cancel();
  await expect.poll(() => cancelled).toBe(true);
});

it('does not present a truncated response as complete', async () => {
  const broken = () => {
    let sent = false;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) controller.error(new Error('cut'));
        else controller.enqueue(new TextEncoder().encode('{"a":'));
        sent = true;
      },
    });
  };
  const { handler } = farServer(() => new Response(broken()));
  await using server = await frontServer(handler);
  await expect((await asMaster(server, THINGS)).text()).rejects.toThrow('cut');
});

it('returns an error that says why the backend cannot be reached', async () => {
  const { handler } = farServer(() => {
    throw new Error('no such luck');
  });
  await using server = await frontServer(handler);
  const answer = await asMaster(server, THINGS);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toBe('error trying to reach service: no such luck\n');
});

it('returns 503 without a request once the backend is known to be unavailable', async () => {
  let away = false;
  const { handler } = farServer();
  const flaky = {
    fetch: (...all: Parameters<typeof handler.fetch>) =>
      away ? new Response('', { status: 500 }) : handler.fetch(...all),
  };
  await using server = await frontServer(flaky, { metrics: true });
  expect((await conditionOf(server))?.reason).toBe('Passed');
  away = true;
  const client = server.client();
  const { apiService } = await import('../../src/resources/apiregistration/index.js');
  await client.update(apiService, `v1.${GROUP}`, (draft) => void (draft.spec.versionPriority = 11));
  await server.settle();
  expect(await conditionOf(server)).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' });
  const answer = await asMaster(server, THINGS);
  expect([answer.status, await answer.text()]).toEqual([503, 'service unavailable\n']);
  // The kinds of the other server are unknown, so the path could address any of them.
  const labels = 'code="503",component="aggregator",group="",resource="",scope="namespace",subresource="",verb="LIST"';
  const counted = await (await asMaster(server, '/metrics')).text();
  expect(counted).toContain(`\napiserver_request_terminations_total{${labels},version=""} 1\n`);
  const { items } = await (
    await asMaster(server, '/apis', {
      headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
    })
  ).json();
  const mine = items.find((each: { metadata: { name: string } }) => each.metadata.name === GROUP);
  expect(mine.versions[0].freshness).toBe('Stale');
});

it('a server that is its own backend does not call itself endlessly', async () => {
  const self: { server?: Awaited<ReturnType<typeof frontServer>> } = {};
  const { handler } = farServer(async (request) => await self.server?.fetch(request, { user: MASTER }));
  await using server = await frontServer(handler);
  self.server = server;
  const answer = await asMaster(server, THINGS);
  expect(answer.status).toBe(503);
});

it('refuses paths with dot segments', async () => {
  const { handler, seen } = farServer(() => Response.json({}));
  await using server = await frontServer(handler);
  const { status } = await server.handle(
    {
      method: 'GET',
      path: `${PATH}/%2e%2e/x`,
      query: '',
      headers: { get: () => undefined, all: () => [], names: () => [] },
    },
    { user: MASTER },
  );
  expect([status, seen.length]).toEqual([400, 0]);
});

it('applies the time limit of the request to the whole response, by the clock of the server', async () => {
  const clock = createFakeClock();
  let left = false;
  const body = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      cancel: () => void (left = true),
    });
  const { handler } = farServer((_, { pathname }) => (pathname === THINGS ? new Response(body()) : undefined));
  await using server = await frontServer(handler, { clock });
  const answer = await asMaster(server, THINGS);
  expect(answer.status).toBe(200);
  clock.advance(59_999);
  expect(left).toBe(false);
  clock.advance(1);
  await expect(answer.text()).rejects.toThrow('request did not complete within the allotted timeout');
  expect(left).toBe(true);
});
