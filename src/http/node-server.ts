import { constants } from 'node:crypto';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { Server, type Socket } from 'node:net';
import { createSecureContext, createServer, type TLSSocket, type TlsOptions, type Server as TlsServer } from 'node:tls';
import { destroyIfSilent } from './bodies/cut-off.js';
import { MAX_HEADERS } from './check-head.js';
import { answerClientError } from './client-error.js';
import type { ConnectionLimits } from './connection-limits.js';
import { noteExpectation } from './expectations.js';
import { MAX_HEADER_BYTES } from './incomplete-heads.js';
import { type NamedCertificate, type NamedContexts, namedCertificates } from './named-certificates.js';
import type { NodeHandler } from './node-handler.js';
import type { OpenConnections } from './open-connections.js';
import type { CertificateAndKey } from './request-handler.js';
import { cipherList, type TlsChoices } from './tls-choices.js';
import { serveUpgrades } from './web-socket/upgrades.js';

/** Milliseconds an idle connection is kept: a little more than clients keep theirs, so that they close first. */
const IDLE_TIMEOUT = 91_000;
/** Milliseconds until all headers must have come, and until the whole request must have come. Answers may take for ever. */
const HEADERS_TIMEOUT = 30_000;
const REQUEST_TIMEOUT = 75_000;

const HTTP1_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT,
  requestTimeout: REQUEST_TIMEOUT,
  keepAliveTimeout: IDLE_TIMEOUT,
  connectionsCheckingInterval: 5_000,
  noDelay: true,
  // Finds out about clients that vanished while they watched.
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
  // The handler answers for it, as for two of them.
  requireHostHeader: false,
};

const HTTP2_OPTIONS = {
  maxSessionMemory: 64,
  maxHeaderListPairs: MAX_HEADERS,
  settings: {
    maxHeaderListSize: MAX_HEADER_BYTES,
    initialWindowSize: 256 * 1024,
    enablePush: false,
  },
};

/**
 * Bytes that all streams of a session together may send ahead. The protocol's own 64 KiB for each round trip would make large bodies
 * slow over slow networks. What is kept is bounded by the windows of the streams, and by what a request may wait for.
 */
const SESSION_WINDOW = 1024 * 1024;

/**
 * A revocation list without an issuer. With it OpenSSL asks every issuer for a list, finds none, and accepts no certificate: there is
 * nothing that it could decide. Node 24 needs that: where OpenSSL accepts a certificate, Node itself reads the chain, which can
 * be read only once there, and throws the intermediates away.
 */
const NOBODYS_LIST = `-----BEGIN X509 CRL-----
MC4wHTAKBggqhkjOPQQDAjAAFw03MDAxMDEwMDAwMDBaMAoGCCqGSM49BAMCAwEA
-----END X509 CRL-----
`;

/** A plain HTTP/1.1 server, not listening yet. */
export function plainServer(handler: NodeHandler, connections: OpenConnections, maxConnections: number): Server {
  const counted = connections.counting(handler);
  const server = http.createServer(HTTP1_OPTIONS, counted);
  serveHttp1(server, counted, maxConnections);
  server.on('connection', (socket) => connections.addSocket(socket));
  return server;
}

/** What is shown to clients, and what they are asked for. */
export interface ShownCertificates {
  readonly serving: CertificateAndKey;
  /** Certificates (PEM) whose names are announced to clients, to choose theirs by; undefined: any certificate. */
  readonly clientCA: string | undefined;
  /** For clients that ask for other names. */
  readonly named?: readonly NamedCertificate[] | undefined;
}

interface SecureServing extends ShownCertificates {
  readonly limits: Pick<Required<ConnectionLimits>, 'maxConnections' | 'maxStreams'>;
  readonly choices: TlsChoices;
}

/** A server, and how it shows other certificates to later connections: as many named ones as before. */
interface SecureServer {
  readonly server: Server;
  /** @throws Error for certificates or keys that cannot be read, or that do not belong together; then nothing has changed. */
  renew(shown: ShownCertificates): Promise<void>;
}

/** What is shown, as Node takes it. */
async function contextsOf({ serving, clientCA, named = [] }: ShownCertificates, choices: TlsChoices) {
  const { minTlsVersion, cipherSuites } = choices;
  const shared = {
    // An empty list keeps Node from loading the public authorities, which have no say here.
    ca: clientCA === undefined ? [] : [clientCA],
    crl: NOBODYS_LIST,
    minVersion: minTlsVersion ?? 'TLSv1.2',
    ...(cipherSuites === undefined ? {} : { ciphers: cipherList(cipherSuites) }),
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  } as const;
  const contexts = named.length === 0 ? undefined : await namedCertificates(named, serving, shared);
  return { shared, contexts, own: { ...shared, cert: serving.certificate, key: serving.key } };
}

