import { systemClock } from '../meta/clock.js';
import type { OutboundTls } from '../meta/fetch.js';
import { parseIp } from '../pki/names/ip-address.js';
import { messageOf } from '../values/message-of.js';
import { type NativeAgent, type NativePeerCertificate, type NativeSocket, nativeTls } from './native-http.js';

type Settings = Readonly<Record<string, unknown>>;
type Done = (error: Error | null, socket?: NativeSocket) => void;

/*
 * OpenSSL's rules for chains are others than those of the field's clients, which are Go's: an intermediate authority, or the server's own
 * certificate, is as good an anchor as a root, and names may be empty. So where authorities are given, OpenSSL only makes the
 * connection, and the chain is judged here before a byte of a request is sent.
 */

/** A certificate that was not accepted. The message is Go's. */
class CertificateVerificationError extends Error {
  override readonly name = 'CertificateVerificationError';
}

const judged = new WeakSet<object>();

/** Whether authorities are given, so that certificates are judged here. */
export const judgesItself = ({ certificateAuthority, insecureSkipVerify }: OutboundTls): boolean =>
  certificateAuthority !== undefined && insecureSkipVerify !== true;

/** Has an agent judge the certificates of its connections. */
export function judging(agent: NativeAgent, tls: OutboundTls): NativeAgent {
  agent.createConnection = (options) => {
    const socket = connect(options);
    // What is written waits until the chain was judged, and what arrives before is not read.
    socket.cork();
    socket.once('secureConnect', () => {
      socket.pause();
      judge(socket, hostOf(options, tls), tls).then(
        () => {
          socket.uncork();
          socket.resume();
        },
        (error: Error) => socket.destroy(error),
      );
    });
    return socket;
  };
  return agent;
}

/** Encrypts a connection that something else has made. @param done called with the socket once its chain was judged */
export function encryptJudged(socket: NativeSocket, options: Settings, tls: OutboundTls, done: Done): void {
  const encrypted = connect({ ...options, socket });
  const fail = (error: Error) => {
    encrypted.destroy();
    socket.destroy();
    done(error);
  };
  encrypted.on('error', fail);
  encrypted.once('secureConnect', () => {
    judge(encrypted, hostOf(options, tls), tls).then(() => {
      encrypted.off('error', fail);
      done(null, encrypted);
    }, fail);
  });
}

/** @throws CertificateVerificationError where an answer came from a server that was not judged. */
export function requireJudged(socket: object, tls: OutboundTls): void {
  if (judgesItself(tls) && !judged.has(socket))
    throw new CertificateVerificationError('tls: the server was not verified');
}

/** An empty list keeps Node from loading the public authorities; what OpenSSL says of the chain does not count. */
function connect(options: Settings): NativeSocket {
  const name = String(options['servername'] ?? '');
  // SNI carries names only, without a trailing dot.
  const servername = parseIp(name) ? '' : name.replace(/\.$/, '');
  return nativeTls().connect({ ...options, servername, ca: [], rejectUnauthorized: false });
}

const hostOf = ({ host }: Settings, { serverName }: OutboundTls): string => serverName ?? String(host);

/** @throws CertificateVerificationError */
async function judge(socket: NativeSocket, host: string, tls: OutboundTls): Promise<void> {
  const problem = await problemOf(chainOf(socket), host, tls);
  if (problem !== undefined) throw new CertificateVerificationError(problem);
  judged.add(socket);
}

async function problemOf(sent: readonly Uint8Array[], host: string, tls: OutboundTls): Promise<string | undefined> {
  const { readChain } = await import('../pki/read-chain.js');
  const { verifyChain } = await import('../pki/verify-chain.js');
  let chain: Awaited<ReturnType<typeof readChain>>;
  try {
    chain = await readChain(sent);
  } catch (error) {
    return `tls: failed to parse certificate from server: ${messageOf(error)}`;
  }
  const [leaf, ...intermediates] = chain;
  if (!leaf) return 'tls: received empty certificates message';
  const roots = await rootsOf(tls);
  const result = await verifyChain({ leaf, intermediates, roots, host, now: systemClock.now(), usage: 'serverAuth' });
  return result.ok ? undefined : `tls: failed to verify certificate: ${result.error}`;
}

const roots = new WeakMap<OutboundTls, ReturnType<typeof readRoots>>();
function rootsOf(tls: OutboundTls): ReturnType<typeof readRoots> {
  let known = roots.get(tls);
  if (!known) roots.set(tls, (known = readRoots(tls.certificateAuthority ?? '')));
  return known;
}

/** The authorities of a PEM text; what is no certificate is passed over, as Go does. */
async function readRoots(pem: string) {
  const { pemCertificates } = await import('../pki/pem-certificates.js');
  const { readCertificate } = await (await import('../pki/parse-certificate.js')).loadCertificateReader();
  return pemCertificates(pem).flatMap((der) => {
    try {
      return [readCertificate(der)];
    } catch {
      return [];
    }
  });
}

/** What was sent, in its order, leaf first. Node gives it once. */
function chainOf(socket: NativeSocket): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  for (
    let each: NativePeerCertificate | undefined = socket.getPeerX509Certificate?.();
    each;
    each = each.issuerCertificate
  )
    chain.push(new Uint8Array(each.raw));
  return chain;
}
