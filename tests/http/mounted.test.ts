import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiServer } from '../../src/api-server.js';
import { type NodeHandlerOptions, toNodeHandler } from '../../src/http/index.js';
import { exchangeRaw } from './exchange.js';
import { answering, text } from './stub-server.js';

const api = new ApiServer();
const servers: Server[] = [];
beforeAll(() => api.start());
afterAll(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  await api.close();
});

type Before = (incoming: IncomingMessage & { body?: unknown }, outgoing: ServerResponse) => Promise<void>;

/** Mounts the API behind another handler. */
async function mount(before: Before, options: NodeHandlerOptions): Promise<string> {
  const handler = toNodeHandler(api, options);
  const server = createServer((incoming, outgoing) => {
    before(incoming, outgoing).then(
      () => handler(incoming, outgoing),
      () => outgoing.destroy(),
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const root = { username: 'root', groups: ['system:masters'] };
const asRoot: NodeHandlerOptions = { user: () => root };
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const create = async (url: string, body: string, contentType = 'application/json') => {
  const answer = await fetch(`${url}${CONFIG_MAPS}`, {
    method: 'POST',
    body,
    headers: { 'content-type': contentType },
  });
  return { status: answer.status, body: (await answer.json()) as { message?: string; data?: object } };
};
const map = (name: string) => JSON.stringify({ metadata: { name }, data: { name } });

/** Reads the body as a parser of a web framework does. */
const parser =
  (parse: (text: Buffer) => unknown): Before =>
  async (incoming) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    incoming.body = parse(Buffer.concat(chunks));
  };

describe('a body that the host application has read', () => {
  it.each([
    ['parsed', parser((bytes) => JSON.parse(String(bytes)))],
    ['text', parser(String)],
    ['raw', parser((bytes) => bytes)],
  ])('is taken from where it was left: %s', async (name, before) => {
    const url = await mount(before, asRoot);
    expect(await create(url, map(name))).toMatchObject({ status: 201, body: { data: { name } } });
  });

  it('returns an error that says why if nothing of it was left', async () => {
    const why =
      'Internal error occurred: the body of the request was read before it came to the API server: mount the server before what parses bodies';
    const none = await mount(
      parser(() => undefined),
      asRoot,
    );
    expect(await create(none, map('none'))).toMatchObject({ status: 500, body: { message: why } });
    const form = await mount(
      parser(() => ({ metadata: {} })),
      asRoot,
    );
    expect(await create(form, 'kind: ConfigMap', 'application/yaml')).toMatchObject({
      status: 500,
      body: { message: why },
    });
  });

  it('has the same size limit', async () => {
    const url = await mount(
      parser((bytes) => Buffer.concat([bytes, Buffer.alloc(4 << 20, 32)])),
      asRoot,
    );
    expect(await create(url, map('large'))).toMatchObject({ status: 413 });
  });
});

describe('the caller of a mounted handler', () => {
  it('is found in the asynchronous context of its own request', async () => {
    const context = new AsyncLocalStorage<string>();
    const byContext: NodeHandlerOptions = {
      user: () => ({ username: context.getStore() ?? 'nobody', groups: ['system:masters'] }),
    };
    const handler = toNodeHandler(api, byContext);
    const server = createServer((incoming, outgoing) =>
      context.run(String(incoming.headers['x-employee']), () => handler(incoming, outgoing)),
    );
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const names = ['ann', 'ben', 'cleo'];
    // The requests are sent in one chunk, so that they arrive in one turn of the event loop.
    const requests = names.map(
      (name) =>
        `POST /apis/authentication.orch.io/v1/selfsubjectreviews HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Employee: ${name}\r\n` +
        `Content-Length: 2\r\n${name === 'cleo' ? 'Connection: close\r\n' : ''}\r\n{}`,
    );
    const answers = await exchangeRaw(port, requests.join(''));
    expect([...answers.matchAll(/"username":"(\w+)"/g)].map(([, name]) => name)).toEqual(names);
  });

  it('is found there by a request that waited for the response to another', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: [string, string | undefined][] = [];
    const handler = toNodeHandler(
      answering(async ({ path }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        seen.push([path, context.getStore()]);
        return text('');
      }),
    );
    const server = createServer((incoming, outgoing) =>
      context.run(String(incoming.url), () => handler(incoming, outgoing)),
    );
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const paths = ['/ann', '/ben', '/cleo'];
    const requests = paths.map(
      (path) =>
        `POST ${path} HTTP/1.1\r\nHost: x\r\n${path === '/cleo' ? 'Connection: close\r\n' : ''}Content-Length: 2\r\n\r\n{}`,
    );
    await exchangeRaw(port, requests.join(''));
    expect(seen).toEqual(paths.map((path) => [path, path]));
  });

  it('is the one that the program returns', async () => {
    const byHeader: NodeHandlerOptions = {
      user: async ({ headers }) => (headers['x-employee'] === 'ann' ? root : undefined),
    };
    const url = await mount(async () => {}, byHeader);
    const status = async (headers: Record<string, string>) => (await fetch(`${url}/api`, { headers })).status;
    expect(await status({ 'x-employee': 'ann' })).toBe(200);
    expect(await status({})).toBe(403);
  });

  it("is unknown if the program's function throws", async () => {
    const errors: unknown[] = [];
    const failing: NodeHandlerOptions = {
      user: () => {
        throw new Error('no session');
      },
      onError: (error) => void errors.push(error),
    };
    const url = await mount(async () => {}, failing);
    expect((await fetch(`${url}/api`)).status).toBe(500);
    expect(errors).toEqual([new Error('no session')]);
  });
});
