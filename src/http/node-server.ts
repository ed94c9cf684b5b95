import { constants } from 'node:crypto';
import http from 'node:http';
import http2, { type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import https from 'node:https';
import { Server, type Socket } from 'node:net';
// `setImmediate` is imported, because the fake timers of a test may replace the global function.
import { setImmediate } from 'node:timers';
import { createSecureContext, createServer, type TLSSocket, type TlsOptions, type Server as TlsServer } from 'node:tls';
import { noteExpectation } from './bodies/request-body.js';
import { MAX_HEADERS } from './check-head.js';
import type { ConnectionLimits } from './connection-limits.js';
import { destroyIfSilent, isCutOff } from './end-connection.js';
import { Http1Connection } from './http1-connection.js';
import { MAX_HEADER_BYTES } from './incomplete-heads.js';
import type { ProtocolHandler } from './node-handler.js';
import type { OpenConnections } from './open-connections.js';
import type { CertificateAndKey } from './request-handler.js';
import { type NamedCertificate, type NamedContexts, namedCertificates, readingPair } from './serving-certificates.js';
import { StreamRequest } from './stream-request.js';
import { cipherList, type TlsChoices } from './tls-choices.js';
import { serveUpgrades } from './web-socket/upgrades.js';

/**
 * Milliseconds for which an idle connection is kept. Go clients keep idle connections for only 90 seconds, so the client and not the server
 * closes the connection.
 */
const IDLE_TIMEOUT = 91_000;
/**
 * Milliseconds within which the headers of a request must arrive; `REQUEST_TIMEOUT` is for the whole request with its body. Neither limits
 * the duration of the response.
 */
const HEADERS_TIMEOUT = 30_000;
const REQUEST_TIMEOUT = 75_000;

const HTTP1_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT,
  requestTimeout: REQUEST_TIMEOUT,
  keepAliveTimeout: IDLE_TIMEOUT,
  connectionsCheckingInterval: 5_000,
  noDelay: true,
  // Keep-alive probes detect watch clients that have vanished.
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
  // The handler itself refuses a request without a Host header, and one with several.
  requireHostHeader: false,
};

const HTTP2_OPTIONS = {
  maxSessionMemory: 64,
  maxHeaderListPairs: MAX_HEADERS,
  // By default, Node silently drops a header whose value begins or ends with a space. Without its `Impersonate-User`, a request would be
  // executed as the caller. Node 20 does not have this option.
  strictFieldWhitespaceValidation: false,
  settings: {
    maxHeaderListSize: MAX_HEADER_BYTES,
    initialWindowSize: 256 * 1024,
    enablePush: false,
  },
};

/**
 * The number of bytes that the client of a session may send ahead on all its streams together. The protocol's default of 64 KiB per round
 * trip would make large bodies slow over networks with a high latency. Memory stays limited by the window of each stream and by the limits
 * on request bodies.
 */
const SESSION_WINDOW = 1024 * 1024;

/**
 * A certificate revocation list (CRL) whose issuer is empty. With it, OpenSSL requires a CRL of every issuer, finds none, and so does not
 * verify any certificate. This is intended: this server verifies certificates itself, and Node 24 loses the intermediate certificates of a
 * chain that OpenSSL has verified.
 */
const EMPTY_CRL = `-----BEGIN X509 CRL-----
MC4wHTAKBggqhkjOPQQDAjAAFw03MDAxMDEwMDAwMDBaMAoGCCqGSM49BAMCAwEA
-----END X509 CRL-----
`;

/** Creates a plain HTTP/1.1 server that is not listening yet. */
export function plainServer(handler: ProtocolHandler, connections: OpenConnections, maxConnections: number): Server {
  const server = http.createServer(HTTP1_OPTIONS, handler);
  serveHttp1(server, handler, maxConnections);
  server.on('connection', (socket) => connections.addSocket(socket));
  return server;
}

/** The certificates that are presented to clients, and the certificate authorities that are announced to them. */
export interface PresentedCertificates {
  readonly serving: CertificateAndKey;
  /**
   * Certificate authorities (PEM) whose names are announced to clients, so that they choose a certificate issued by one of them; undefined
   * means that clients may send any certificate.
   */
  readonly clientCA: string | undefined;
  /** Further serving certificates, each for certain server names (SNI) that clients send. */
  readonly named?: readonly NamedCertificate[] | undefined;
}

interface SecureServing extends PresentedCertificates {
  readonly limits: Pick<
    Required<ConnectionLimits>,
    'answerTimeout' | 'maxConnections' | 'maxStreams' | 'watchStallTimeout'
  >;
  readonly choices: TlsChoices;
}

/** A server, and a function that replaces its certificates for later connections. */
interface SecureServer {
  readonly server: Server;
  /**
   * Replaces the certificates. The number of `named` ones must stay the same.
   * @throws Error for certificates or keys that cannot be read or do not match; nothing changes then.
   */
  renew(presented: PresentedCertificates): Promise<void>;
}

