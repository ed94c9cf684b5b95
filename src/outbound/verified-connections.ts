import { systemClock } from '../meta/clock.js';
import type { OutboundTls } from '../meta/fetch.js';
import { loadCertificateReader, readChain, sentCertificates } from '../pki/parse-certificate.js';
import { parseIp } from '../values/ip-address.js';
import { perObject } from '../values/memoize.js';
import { messageOf } from '../values/message-of.js';
import { limitHandshake } from './connect-limits.js';
import { type NativeAgent, type NativeSocket, nativeTls } from './native-http.js';

type Settings = Readonly<Record<string, unknown>>;
type Done = (error: Error | null, socket?: NativeSocket) => void;

/*
 * Go's clients and OpenSSL verify chains by different rules. Go trusts an intermediate certificate authority, or the server's own
 * certificate, as it does a root, and accepts empty subjects; OpenSSL refuses these. So where certificate authorities are given, OpenSSL
 * only makes the connection, and the chain is verified here, by Go's rules, before any byte of a request is sent.
 */

/** The error for a server's certificate that was not accepted, with Go's message. */
class CertificateVerificationError extends Error {
  override readonly name = 'CertificateVerificationError';
}

const verified = new WeakSet<object>();

/** Returns whether certificates are verified by this module rather than by OpenSSL. */
const verifiesInProcess = ({ certificateAuthority, insecureSkipVerify }: OutboundTls): boolean =>
  certificateAuthority !== undefined && insecureSkipVerify !== true;

/** Makes an HTTPS agent verify the certificates of its connections when authorities are given. */
export function withVerification(agent: NativeAgent, tls: OutboundTls): NativeAgent {
  if (!verifiesInProcess(tls)) return agent;
  agent.createConnection = (options) => {
    const socket = connect(options, tls);
    // Until the chain has been verified, written data is held back and no data is read.
    socket.cork();
    socket.once('secureConnect', () => {
      socket.pause();
      verify(socket, options, tls).then(
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

/** Starts TLS on an open connection. @param done receives the encrypted socket once the server's certificate is accepted */
export function encrypt(socket: NativeSocket, options: Settings, tls: OutboundTls, done: Done): void {
  const encrypted = connect({ ...options, socket }, tls);
  limitHandshake(encrypted);
  const fail = (error: Error) => {
    encrypted.destroy();
    socket.destroy();
    done(error);
  };
  encrypted.on('error', fail);
  encrypted.once('secureConnect', () => {
    verify(encrypted, options, tls).then(() => {
      encrypted.off('error', fail);
      done(null, encrypted);
    }, fail);
  });
}

/**
 * Checks that the certificate of a connection was verified. It must run before a response is used, because a server can send a response
 * before the verification ends.
 * @throws CertificateVerificationError
 */
export function requireVerified(socket: object, tls: OutboundTls): void {
  if (verifiesInProcess(tls) && !verified.has(socket))
    throw new CertificateVerificationError('tls: the certificate of the server was not verified');
}

function connect(options: Settings, tls: OutboundTls): NativeSocket {
  if (!verifiesInProcess(tls)) return nativeTls().connect(options);
  const name = String(options['servername'] ?? '');
  // A server name (SNI) must be a host name without a trailing dot. For an IP address, no server name is sent.
  const servername = parseIp(name) ? '' : name.replace(/\.$/, '');
  // With an empty list, Node does not load the public CA certificates, which are not needed here.
  return nativeTls().connect({ ...options, servername, ca: [], rejectUnauthorized: false });
}

/** Verifies the certificate chain of a connection, unless OpenSSL does. @throws CertificateVerificationError when it is not accepted. */
async function verify(socket: NativeSocket, { host }: Settings, tls: OutboundTls): Promise<void> {
  if (!verifiesInProcess(tls)) return;
  const sent = sentCertificates(socket.getPeerX509Certificate?.());
  const problem = await problemOf(sent, tls.serverName ?? String(host), tls);
  if (problem !== undefined) throw new CertificateVerificationError(problem);
  verified.add(socket);
}

async function problemOf(sent: readonly Uint8Array[], host: string, tls: OutboundTls): Promise<string | undefined> {
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

/** Returns the parsed certificate authorities. As in Go, certificates that cannot be parsed are skipped. */
const rootsOf = perObject(async ({ certificateAuthority = '' }: OutboundTls) => {
  const { pemCertificates } = await import('../pki/pem-certificates.js');
  const { readCertificate } = await loadCertificateReader();
  return pemCertificates(certificateAuthority).flatMap((der) => {
    try {
      return [readCertificate(der)];
    } catch {
      return [];
    }
  });
});
