import type { TLSSocket } from 'node:tls';
import type { RequestHeaders } from '../meta/request-headers.js';
import { sentCertificates } from '../pki/parse-certificate.js';
import type { ApiRequest, RequestBody } from '../requests/api-request.js';
import { requestBody, sendContinue, waitsForContinue } from './bodies/request-body.js';
import { Http1Connection } from './http1-connection.js';
import {
  announcesBody,
  type Incoming,
  isStream,
  type Outgoing,
  StreamRequest,
  bodyOf as sourceOf,
} from './stream-request.js';

const chains = new WeakMap<object, readonly Uint8Array[] | 'none'>();

/**
 * A Node request as an `ApiRequest`. Members that are expensive (certificates, the signal) are getters that compute them on access. The
 * object itself must be passed on, because a spread copy would lose the getters.
 */
export class NodeRequest implements Omit<ApiRequest, 'peerCertificates'> {
  readonly method: string;
  readonly path: string;
  query: string;
  readonly headers: RequestHeaders;
  readonly http2: boolean;
  readonly body?: RequestBody;
  readonly #incoming: Incoming;
  readonly #outgoing: Outgoing;
  readonly #targetHost: string | undefined;
  #abort: AbortController | undefined;

  constructor(incoming: Incoming, outgoing: Outgoing, target: RequestTarget) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.method = incoming.method ?? 'GET';
    this.path = target.path;
    this.query = target.query;
    this.#targetHost = target.host;
    this.headers = new NodeHeaders(incoming.rawHeaders);
    this.http2 = incoming.httpVersionMajor === 2;
    if (announcesBody(incoming)) this.body = bodyOf(incoming, outgoing, this.headers);
  }

  get host(): string {
    const { authority } = this.#incoming as Partial<StreamRequest>;
    return this.#targetHost || authority || (this.headers.get('host') ?? '');
  }

  /** Releases the query and headers; see {@link ApiRequest.dropHead}. */
  dropHead(): void {
    this.query = '';
    this.#incoming.url = '';
    this.#incoming.rawHeaders.length = 0;
  }

  get headBytes(): number {
    // Over HTTP/2 the target is one of the headers, so it must not be counted twice.
    const target = this.http2 ? 0 : this.path.length + this.query.length;
    return this.#incoming.rawHeaders.reduce((sum, { length }) => sum + length, target);
  }

  /**
   * The certificate chain that the client presented (DER, leaf first, not verified). The chain is read once per connection and is always
   * the same frozen array, so that results can be cached by the identity of the array.
   */
  get peerCertificates(): readonly Uint8Array[] | undefined {
    const incoming = this.#incoming;
    // The socket property of an HTTP/2 session is a new proxy object each time, so the session identifies the connection.
    const connection = incoming instanceof StreamRequest ? incoming.stream.session : incoming.socket;
    if (connection === undefined) return undefined;
    let chain = chains.get(connection);
    if (chain === undefined) {
      const socket = incoming instanceof StreamRequest ? incoming.stream.session?.socket : incoming.socket;
      // The method is called if it is there, instead of using `in`, because the proxy object of an HTTP/2 session's socket has no members
      // of its own. The socket of a connection without TLS does not have the method.
      const sent = sentCertificates((socket as Partial<TLSSocket> | null | undefined)?.getPeerX509Certificate?.());
      chain = sent.length === 0 ? 'none' : Object.freeze(sent);
      chains.set(connection, chain);
    }
    return chain === 'none' ? undefined : chain;
  }

  get remoteAddress(): string | undefined {
    const incoming = this.#incoming;
    const connection = incoming instanceof StreamRequest ? incoming.connection : Http1Connection.of(incoming.socket);
    return connection?.remoteAddress;
  }

  get takesChannel(): boolean {
    const incoming = this.#incoming;
    return !(incoming instanceof StreamRequest) && Http1Connection.of(incoming.socket).upgrade !== undefined;
  }

  readonly pause = yieldToEventLoop;

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      const outgoing = this.#outgoing;
      if (isStream(outgoing)) {
        if (outgoing.aborted) abort.abort();
        else outgoing.once('aborted', () => abort.abort());
      } else if (outgoing.destroyed && !outgoing.writableEnded) abort.abort();
      else outgoing.once('close', () => outgoing.writableEnded || abort.abort());
      this.#abort = abort;
    }
    return this.#abort.signal;
  }
}

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

