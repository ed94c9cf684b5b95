import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { listen, toNodeHandler } from '../../src/http/index.js';
import { exchange1, exchange2, session2 } from './exchange.js';
import { answering, text } from './stub-server.js';

const handler = answering((request) => text(request.headers.get('x-last') ?? 'none'));
const many = (count: number) => ({
  ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-h${i}`, '1'])),
  'x-last': 'there',
});

it('a listener accepts thousands of headers, and refuses a list that Node may have truncated', async () => {
  const listener = await listen(handler);
  expect(await exchange1(listener.url, { headers: many(5000) })).toMatchObject({ status: 200, body: 'there' });
  expect((await exchange1(listener.url, { headers: many(10_000) })).status).toBe(431);
  const session = session2(listener.url);
  expect((await exchange2(session, { headers: many(1500) })).body).toBe('there');
  session.close();
  await listener.close();
});

it("a mounted handler depends on the header limit of the host's server", async () => {
  const server = http.createServer(toNodeHandler(handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await exchange1(url, { headers: many(900) })).toMatchObject({ status: 200, body: 'there' });
  // Node itself reports a missing Host that it dropped.
  expect((await exchange1(url, { headers: { host: 'x', ...many(1500) } })).status).toBe(431);
  server.close();
});
