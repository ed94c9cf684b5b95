import type { Fetch, FetchOptions, OutboundTls } from '../meta/fetch.js';

/** What is used of `node:https`, which floors below Node's must not import. */
interface NativeHttps {
  readonly Agent: new (options: Readonly<Record<string, unknown>>) => object;
  request(
    url: string,
    options: Readonly<Record<string, unknown>>,
    onAnswer: (answer: NativeAnswer) => void,
  ): NativeRequest;
}
interface NativeRequest {
  on(event: 'error', listener: (error: Error) => void): void;
  end(body?: string): void;
}
interface NativeAnswer {
  readonly statusCode?: number;
  readonly statusMessage?: string;
  readonly rawHeaders: readonly string[];
  on(event: 'data', listener: (chunk: Uint8Array) => void): void;
  on(event: 'end' | 'close', listener: () => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** Connections at once to one server; more requests wait. */
const MAX_SOCKETS = 64;

const agents = new WeakMap<OutboundTls, object>();

/** Requests over HTTPS by Node's own module: `fetch` there takes no certificates. */
export const nodeFetch: Fetch = async (url, options) => {
  if (!url.startsWith('https:')) throw new TypeError(`certificates are for https only, not for ${url}`);
  const https = nodeHttps();
  const { method, headers, body, signal, tls = {} } = options;
  return await new Promise<Response>((resolve, reject) => {
    const agent = agentOf(https, tls);
    const request = https.request(url, { method, headers, signal, agent, ...tlsOptions(tls) }, (answer) => {
      const { statusCode = 0, statusMessage = '' } = answer;
      const bodyless = statusCode === 204 || statusCode === 205 || statusCode === 304;
      if (bodyless) answer.resume();
      try {
        resolve(
          new Response(bodyless ? null : streamOf(answer), {
            status: statusCode,
            statusText: statusMessage,
            headers: headersOf(answer.rawHeaders),
          }),
        );
      } catch (error) {
        answer.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    request.on('error', reject);
    request.end(body);
  });
};

function nodeHttps(): NativeHttps {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const https = process?.getBuiltinModule?.('node:https');
  if (!https) throw new TypeError('this runtime has no module node:https: give the option `fetch`');
  return https as NativeHttps; // by its documentation
}

/** Connections are kept for the next request, but never keep the process. */
function agentOf(https: NativeHttps, tls: OutboundTls): object {
  let agent = agents.get(tls);
  if (!agent) agents.set(tls, (agent = new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS })));
  return agent;
}

function tlsOptions(tls: NonNullable<FetchOptions['tls']>): Record<string, unknown> {
  const { certificateAuthority, clientCertificate, clientKey, serverName, insecureSkipVerify } = tls;
  return {
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
    ...(clientCertificate === undefined ? {} : { cert: clientCertificate, key: clientKey }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(insecureSkipVerify ? { rejectUnauthorized: false } : {}),
  };
}

/** The body as it comes, no faster than it is read. */
function streamOf(answer: NativeAnswer): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (finish: () => void) => () => {
        if (!open) return;
        open = false;
        finish();
      };
      answer.on('data', (chunk) => {
        if (!open) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) answer.pause();
      });
      answer.on(
        'end',
        end(() => controller.close()),
      );
      answer.on(
        'close',
        end(() => controller.error(new Error('unexpected EOF'))),
      );
      answer.on('error', (error) => end(() => controller.error(error))());
    },
    pull: () => answer.resume(),
    cancel() {
      open = false;
      answer.destroy();
    },
  });
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '');
  return headers;
}