function bodyOf(incoming: Incoming, outgoing: Outgoing, headers: RequestHeaders): RequestBody {
  const onRead = waitsForContinue(outgoing) ? () => sendContinue(outgoing) : undefined;
  // Without a Content-Length, the announced number of bytes is NaN.
  return requestBody(sourceOf(incoming), Number(headers.get('content-length') ?? Number.NaN), onRead);
}

/** The parts of a request target. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
  /** The host of an absolute target, which takes precedence over the Host header. */
  readonly host?: string;
}

/** The length of a query above which the path is copied, so that the path does not keep the query in memory. */
const LONG_QUERY = 4096;

const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2})/;
const ABOVE_ASCII = /[^\0-\x7f]/;
const EACH_ABOVE_ASCII = /[^\0-\x7f]/g;

/**
 * Splits the target of a request line. Bytes outside ASCII are escaped, and the scheme and host of an absolute target are split off. The
 * target of a CONNECT is only a host, without a path. Returns undefined for a path with a broken percent-escape; such a request is refused
 * before all other checks.
 */
export function parseTarget(url = '', method?: string): RequestTarget | undefined {
  if (method === 'CONNECT' && !url.startsWith('/')) return { path: '', query: '', host: url };
  let target = ABOVE_ASCII.test(url)
    ? url.replace(EACH_ABOVE_ASCII, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    : url || '/';
  let host: string | undefined;
  if (!target.startsWith('/') && target !== '*') {
    const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?]*)/i.exec(target);
    if (absolute === null) return undefined;
    host = absolute[1];
    target = target.slice(absolute[0].length);
    if (!target.startsWith('/')) target = `/${target}`;
  }
  const mark = target.indexOf('?');
  let path = mark < 0 ? target : target.slice(0, mark);
  if (path.includes('%') && BROKEN_ESCAPE.test(path)) return undefined;
  const query = mark < 0 ? '' : target.slice(mark + 1);
  // A substring keeps its source string in memory, and a watch keeps its path for a long time, so the path is copied.
  if (query.length > LONG_QUERY) path = Buffer.from(path, 'latin1').toString('latin1');
  return host === undefined ? { path, query } : { path, query, host };
}

/**
 * The headers of a Node request, read in place from Node's flat list of names and values. Node decodes each byte of a value as one
 * character; here values are decoded as UTF-8, because most clients send UTF-8.
 */
export class NodeHeaders implements RequestHeaders {
  readonly #raw: readonly string[];

  /** @param raw as in `request.rawHeaders`: name, value, name, value. Pseudo-headers of HTTP/2, which begin with a colon, are skipped. */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | undefined {
    const raw = this.#raw;
    for (let i = 0; i < raw.length; i += 2) {
      if (sameName(raw[i], name)) return readValue(raw[i + 1]);
    }
    return undefined;
  }

  all(name: string): readonly string[] {
    const raw = this.#raw;
    const values: string[] = [];
    for (let i = 0; i < raw.length; i += 2) {
      if (sameName(raw[i], name)) values.push(readValue(raw[i + 1]));
    }
    return values;
  }

  names(prefix: string): readonly string[] {
    let names: Set<string> | undefined;
    const first = prefix.charCodeAt(0) | 0x20;
    for (let i = 0; i < this.#raw.length; i += 2) {
      const name = this.#raw[i] ?? '';
      // The first letters are compared first, because they usually differ.
      if (prefix !== '' && (name.charCodeAt(0) | 0x20) !== first) continue;
      if (!name.startsWith(':') && sameName(name.slice(0, prefix.length), prefix))
        (names ??= new Set()).add(name.toLowerCase());
    }
    return names === undefined ? NONE : [...names];
  }
}

/**
 * Returns whether a header name equals `name`, which must be in lower case. The lengths are compared first, because most names differ in
 * length.
 */
function sameName(raw: string | undefined, name: string): boolean {
  return raw !== undefined && raw.length === name.length && (raw === name || raw.toLowerCase() === name);
}

const NONE: readonly string[] = Object.freeze([]);

function readValue(value = ''): string {
  return ABOVE_ASCII.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}
