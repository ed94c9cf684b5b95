import type { FetchOptions, OutboundBody, OutboundTls, Upgrade } from '../meta/fetch.js';
import { parseAddress } from '../values/ip-address.js';
import { perObject } from '../values/memoize.js';
import { checkServerIdentity, weaknessesOf, weaknessOf } from './certificate-checks.js';
import { limitConnecting } from './connect-limits.js';
import { hostOfUrl } from './host-port.js';
import { AddressNotAllowedError, isGlobalUnicast } from './ip-address.js';
import {
  type NativeAgent,
  type NativeAnswer,
  type NativeHttp,
  type NativeLookup,
  type NativeRequest,
  nativeDns,
  nativeHttp,
} from './native-http.js';
import { channelOf, streamOf } from './native-streams.js';
import { sendStream } from './node-body.js';
import { proxyAgent, type Settings, throughProxy } from './node-proxy.js';
import { requireVerified, withVerification } from './verified-connections.js';

/** The maximum number of connections to one server at once; further requests wait. Connections for long-lived responses are not counted. */
const MAX_SOCKETS = 64;

/** Milliseconds after which an unused connection is closed, as by Go's clients. */
const IDLE_TIMEOUT = 90_000;

/** The maximum number of interim (1xx) responses before the final one, as in Go's client. */
const MAX_INFORMATIONAL = 5;

/**
 * A response's head may have at most this many bytes, and fewer header lines than this. Go's client accepts ten times as many bytes, but
 * Node copies a header once more for each piece in which it arrives.
 */
const MAX_HEAD = 1024 * 1024;
const MAX_HEADER_LINES = 2000;

/** Methods that can be sent again when the connection is lost, even if the server already received the request. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const encoder = new TextEncoder();

/** The TLS options of requests that specify none. All such requests share this object, so that their connections are reused as well. */
const PLAIN: OutboundTls = {};

/**
 * The agents of each TLS options object. Their keys are strings that combine the scheme, whether responses are long-lived, whether
 * addresses are checked, and the proxy.
 */
const agentsOf = perObject((_: OutboundTls) => new Map<string, NativeAgent>());

/**
 * Sends a request through Node's own modules, because Node's `fetch` supports neither client certificates nor proxies.
 * @param stream the body, if it is a stream
 */
