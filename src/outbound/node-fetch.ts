import type { FetchOptions, OutboundBody, OutboundTls, Upgrade } from '../meta/fetch.js';
import { perObject } from '../values/remembering.js';
import { checkServerIdentity, weaknessesOf, weaknessOf } from './certificate-checks.js';
import { onlyGlobalUnicast } from './checked-lookup.js';
import {
  type NativeAgent,
  type NativeAnswer,
  type NativeHttp,
  type NativeRequest,
  nativeChannel,
  nativeHttp,
} from './native-http.js';
import { sendStream } from './node-body.js';
import { proxyAgent, throughProxy } from './node-proxy.js';
import { requireVerified, verifying } from './verified-connections.js';

/** Connections at once to one server; more requests wait. Answers that go on for long are not among them. */
const MAX_SOCKETS = 64;

/** Answers of 1xx that may come before the answer; so many does Go's client take. */
const MAX_INFORMATIONAL = 5;

/** What a lost connection may have brought already, and can be sent again. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const encoder = new TextEncoder();

/** What is given without certificates: one object, so that its connections are kept, too. */
const PLAIN: OutboundTls = {};

/** By the certificates; then by the scheme, the proxy and whether the answers are long. */
const agentsOf = perObject((_: OutboundTls) => new Map<string, NativeAgent>());

/** Requests by Node's own modules: `fetch` there takes neither certificates nor proxies. */
export const nodeFetch = (url: string, options: FetchOptions): Promise<Response> => sendByNode(url, options);

/** The same, with a body that is sent as it comes. */
export const nodeUpload = (url: string, options: FetchOptions, body: OutboundBody): Promise<Response> =>
  sendByNode(url, options, body);

