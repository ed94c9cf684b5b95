import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sameSecret } from '../../authentication/tokens/same-secret.js';
import { CoreApiServer } from '../../server/core-api-server.js';
import { controlOrder, injectFaults } from '../../testing/index.js';
import { messageOf } from '../../values/message-of.js';
import { faultRoutes } from './fault-routes.js';
import { type KitAnswer, type KitRoutes, problem } from './kit-routes.js';
import { orderRoutes } from './order-routes.js';
import { requestRoutes } from './request-routes.js';
import { stateRoutes } from './state-routes.js';
import { clockRoutes, pendingRoutes, settleRoutes } from './time-routes.js';

/** The name of the extension in the kubeconfig by which clients find the test kit. */
const EXTENSION = 'orch.io/test-kit';

/** An HTTP listener on the loopback address through which tests in other languages control the server. */
export interface TestKit {
  /** The name of the extension in the kubeconfig that holds the address and the secret. */
  readonly extension: string;
  /** The address of the listener, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The token that requests must send as `Authorization: Bearer <secret>`. */
  readonly secret: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MAX_BODY = 64 * 1024;
const MAX_HEAD = 8 * 1024;
const REQUEST_TIMEOUT = 10_000;
const MAX_CONNECTIONS = 100;
const SECRET_BYTES = 32;

/**
 * Opens the test kit of a server on the loopback address: its routes inject faults, control the order of events and controllers, take
 * snapshots, move the clock, and read the log of requests. A caller with the secret can make the server fail and read everything that is
 * sent to it. All requests of browsers and all requests for another host are therefore refused, even with the secret.
 */
export async function openTestKit(server: object): Promise<TestKit> {
  if (!(server instanceof CoreApiServer))
    throw new TypeError('the test kit requires a server that this package created');
  const faults = injectFaults(server);
  const order = controlOrder(server);
  const requests = requestRoutes(server);
  const routes: ReadonlyMap<string, KitRoutes> = new Map([
    ['faults', faultRoutes(faults)],
    ['orders', orderRoutes(order)],
    ['pending', pendingRoutes(server)],
    ['settle', settleRoutes(server)],
    ['clock', clockRoutes(server)],
    ['requests', requests],
    ...stateRoutes(server),
  ]);
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64url');

  const hosts = new Set<string>();
  const answer = async (incoming: IncomingMessage): Promise<KitAnswer> => {
    const { headers, method = '', url = '' } = incoming;
    if (!hosts.has(headers.host ?? '') || 'origin' in headers || 'sec-fetch-site' in headers)
      return problem(403, `the test kit accepts only requests from this machine to the host ${HOST}`);
    if (!sameSecret(headers.authorization ?? '', `Bearer ${secret}`))
      return problem(
        401,
        `the secret of the test kit is missing or wrong: the kubeconfig has it in the extension ${EXTENSION}`,
      );
    const text = await readText(incoming);
    if (text === undefined) return problem(413, `the body must have at most ${MAX_BODY} bytes`);
    let body: unknown;
    try {
      body = text === '' ? undefined : JSON.parse(text);
    } catch {
      return problem(400, 'the body is not JSON');
    }
    const [, name = '', ...rest] = url.split('/');
    try {
      const served = routes.get(name);
      const others = served ? '' : `: it has ${[...routes.keys()].map((each) => `/${each}`).join(', ')}`;
      return (await served?.(method, rest, body)) ?? problem(404, `the test kit has no ${method} ${url}${others}`);
    } catch (error) {
      if (error instanceof TypeError) return problem(400, messageOf(error));
      throw error;
    }
  };

  const listener = createServer({ maxHeaderSize: MAX_HEAD, requestTimeout: REQUEST_TIMEOUT }, (incoming, outgoing) => {
    answer(incoming)
      .catch((error: unknown) => problem(500, messageOf(error)))
      .then(({ status, body }) => send(outgoing, status, body))
      // A body that cannot be encoded, because it is nested too deeply or too long.
      .catch(() => outgoing.destroy());
  });
  listener.maxConnections = MAX_CONNECTIONS;
  listener.listen(0, HOST);
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo; // A listener on an IP address has an AddressInfo.
  for (const host of [HOST, 'localhost']) hosts.add(`${host}:${port}`);
  return {
    url: `http://${HOST}:${port}`,
    secret,
    extension: EXTENSION,
    async close() {
      faults.clear();
      requests.stop();
      order.end();
      const closed = once(listener, 'close');
      listener.close();
      listener.closeAllConnections();
      await closed;
    },
  };
}

function send(outgoing: ServerResponse, status: number, body: object): void {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  // The connection closes after a 413, because the rest of the body is not read.
  outgoing.writeHead(status, status === 413 ? { ...headers, Connection: 'close' } : headers);
  outgoing.end(`${JSON.stringify(body)}\n`);
}

/** Reads a body; undefined if it is too large. */
async function readText(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