/**
 * Converts certificates to the options that Node takes.
 * @throws Error for certificates or keys that cannot be read or do not match; TypeError for empty ones.
 */
async function contextsOf({ serving, clientCA, named = [] }: PresentedCertificates, choices: TlsChoices) {
  // Node accepts an empty certificate or key, and then fails all handshakes.
  if (!serving.certificate || !serving.key)
    throw new TypeError('the serving certificate and its key must not be empty');
  const { minTlsVersion, cipherSuites } = choices;
  const shared = {
    // An empty list keeps Node from loading the public certificate authorities, which this server does not trust.
    ca: clientCA === undefined ? [] : [clientCA],
    crl: EMPTY_CRL,
    minVersion: minTlsVersion ?? 'TLSv1.2',
    ...(cipherSuites === undefined ? {} : { ciphers: cipherList(cipherSuites) }),
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  } as const;
  const contexts = named.length === 0 ? undefined : await namedCertificates(named, serving, shared);
  return { shared, contexts, own: { ...shared, cert: serving.certificate, key: serving.key } };
}

/**
 * Creates an HTTPS server for HTTP/2 and HTTP/1.1 that is not listening yet. Client certificates are requested but not verified here. TLS
 * sessions are never resumed, because a resumed session has no certificate chain. Renegotiation is off, so the client's certificate cannot
 * change within a connection.
 */
export async function secureServer(
  handler: ProtocolHandler,
  connections: OpenConnections,
  { limits, choices, ...presented }: SecureServing,
): Promise<SecureServer> {
  const { http2: speaks2 = true } = choices;
  let current = await contextsOf(presented, choices);
  const handshake: TlsOptions = {
    ...current.shared,
    requestCert: true,
    rejectUnauthorized: false,
    ...(current.contexts ? { SNICallback: (name, answer) => answer(null, current.contexts?.byName(name)) } : {}),
    handshakeTimeout: HEADERS_TIMEOUT,
    ALPNProtocols: speaks2 ? ['h2', 'http/1.1'] : ['http/1.1'],
  };
  const server = readingPair('the serving certificate', () =>
    https.createServer({ ...HTTP1_OPTIONS, ...handshake, ...current.own }, handler),
  );
  const showByAddress = current.contexts && certifyByAddress(server, handshake);
  if (current.contexts) showByAddress?.(current.contexts, current.shared);
  serveHttp1(server, handler, limits.maxConnections);
  server.on('connection', (socket: Socket) => connections.addRaw(socket));

  const sessions = http2.createServer({
    ...HTTP2_OPTIONS,
    settings: { ...HTTP2_OPTIONS.settings, maxConcurrentStreams: limits.maxStreams },
  });
  const answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: string[]) => {
    // Without a listener, an error event would end the process. The event `close` reports the failure as well.
    stream.on('error', () => undefined);
    // Over HTTP/2, upstream supports only `100-continue` and ignores all other expectations.
    if (headers.expect === '100-continue') noteExpectation(stream);
    handler(new StreamRequest(stream, headers, rawHeaders), stream);
  };
  // Node passes the raw headers as the fourth argument, which its types lack, so the cast is safe.
  sessions.on('stream', answer as (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void);
  sessions.on('session', (session) => {
    session.setLocalWindowSize(SESSION_WINDOW);
    connections.addSession(session);
    endWhenIdle(session);
    closeWhenOverwhelmed(session);
    // After some protocol errors, Node 20 neither reads from the connection nor closes it. It does not notice either that the client has
    // disconnected, so an open watch would stay forever.
    session.setTimeout(limits.watchStallTimeout, () => destroyIfSilent(session, limits.answerTimeout));
  });
  // Node itself ends the session with this event, so the event needs no handling.
  sessions.on('sessionError', () => undefined);

  // Each connection goes to the server of its protocol, because Node's own combined server ignores most options of HTTP/1.1.
  const answerHttp1 = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    connections.endHandshake(socket);
    if (socket.alpnProtocol === 'h2') {
      sessions.once('session', (session) => endWithSession(session, socket, limits.answerTimeout));
      sessions.emit('connection', socket);
      return;
    }
    // Node would otherwise end a TLS connection in the turn in which its client does, before the request that came with it is answered.
    socket.allowHalfOpen = true;
    connections.addSocket(socket);
    for (const serve of answerHttp1) serve.call(server, socket);
  });
  return {
    server,
    async renew(next) {
      const renewed = await contextsOf(next, choices);
      readingPair('the serving certificate', () => createSecureContext(renewed.own));
      current = renewed;
      server.setSecureContext(renewed.own);
      if (renewed.contexts) showByAddress?.(renewed.contexts, renewed.shared);
    },
  };
}