async function sendByNode(url: string, options: FetchOptions, stream?: OutboundBody): Promise<Response> {
  const { protocol } = new URL(url);
  const secure = protocol === 'https:';
  if (!secure && protocol !== 'http:') throw new TypeError(`requests are sent by http and https, not by ${protocol}`);
  const { method, body, signal, tls = PLAIN, proxy } = options;
  const http = nativeHttp(secure ? 'https' : 'http');
  const agent = agentOf(http, secure, tls, options);
  // Node says the length by itself for some methods only.
  const bytes = body === undefined ? options.bytes : encoder.encode(body);
  const length = stream ? stream.length : bytes?.length;
  const coding = stream ? { 'transfer-encoding': 'chunked' } : {};
  const framing = length === undefined ? coding : { 'content-length': String(length) };
  const headers = { ...options.headers, ...options.repeatedHeaders, ...framing };
  const { target, said } = throughProxy(url, { path: targetOf(url), headers }, secure ? undefined : proxy);
  if (options.onlyGlobalUnicast && proxy !== undefined)
    throw new TypeError('addresses behind a proxy cannot be checked');
  const checks = options.onlyGlobalUnicast ? onlyGlobalUnicast(url) : {};
  let stale = 0;
  const once = () =>
    new Promise<Response>((resolve, reject) => {
      let isSent = () => true;
      const request = http.request(
        target,
        { method, signal, agent, ...said, ...tlsOptions(tls), ...checks },
        (answer) => {
          try {
            checkInformation();
            if (secure) requireVerified(answer.socket, tls);
            // What the other side did not wait for is not sent.
            answer.on('end', () => isSent() || request.destroy());
            lookAt(answer, options);
            resolve(responseOf(answer));
          } catch (error) {
            answer.destroy();
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        },
      );
      const checkInformation = boundInformation(request);
      // Without a listener Node closes the connection without an error.
      request.on('upgrade', ({ rawHeaders }, socket) => {
        socket.destroy();
        const protocol = JSON.stringify(headersOf(rawHeaders).get('upgrade') ?? '');
        reject(new Error(`backend tried to switch protocol ${protocol} when "" was requested`));
      });
      request.on('error', (error) => {
        const isReset = request.reusedSocket === true && 'code' in error && error.code === 'ECONNRESET';
        const isStale = isReset && !bytes && !stream && REPEATABLE.has(method);
        if (!isStale) noteFailure(error, options);
        reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
      });
      if (stream) isSent = sendStream(request, stream);
      else request.end(bytes);
    });
  for (;;) {
    try {
      return await once();
    } catch (error) {
      // The other side closed a connection that was kept, most often before the request arrived.
      if (!(error instanceof StaleConnection)) throw error;
      if (++stale > MAX_SOCKETS) throw error.cause;
    }
  }
}

/** Requests that ask for another protocol, each with a connection of its own. */
export const nodeUpgrade: Upgrade = (url, options) =>
  new Promise((resolve, reject) => {
    const { method, headers, repeatedHeaders, signal, tls = PLAIN } = options;
    const checks = options.onlyGlobalUnicast ? onlyGlobalUnicast(url) : {};
    const secure = url.startsWith('https:');
    const http = nativeHttp(secure ? 'https' : 'http');
    const head = { method, path: targetOf(url), headers: { ...headers, ...repeatedHeaders } };
    const agent = secure && verifying(new http.Agent({}), tls);
    const settings = { ...head, signal, agent, checkServerIdentity, ...tlsOptions(tls), ...checks };
    const request = http.request(url, settings, (answer) => {
      try {
        checkInformation();
        if (secure) requireVerified(answer.socket, tls);
        lookAt(answer, options);
        resolve(responseOf(answer));
      } catch (error) {
        answer.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    const checkInformation = boundInformation(request);
    request.on('upgrade', (answer, socket, head) => {
      try {
        if (secure) requireVerified(socket, tls);
        lookAt(answer, options);
        resolve({ headers: headersOf(answer.rawHeaders), channel: nativeChannel(socket, head) });
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
    request.on('error', (error) => {
      noteFailure(error, options);
      reject(error);
    });
    request.end();
  });

/** What is asked for: parameters as they are given, whatever they hold. */
function targetOf(url: string): string {
  const at = url.indexOf('?');
  return new URL(at < 0 ? url : url.slice(0, at)).pathname + (at < 0 ? '' : url.slice(at));
}

const BROKEN = 'net/http: HTTP/1.x transport connection broken:';

/** An answer that is announced without end is none. @returns throws where it was */
function boundInformation(request: NativeRequest): () => void {
  let failure: Error | undefined;
  let count = 0;
  request.on('information', () => {
    if (++count <= MAX_INFORMATIONAL) return;
    failure ??= new Error(`${BROKEN} net/http: too many 1xx informational responses`);
    request.destroy(failure);
  });
  return () => {
    if (failure) throw failure;
  };
}

/**
 * The answer as `fetch` gives it.
 * @throws Error for an unsupported transfer coding, malformed headers and a malformed status
 */
function responseOf(answer: NativeAnswer): Response {
  const { statusCode = 0, statusMessage = '' } = answer;
  const headers = headersOf(answer.rawHeaders);
  const coding = headers.get('transfer-encoding');
  if (coding !== null && coding.toLowerCase() !== 'chunked')
    throw new Error(`${BROKEN} unsupported transfer encoding: ${JSON.stringify(coding)}`);
  const bodyless = statusCode === 204 || statusCode === 304;
  if (bodyless) answer.resume();
  // A Response takes no body with this status, but its caller does.
  const isReset = statusCode === 205;
  const status = isReset ? 200 : statusCode;
  const response = new Response(bodyless ? null : streamOf(answer), { status, statusText: statusMessage, headers });
  return isReset ? Object.defineProperty(response, 'status', { value: statusCode }) : response;
}

/** Reports what is weak about a certificate that was not checked: of one that was, nothing is. */
function lookAt({ socket }: NativeAnswer, { tls, onWeakCertificate }: FetchOptions): void {
  if (!onWeakCertificate || !tls?.insecureSkipVerify) return;
  const certificate = socket.getPeerCertificate?.(true);
  if (certificate?.raw) weaknessesOf(certificate).forEach(onWeakCertificate);
}

function noteFailure(error: Error, { onWeakCertificate }: FetchOptions): void {
  const weakness = onWeakCertificate && weaknessOf(error);
  if (weakness) onWeakCertificate(weakness);
}

/** The other side had closed a kept connection. */
class StaleConnection extends Error {}

/** Connections are kept for the next request, but never keep the process. */
function agentOf(http: NativeHttp, secure: boolean, tls: OutboundTls, options: FetchOptions): NativeAgent {
  const { proxy, longLived = false, onlyGlobalUnicast: isChecked = false } = options;
  const known = agentsOf(tls);
  const key = `${secure} ${longLived} ${isChecked} ${proxy ?? ''}`;
  let agent = known.get(key);
  if (!agent) {
    // Newer Node keeps no connection whose request says how names are compared.
    const maxSockets = longLived ? Number.POSITIVE_INFINITY : MAX_SOCKETS;
    const settings = { keepAlive: true, maxSockets, checkServerIdentity };
    // Plain requests are sent to the proxy itself.
    if (!secure) agent = new http.Agent(settings);
    else if (proxy === undefined) agent = verifying(new http.Agent(settings), tls);
    else agent = proxyAgent(proxy, settings, tls);
    known.set(key, agent);
  }
  return agent;
}

function tlsOptions(tls: OutboundTls): Record<string, unknown> {
  const { clientCertificate, clientKey, serverName, insecureSkipVerify } = tls;
  return {
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