export async function nodeFetch(url: string, options: FetchOptions, stream?: OutboundBody): Promise<Response> {
  const { protocol } = new URL(url);
  const secure = protocol === 'https:';
  if (!secure && protocol !== 'http:') throw new TypeError(`unsupported protocol ${protocol} use http or https`);
  const { method, body, signal, tls = PLAIN, proxy } = options;
  const http = nativeHttp(secure ? 'https' : 'http');
  const agent = agentOf(http, secure, tls, options);
  // Node sets the Content-Length by itself only for some methods, so it is set here.
  const bytes = body === undefined ? options.bytes : encoder.encode(body);
  const length = stream ? stream.length : bytes?.length;
  const coding = stream ? { 'transfer-encoding': 'chunked' } : {};
  const framing = length === undefined ? coding : { 'content-length': String(length) };
  const headers = { ...options.headers, ...options.repeatedHeaders, ...framing };
  const { target, requestOptions } = throughProxy(url, { path: targetOf(url), headers }, secure ? undefined : proxy);
  const checks = addressChecks(url, options);
  let stale = 0;
  const once = () =>
    new Promise<Response>((resolve, reject) => {
      let isSent = () => true;
      const request = http.request(
        target,
        { method, signal, agent, maxHeaderSize: MAX_HEAD, ...requestOptions, ...tlsOptions(tls), ...checks },
        (answer) => {
          try {
            checkInformation();
            if (secure) requireVerified(answer.socket, tls);
            // When the response ends before the request's body was sent, the rest of the body is not sent.
            answer.on('end', () => isSent() || request.destroy());
            reportWeaknesses(answer, options);
            resolve(responseOf(answer));
          } catch (error) {
            answer.destroy();
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        },
      );
      const checkInformation = boundInformation(request);
      limitPeer(request, target);
      // Without a listener for `upgrade`, Node would close the connection without an error.
      request.on('upgrade', ({ rawHeaders }, socket) => {
        socket.destroy();
        const at = rawHeaders.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === 'upgrade');
        const protocol = JSON.stringify(at < 0 ? '' : rawHeaders[at + 1]);
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
      // The server closed a reused connection, most often before the request arrived, so the request is sent again.
      if (!(error instanceof StaleConnection)) throw error;
      if (++stale > MAX_SOCKETS) throw error.cause;
    }
  }
}

/**
 * Returns request options that refuse addresses other than global unicast ones, if the caller requires it. @throws TypeError for a proxy,
 * because the proxy itself resolves the name
 */
function addressChecks(url: string, { onlyGlobalUnicast: isChecked, proxy }: FetchOptions): object {
  if (isChecked && proxy !== undefined) throw new TypeError('addresses behind a proxy cannot be checked');
  return isChecked ? onlyGlobalUnicast(url) : {};
}

/** Sends a protocol upgrade request on a connection of its own. */
export const nodeUpgrade: Upgrade = (url, options) =>
  new Promise((resolve, reject) => {
    const { method, headers, repeatedHeaders, signal, tls = PLAIN, proxy } = options;
    const checks = addressChecks(url, options);
    const secure = url.startsWith('https:');
    const http = nativeHttp(secure ? 'https' : 'http');
    const head = { path: targetOf(url), headers: { ...headers, ...repeatedHeaders } };
    const { target, requestOptions } = throughProxy(url, head, secure ? undefined : proxy);
    const agent = secure && secureAgent(http, {}, proxy, tls);
    const own = { method, signal, agent, maxHeaderSize: MAX_HEAD, checkServerIdentity };
    const settings = { ...own, ...requestOptions, ...tlsOptions(tls), ...checks };
    const request = http.request(target, settings, (answer) => {
      try {
        checkInformation();
        if (secure) requireVerified(answer.socket, tls);
        reportWeaknesses(answer, options);
        resolve(responseOf(answer));
      } catch (error) {
        answer.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    const checkInformation = boundInformation(request);
    limitPeer(request, target);
    request.on('upgrade', (answer, socket, head) => {
      try {
        if (secure) requireVerified(socket, tls);
        reportWeaknesses(answer, options);
        resolve({ headers: headersOf(answer.rawHeaders), channel: channelOf(socket, head) });
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

/** Returns the request target, with the query exactly as given. */
function targetOf(url: string): string {
  const at = url.indexOf('?');
  return new URL(at < 0 ? url : url.slice(0, at)).pathname + (at < 0 ? '' : url.slice(at));
}

/** Sets the limits for the connection and for the head of the response. */
function limitPeer(request: NativeRequest, target: string): void {
  request.maxHeadersCount = MAX_HEADER_LINES;
  request.on('socket', (socket) => limitConnecting(socket, target));
}

const BROKEN = 'net/http: HTTP/1.x transport connection broken:';

/** Fails a request that receives too many interim responses. @returns a function that throws when that happened */
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
 * Converts Node's response to a `Response`.
 * @throws Error for an unsupported transfer coding, too many or malformed headers, and a malformed status
 */
function responseOf(answer: NativeAnswer): Response {
  const { statusCode = 0, statusMessage = '' } = answer;
  const { rawHeaders } = answer;
  if (rawHeaders.length >= 2 * MAX_HEADER_LINES)
    throw new Error(`${BROKEN} the response has ${MAX_HEADER_LINES} header lines or more`);
  const headers = headersOf(rawHeaders);
  const coding = headers.get('transfer-encoding');
  if (coding !== null && coding.toLowerCase() !== 'chunked')
    throw new Error(`${BROKEN} unsupported transfer encoding: ${JSON.stringify(coding)}`);
  const bodyless = statusCode === 204 || statusCode === 304;
  if (bodyless) answer.resume();
  // The constructor of Response refuses a body with status 205, but the body is needed here, so the status is set afterwards.
  const isReset = statusCode === 205;
  const status = isReset ? 200 : statusCode;
  const response = new Response(bodyless ? null : streamOf(answer), { status, statusText: statusMessage, headers });
  return isReset ? Object.defineProperty(response, 'status', { value: statusCode }) : response;
}

/**
 * Reports `missing-san` and `insecure-sha1` for the certificate of a connection that was not verified. Verification refuses certificates
 * with these defects, so verified connections need no check.
 */
function reportWeaknesses({ socket }: NativeAnswer, { tls, onWeakCertificate }: FetchOptions): void {
  if (!onWeakCertificate || !tls?.insecureSkipVerify) return;
  const certificate = socket.getPeerCertificate?.(true);
  if (certificate?.raw) weaknessesOf(certificate).forEach(onWeakCertificate);
}

function noteFailure(error: Error, { onWeakCertificate }: FetchOptions): void {
  const weakness = onWeakCertificate && weaknessOf(error);
  if (weakness) onWeakCertificate(weakness);
}

/** The error of a request on a reused connection that the server had already closed. */
class StaleConnection extends Error {}

/** Returns the agent that keeps connections for later requests. Idle connections do not keep the process alive. */
function agentOf(http: NativeHttp, secure: boolean, tls: OutboundTls, options: FetchOptions): NativeAgent {
  const { proxy, longLived = false, onlyGlobalUnicast: isChecked = false } = options;
  const known = agentsOf(tls);
  const key = `${secure} ${longLived} ${isChecked} ${proxy ?? ''}`;
  let agent = known.get(key);
  if (!agent) {
    // `checkServerIdentity` is an option of the agent, because newer versions of Node do not reuse connections of requests that set it
    // themselves.
    const maxSockets = longLived ? Number.POSITIVE_INFINITY : MAX_SOCKETS;
    // Without a timeout, the unused connections of TLS options that no longer exist would stay open until the server closes them.
    const settings = { keepAlive: true, maxSockets, timeout: IDLE_TIMEOUT, checkServerIdentity };
    // For plain HTTP, the proxy is not an option of the agent, because the request is sent to the proxy itself.
    agent = secure ? secureAgent(http, settings, proxy, tls) : new http.Agent(settings);
    known.set(key, agent);
  }
  return agent;
}

const secureAgent = (http: NativeHttp, settings: Settings, proxy: string | undefined, tls: OutboundTls): NativeAgent =>
  proxy === undefined ? withVerification(new http.Agent(settings), tls) : proxyAgent(proxy, settings, tls);

function tlsOptions(tls: OutboundTls): Record<string, unknown> {
  const { clientCertificate, clientKey, serverName, insecureSkipVerify } = tls;
  return {
    ...(clientCertificate === undefined ? {} : { cert: clientCertificate, key: clientKey }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(insecureSkipVerify ? { rejectUnauthorized: false } : {}),
  };
}
function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '');
  return headers;
}

/** @throws AddressNotAllowedError unless the address is global unicast. */
function requireGlobalUnicast(text: string): void {
  const address = parseAddress(text);
  if (address === undefined || !isGlobalUnicast(address)) throw new AddressNotAllowedError();
}

/** Resolves a name. It fails if any of the addresses is not allowed, because the socket may connect to any of them. */
export const checkedLookup =
  (lookup: NativeLookup): NativeLookup =>
  (hostname, options, done) =>
    lookup(hostname, options, (error, found, family) => {
      if (error) return done(error, found, family);
      try {
        const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
        addresses.forEach(requireGlobalUnicast);
      } catch (refusal) {
        return done(refusal as Error, [], family);
      }
      return done(null, found, family);
    });

/**
 * Returns request options that allow connections to global unicast addresses only.
 * @throws AddressNotAllowedError if the URL's host is an IP address that is not allowed. Node does not call `lookup` for IP addresses, so
 * they are checked at this point.
 */
export function onlyGlobalUnicast(url: string): { readonly lookup: NativeLookup } {
  const host = hostOfUrl(url);
  if (parseAddress(host) !== undefined) requireGlobalUnicast(host);
  return { lookup: checkedLookup(nativeDns().lookup) };
}