/**
 * Selects the certificate for clients that send no server name (SNI) by the server address that they connected to. Node has no callback for
 * such clients, so their connections are passed to another TLS server, which has this certificate and does not listen itself.
 * @returns a function that replaces the certificates for later connections
 */
function certifyByAddress(
  server: https.Server,
  handshake: TlsOptions,
): (contexts: NamedContexts, shared: TlsOptions) => void {
  const owns = new Map<string, TlsServer>();
  const begin = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const own = owns.get((socket.localAddress ?? '').replace(/^::ffff:/, ''));
    if (own) own.emit('connection', socket);
    else for (const each of begin) each.call(server, socket);
  });
  return ({ byAddress }, shared) => {
    for (const address of owns.keys()) if (!byAddress.has(address)) owns.delete(address);
    for (const [address, { cert, key }] of byAddress) {
      const known = owns.get(address);
      known?.setSecureContext({ ...shared, cert, key });
      if (known) continue;
      const own = createServer({ ...handshake, ...shared, cert, key });
      for (const event of ['secureConnection', 'tlsClientError'])
        own.on(event, (...args) => server.emit(event, ...args));
      owns.set(address, own);
    }
  };
}

function serveHttp1(server: http.Server | https.Server, handler: ProtocolHandler, maxConnections: number): void {
  if (maxConnections > 0) server.maxConnections = maxConnections;
  server.maxHeadersCount = MAX_HEADERS;
  // Node honors this property of HTTP servers although its types lack it: a client that has closed its side still gets its response.
  Object.assign(server, { httpAllowHalfOpen: true });
  // The connections of these servers are sockets, so the cast is safe.
  server.on('clientError', (error, socket) => Http1Connection.of(socket as Socket).break(error));
  serveUpgrades(server, handler);
  server.on('checkContinue', (incoming, outgoing) => {
    noteExpectation(outgoing);
    handler(incoming, outgoing);
  });
  // `checkHead` refuses unknown expectations with a response like that of upstream.
  server.on('checkExpectation', handler);
}

/**
 * Stops accepting connections. Node's own `close` of HTTP servers would also reset the idle connections at once.
 * @returns a promise that resolves when no connection is left.
 */
export async function stopListening(server: Server): Promise<void> {
  await new Promise((resolve) => Server.prototype.close.call(server, resolve));
  // This call only stops the server's timer. It fails because the server no longer listens, and this error is ignored.
  server.close(() => undefined);
}

/**
 * Destroys the connection of a session some time after the session has ended. Node itself waits until the client has read everything and has
 * closed its side as well, and a client that does neither would keep its connection forever.
 *
 * A session closes and ends only after the frames that have arrived together are read. Otherwise, if the same bytes contain a request after
 * the GOAWAY of the client, Node 20 corrupts its memory when it closes the session, and Node 22 aborts the process when it destroys the
 * session (https://github.com/nodejs/node/issues/64850).
 */
function endWithSession(session: http2.ServerHttp2Session, socket: TLSSocket, milliseconds: number): void {
  const { close, destroy } = session;
  session.close = (...args) => void setImmediate(() => close.apply(session, args));
  // Node calls `destroy` whenever a session ends while its connection is still open. The event `close` follows only when both have ended.
  session.destroy = (...args) => {
    setImmediate(() => {
      if (session.destroyed) return;
      destroy.apply(session, args);
      const timer = setTimeout(() => socket.destroy(), milliseconds);
      timer.unref();
      socket.once('close', () => clearTimeout(timer));
    });
  };
}

/** Closes an HTTP/2 session that had no open request for `IDLE_TIMEOUT`. A watch is an open request. */
function endWhenIdle(session: http2.ServerHttp2Session): void {
  let open = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => {
      session.close();
      destroyIfSilent(session);
    }, IDLE_TIMEOUT);
    timer.unref();
  };
  wait();
  session.on('stream', (stream) => {
    if (open++ === 0) clearTimeout(timer);
    stream.once('close', () => {
      if (--open === 0 && !session.closed) wait();
    });
  });
  session.once('close', () => clearTimeout(timer));
}

/**
 * Closes the HTTP/2 session of a client that resets its own requests with the code ENHANCE_YOUR_CALM or INTERNAL_ERROR. Node's client does
 * this when too many bytes are queued on its side, and it does not recover from that on the same connection. Open requests are still
 * answered.
 */
function closeWhenOverwhelmed(session: http2.ServerHttp2Session): void {
  const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INTERNAL_ERROR } = http2.constants;
  session.on('stream', (stream) => {
    stream.once('close', () => {
      const { rstCode } = stream;
      const isOverwhelmed =
        rstCode === NGHTTP2_ENHANCE_YOUR_CALM || (rstCode === NGHTTP2_INTERNAL_ERROR && !isCutOff(stream));
      if (isOverwhelmed && !session.closed) session.close();
    });
  });
}