/**
 * An HTTPS server for HTTP/2 and HTTP/1.1, not listening yet. Client certificates are asked for and not judged
 * here. Sessions are never resumed: a resumed session would come without its certificate chain; nor can a certificate
 * change within a connection.
 */
export async function secureServer(
  handler: NodeHandler,
  connections: OpenConnections,
  { limits, choices, ...shown }: SecureServing,
): Promise<SecureServer> {
  const { http2: speaks2 = true } = choices;
  let current = await contextsOf(shown, choices);
  const counted = connections.counting(handler);
  const handshake: TlsOptions = {
    ...current.shared,
    requestCert: true,
    rejectUnauthorized: false,
    ...(current.contexts ? { SNICallback: (name, answer) => answer(null, current.contexts?.byName(name)) } : {}),
    handshakeTimeout: HEADERS_TIMEOUT,
    ALPNProtocols: speaks2 ? ['h2', 'http/1.1'] : ['http/1.1'],
  };
  const server = https.createServer({ ...HTTP1_OPTIONS, ...handshake, ...current.own }, counted);
  const showByAddress = current.contexts && certifyByAddress(server, handshake);
  if (current.contexts) showByAddress?.(current.contexts, current.shared);
  serveHttp1(server, counted, limits.maxConnections);
  server.on('connection', (socket: Socket) => connections.addRaw(socket));

  const sessions = http2.createServer(
    { ...HTTP2_OPTIONS, settings: { ...HTTP2_OPTIONS.settings, maxConcurrentStreams: limits.maxStreams } },
    counted,
  );
  sessions.on('checkContinue', (incoming, outgoing) => {
    noteExpectation(outgoing);
    counted(incoming, outgoing);
  });
  // Of HTTP/2 no other expectation is known to upstream, which does not look at them there.
  sessions.on('checkExpectation', counted);
  sessions.on('connect', counted as (...given: unknown[]) => void); // a request and an answer, as of any other method
  sessions.on('session', (session) => {
    session.setLocalWindowSize(SESSION_WINDOW);
    connections.addSession(session);
    endWhenIdle(session);
    leaveWhenOverwhelmed(session);
  });
  // A connection whose HTTP/2 is broken ends by itself.
  sessions.on('sessionError', () => undefined);

  // Each connection goes to the server of its protocol. Node's own combined server leaves out most options of HTTP/1.1.
  const answerHttp1 = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    connections.endHandshake(socket);
    if (socket.alpnProtocol === 'h2') {
      sessions.emit('connection', socket);
      return;
    }
    connections.addSocket(socket);
    for (const serve of answerHttp1) serve.call(server, socket);
  });
  return {
    server,
    async renew(next) {
      const renewed = await contextsOf(next, choices);
      createSecureContext(renewed.own);
      current = renewed;
      server.setSecureContext(renewed.own);
      if (renewed.contexts) showByAddress?.(renewed.contexts, renewed.shared);
    },
  };
}

/**
 * A client that asks for no name gets the certificate for the address that it came to. Node has no callback for that: such connections
 * begin on a server with that certificate, which listens to nothing itself.
 * @returns shows other certificates to those that come later
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
        own.on(event, (...given) => server.emit(event, ...given));
      owns.set(address, own);
    }
  };
}

/** What servers of HTTP/1.x have in common. */
function serveHttp1(server: http.Server | https.Server, handler: NodeHandler, maxConnections: number): void {
  if (maxConnections > 0) server.maxConnections = maxConnections;
  server.maxHeadersCount = MAX_HEADERS;
  server.on('clientError', answerClientError);
  serveUpgrades(server, handler);
  server.on('checkContinue', (incoming, outgoing) => {
    noteExpectation(outgoing);
    handler(incoming, outgoing);
  });
  // An unknown expectation: 417 without a body, and the end of the connection, as upstream's HTTP library has it.
  server.on('checkExpectation', (_, outgoing) => {
    outgoing.shouldKeepAlive = false;
    outgoing.writeHead(417).end();
  });
}

/**
 * Takes no connections any more. Node's own `close` of these servers would also reset the idle ones at once.
 * @returns resolves when none is left.
 */
export async function stopListening(server: Server): Promise<void> {
  await new Promise((resolve) => Server.prototype.close.call(server, resolve));
  // Only its timer is left to end; an error that it is not running does not matter.
  server.close(() => undefined);
}

/** Closes a session of HTTP/2 that had no request for a while; a watch keeps it. */
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
 * Sends a client away that has begun to reset its own requests because too much is queued on its side: Node's client never
 * gets over it on the same connection. What is open is answered.
 */
function leaveWhenOverwhelmed(session: http2.ServerHttp2Session): void {
  session.on('stream', (stream) => {
    stream.once('close', () => {
      if (stream.rstCode === http2.constants.NGHTTP2_ENHANCE_YOUR_CALM && !session.closed) session.close();
    });
  });
}
