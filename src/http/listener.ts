import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
// `setImmediate` is imported, because the fake timers of a test may replace the global function and would then hold requests back.
import { setImmediate } from 'node:timers';
import type { JsonValue } from '../json/value.js';
import type { KubeconfigCredentials } from '../kubeconfig/index.js';
import { counter } from '../metrics/families.js';
import { bracketHost } from '../outbound/host-port.js';
import { hostToDial } from '../outbound/ip-address.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { checkListenOptions, type ListenOptions } from './listen-options.js';
import { protocolHandler } from './node-handler.js';
import { plainServer, secureServer, stopListening } from './node-server.js';
import { OpenAnswers } from './open-answers.js';
import { OpenConnections } from './open-connections.js';
import type { CertificateAndKey, CertifiedRequestHandler } from './request-handler.js';
import { issueClientCertificate, issueServingCertificate, loadCertificateMaker } from './serving-certificates.js';

/** The options of {@link Listener.kubeconfig}. */
export interface KubeconfigOptions {
  /** The name of the cluster. Default `orch`. */
  readonly cluster?: string;
  /** The namespace of the context. Default: clients use `default`. */
  readonly namespace?: string;
  /** The user in the issued client certificate. Default `admin`. */
  readonly username?: string;
  /** The groups in the issued client certificate. Default: `system:masters`, even for another `username`. */
  readonly groups?: readonly string[];
  /** Extensions of the cluster entry in the kubeconfig, by name. Default: no extensions. */
  readonly extensions?: Readonly<Record<string, JsonValue>>;
  /** The credentials; `{}` for an anonymous user. Default: a client certificate that is issued. */
  readonly credentials?: KubeconfigCredentials;
}

