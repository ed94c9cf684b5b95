import https from 'node:https';
import { afterAll, beforeAll, describe } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { type Listener, listen } from '../../src/http/index.js';
import { type Dialect, dialectOf } from '../../src/meta/dialect.js';
import { headersOf } from '../../src/meta/request-headers.js';
import { startServer } from '../support/servers.js';

/** A response, independent of the transport. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was answered
  readonly json: any;
}
export interface Call {
  readonly body?: object | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}
/** One transport to a server of one dialect. */
export interface Reach {
  readonly dialect: Dialect;
  readonly server: ApiServer;
  request(method: string, path: string, call?: Call): Promise<Answer>;
}

export const ADMIN = 'admin-token';

/** Runs the same tests in process and over HTTPS, in both dialects. */
export function describeMatrix(
  name: string,
  tests: (reach: () => Reach) => void,
  options: ApiServerOptions = {},
): void {
  for (const dialect of ['k8s', 'orch'] as const) {
    for (const way of ['in process', 'over HTTPS'] as const) {
      describe(`${name} (${dialect}, ${way})`, () => {
        let reach: Reach;
        let listener: Listener | undefined;
        beforeAll(async () => {
          const server = await startServer({
            dialect,
            authentication: [tokenFile(`${ADMIN},admin,1,"system:masters"`)],
            featureGates: { WatchList: true },
            ...options,
          });
          if (way === 'over HTTPS') listener = await listen({ handle: (request) => server.handle(request) });
          const call = listener ? overHttps(listener) : inProcess(server);
          reach = {
            dialect: dialectOf(dialect),
            server,
            request: (method, path, given) =>
              call(method, path, { ...given, headers: { authorization: `Bearer ${ADMIN}`, ...given?.headers } }),
          };
        });
        afterAll(async () => {
          await listener?.close();
          await reach.server.close();
        });
        tests(() => reach);
      });
    }
  }
}

function bytesOf(body: Call['body']): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

function answerOf(status: number, headers: Answer['headers'], text: string): Answer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The body is not JSON.
  }
  return { status, headers, text, json };
}

function inProcess(server: ApiServer) {
  return async (method: string, target: string, { body, headers = {} }: Call): Promise<Answer> => {
    const [path = '', query = ''] = target.split('?', 2);
    const bytes = bytesOf(body);
    const response = await server.handle({
      method,
      path,
      query,
      headers: headersOf(headers),
      ...(bytes ? { body: { type: 'bytes', read: async (max) => (bytes.length > max ? 'tooLarge' : bytes) } } : {}),
    });
    const lower = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    if (response.body.type === 'none') return answerOf(response.status, lower, '');
    if (response.body.type === 'bytes')
      return answerOf(response.status, lower, Buffer.concat(response.body.chunks).toString());
    if (response.body.type === 'lost') throw new Error(response.body.why);
    if (response.body.type === 'channel') throw new Error('nobody here takes a connection over');
    const { stream } = response.body;
    const chunks: Uint8Array[] = [];
    for (;;) {
      const part = stream.take();
      chunks.push(...part);
      if (part.length === 0 && stream.ended) break;
      if (part.length === 0) await new Promise<void>((resolve) => (stream.onReadable = resolve));
    }
    return answerOf(response.status, lower, Buffer.concat(chunks).toString());
  };
}

function overHttps(listener: Listener) {
  const ca = listener.certificateAuthority;
  return (method: string, path: string, { body, headers = {} }: Call): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const bytes = bytesOf(body);
      const request = https.request(
        // The path is not passed as a URL, which would normalize it.
        {
          host: '127.0.0.1',
          port: listener.port,
          path,
          method,
          ...(ca ? { ca } : {}),
          headers: { ...headers, ...(bytes ? { 'content-length': bytes.length } : {}) },
          agent: false,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString())),
          );
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(bytes);
    });
}
