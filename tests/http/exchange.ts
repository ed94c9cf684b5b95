import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';

export interface Exchange {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array;
}
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request over a connection of its own, unless an agent is given. */
export function exchange1(url: string, wanted: Exchange = {}, options: https.RequestOptions = {}): Promise<Answer> {
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url + (wanted.path ?? '/'),
      {
        agent: false,
        method: wanted.method ?? 'GET',
        headers: wanted.headers ?? {},
        rejectUnauthorized: false,
        ...options,
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => (body += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(wanted.body);
  });
}

/** Sends a request over a session of HTTP/2. */
export function exchange2(session: http2.ClientHttp2Session, wanted: Exchange = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request(
      { ':path': wanted.path ?? '/', ':method': wanted.method ?? 'GET', ...wanted.headers },
      { endStream: wanted.body === undefined },
    );
    let headers: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader = {};
    let body = '';
    stream.setEncoding('utf8');
    stream.on('response', (received) => (headers = received));
    stream.on('data', (chunk) => (body += chunk));
    stream.on('end', () => resolve({ status: headers[':status'] ?? 0, headers, body }));
    stream.on('error', reject);
    if (wanted.body !== undefined) stream.end(wanted.body);
  });
}

/** Sends bytes unchanged, and returns everything received until the connection ends. */
export function exchangeRaw(port: number, ...parts: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk) => (received += chunk));
    socket.on('error', () => undefined).on('close', () => resolve(received));
    for (const part of parts) socket.write(part, 'latin1');
  });
}

/** Opens a session of HTTP/2, which the caller closes. */
export const session2 = (url: string, options: http2.SecureClientSessionOptions = {}) =>
  http2.connect(url, { rejectUnauthorized: false, ...options });

/** Waits until `test` returns true. Fails after 50 seconds, because some tests take long on a slow machine. */
export async function until(test: () => boolean): Promise<void> {
  for (const end = Date.now() + 50_000; !test(); ) {
    if (Date.now() > end) throw new Error(`not in time: ${test}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