/** Replacement certificates for a listener, as in {@link ListenOptions}. The number of `namedCertificates` must stay the same. */
export interface CertificateRenewal extends Pick<ListenOptions, 'clientCA' | 'namedCertificates'> {
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A listening server. */
export interface Listener {
  /** The port on which the server listens. */
  readonly port: number;
  /** The URL, such as `https://127.0.0.1:6443`. An unspecified address (`0.0.0.0` or `::`) is replaced by the loopback address. */
  readonly url: string;
  /**
   * The certificate in PEM that clients must trust. It is the serving certificate if the options contain one but no `certificateAuthority`;
   * else it is the certificate of the certificate authority. Undefined on plain HTTP.
   */
  readonly certificateAuthority: string | undefined;
  /**
   * Returns a kubeconfig for this listener, as YAML. The server accepts the client certificate in it regardless of the configured
   * authenticators, unless the listener uses a certificate authority other than the server's.
   * @throws TypeError for an option that does not exist, for a member about the user that is undefined, and if a certificate would have to be
   * issued and the private key of the certificate authority is not known.
   */
  kubeconfig(options?: KubeconfigOptions): Promise<string>;
  /**
   * Uses other certificates, and announces other certificate authorities, for clients that connect from this moment on. Absent options stay
   * unchanged.
   * @throws Error for certificates that cannot be read or do not match their keys, in which case nothing changes; TypeError on plain HTTP.
   */
  renewCertificates(renewal: CertificateRenewal): Promise<void>;
  /**
   * Stops listening: open watches end cleanly, requests in flight are answered, and idle connections close. Connections that are still open
   * after the grace period are cut off.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** The options of {@link Listener.close}. */
export interface CloseOptions {
  /** Milliseconds that requests in flight have to finish. Default 10,000. */
  readonly graceMilliseconds?: number;
  /**
   * Milliseconds over which watches are ended one after the other (at least 200 a second), so that their clients do not all reconnect at
   * once. Default 0: all watches end together.
   */
  readonly watchGraceMilliseconds?: number;
}

const handshakeErrors = counter(
  'apiserver_tls_handshake_errors_total',
  "Number of requests dropped with 'TLS handshake error from' error",
);

/**
 * Normalizes a listening address as {@link hostToDial} does, because leading zeros would be read as octal. An address with a zone such as
 * `%eth0` is not changed.
 */
const hostToListen = (host = '127.0.0.1'): string => (host.includes('%') ? host : hostToDial(host));

/**
 * Serves HTTPS (HTTP/2 and HTTP/1.1) for a started server. Client certificates are requested and passed on without verification: the
 * server's authenticators verify them.
 * @throws Error if the server cannot listen on the address.
 * @throws TypeError for an option that does not exist, an empty host or certificate, limits outside their range, unknown cipher suites or
 * ones that HTTP/2 cannot use, and a shared port that this version of Node does not support.
 */
export async function listen(server: CertifiedRequestHandler, options: ListenOptions = {}): Promise<Listener> {
  checkListenOptions(options);
  if (typeof server?.handle !== 'function') throw new TypeError('listen: the first argument must be a server');
  const { port = 0, tls } = options;
  const host = hostToListen(options.host);
  const answers = new OpenAnswers(options.limits);
  const connections = new OpenConnections(answers.limits.maxHeadBytes);
  const handler = protocolHandler(server, options.onError, answers, oncePerTurn());

  const certificates = tls === false ? undefined : await prepareCertificates(server, options, host);
  let presented = certificates && {
    serving: certificates.serving,
    clientCA: chooseBy(options, certificates),
    named: options.namedCertificates,
  };
  const secure =
    presented && (await secureServer(handler, connections, { limits: answers.limits, choices: options, ...presented }));
  const nodeServer = secure?.server ?? plainServer(handler, connections, answers.limits.maxConnections);
  let trusted = certificates?.trusted;
  server.metrics?.declare(handshakeErrors);
  nodeServer.on('tlsClientError', () => server.metrics?.add(handshakeErrors, []));
  nodeServer.listen({ port, host, ...(options.reusePort ? { reusePort: true } : {}) });
  await once(nodeServer, 'listening');

  // While a server listens on an IP address, its `address()` is neither a path nor null, so the cast is safe.
  const address = nodeServer.address() as AddressInfo;
  const url = `${certificates === undefined ? 'http' : 'https'}://${reachableHost(host)}:${address.port}`;
  let closed: Promise<void> | undefined;
  return {
    port: address.port,
    url,
    get certificateAuthority() {
      return trusted;
    },
    async renewCertificates({ tls: renewed, clientCA, namedCertificates }) {
      if (!secure || !presented || !certificates)
        throw new TypeError('certificates and keys cannot be used with plain HTTP (tls: false)');
      const next = {
        serving: renewed ? { certificate: renewed.cert, key: renewed.key } : presented.serving,
        clientCA: clientCA === undefined ? presented.clientCA : chooseBy({ clientCA }, certificates),
        named: namedCertificates ?? presented.named,
      };
      await secure.renew(next);
      presented = next;
      if (renewed) trusted = options.certificateAuthority?.certificate ?? renewed.cert;
    },
    kubeconfig: async (kubeconfigOptions = {}) => {
      checkKubeconfigOptions(kubeconfigOptions);
      const {
        cluster = 'orch',
        username = 'admin',
        groups = ['system:masters'],
        namespace,
        extensions,
      } = kubeconfigOptions;
      const credentials =
        kubeconfigOptions.credentials ??
        (await makeCredentials(server, options, certificates?.authority, { username, groups }));
      const { createKubeconfig, formatKubeconfig } = await import('../kubeconfig/index.js');
      return formatKubeconfig(
        createKubeconfig({
          server: url,
          certificateAuthority: trusted,
          name: cluster,
          user: username,
          namespace,
          extensions,
          ...credentials,
        }),
      );
    },
    close: (closing = {}) => (closed ??= shutDown(nodeServer, answers, connections, closing)),
  };
}

const KUBECONFIG_MEMBERS: Readonly<Record<keyof KubeconfigOptions, 'user' | 'other'>> = {
  cluster: 'other',
  namespace: 'other',
  username: 'user',
  groups: 'user',
  extensions: 'other',
  credentials: 'user',
};

/** Checks options, because a kubeconfig without its user, groups or credentials would be one of an administrator. @throws TypeError */
function checkKubeconfigOptions(options: KubeconfigOptions): void {
  refuseUnknownMembers('kubeconfig', options, Object.keys(KUBECONFIG_MEMBERS));
  for (const [name, value] of Object.entries(options))
    if (value === undefined && KUBECONFIG_MEMBERS[name as keyof KubeconfigOptions] === 'user')
      throw new TypeError(`kubeconfig: ${name} is undefined: omit it for the credentials of an administrator`);
}

interface Certificates {
  readonly serving: CertificateAndKey;
  readonly trusted: string;
  readonly authority: CertificateAndKey | undefined;
}

/**
 * Returns the certificate authorities to announce to clients, including the one that issues the certificate in the listener's kubeconfig.
 */
function chooseBy({ clientCA }: Pick<ListenOptions, 'clientCA'>, { authority }: Certificates): string | undefined {
  return clientCA === undefined ? undefined : [clientCA, authority?.certificate ?? ''].join('\n');
}

async function prepareCertificates(
  server: CertifiedRequestHandler,
  options: ListenOptions,
  host: string,
): Promise<Certificates> {
  const configuredAuthority = options.certificateAuthority ?? (await server.certificateAuthority?.());
  if (options.tls) {
    const { cert, key } = options.tls;
    return {
      serving: { certificate: cert, key },
      trusted: options.certificateAuthority?.certificate ?? cert,
      authority: configuredAuthority,
    };
  }
  const maker = options.certificateMaker ?? (await loadCertificateMaker());
  const authority =
    configuredAuthority ?? (await maker.createCertificateAuthority({ commonName: 'orch-apiserver-ca' }));
  const serving = await issueServingCertificate(maker, authority, host, options.names ?? []);
  return { serving, trusted: authority.certificate, authority };
}

async function makeCredentials(
  server: CertifiedRequestHandler,
  options: ListenOptions,
  authority: CertificateAndKey | undefined,
  user: { readonly username: string; readonly groups: readonly string[] },
): Promise<KubeconfigCredentials> {
  if (options.tls === false) return {};
  if (authority === undefined)
    throw new TypeError(
      'the kubeconfig cannot get a certificate, because the server has no CA with a key: give credentials',
    );
  const own = options.certificateAuthority === undefined && options.certificateMaker === undefined;
  const { certificate, key } =
    own && server.issueClientCertificate
      ? await server.issueClientCertificate(user)
      : await issueClientCertificate(
          options.certificateMaker ?? (await loadCertificateMaker()),
          authority,
          user,
          server.clock,
        );
  return { clientCertificate: certificate, clientKey: key };
}

async function shutDown(
  server: Server,
  answers: OpenAnswers,
  connections: OpenConnections,
  { graceMilliseconds: grace = 10_000, watchGraceMilliseconds: watchGrace = 0 }: CloseOptions,
): Promise<void> {
  const stopped = stopListening(server);
  answers.closing = true;
  // Idle connections close before the watches end, so that no client opens further watches over them.
  const idle = connections.closeIdle();
  await stopStreams(answers, watchGrace);
  const timer = setTimeout(() => connections.destroyAll(), grace);
  await idle;
  clearTimeout(timer);
  // Only connections in the middle of their handshake remain.
  connections.destroyAll();
  await stopped;
}

const WATCHES_PER_SECOND = 200;
const STEP = 50;

/** Ends the open watches, a few at a time, within `grace` milliseconds; with 0, all at once. */
async function stopStreams({ streams }: OpenAnswers, grace: number): Promise<void> {
  const open = grace > 0 ? [...streams] : [];
  const atOnce = Math.ceil(STEP * Math.max(WATCHES_PER_SECOND / 1000, open.length / grace));
  for (let next = 0; next < open.length; next += atOnce) {
    for (const stream of open.slice(next, next + atOnce)) stream.stop();
    await new Promise((resolve) => setTimeout(resolve, STEP));
  }
  for (const stream of [...streams]) stream.stop();
}

function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return bracketHost(host);
}

/**
 * Returns a function that collects callbacks and runs them together after the event loop has read from all connections that sent something.
 * Under load this saves a third of the CPU time of a write: the code of each step stays in the CPU caches for several requests, and a watch
 * is woken up once for several writes. Without load a request waits for less than one turn of the event loop.
 */
function oncePerTurn(): (callback: () => void) => void {
  let waiting: (() => void)[] = [];
  const run = () => {
    const callbacks = waiting;
    waiting = [];
    for (const callback of callbacks) callback();
  };
  return (callback) => {
    if (waiting.push(callback) === 1) setImmediate(run);
  };
}
