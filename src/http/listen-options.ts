import { refuseUnknownMembers } from '../values/did-you-mean.js';
import type { ConnectionLimits } from './connection-limits.js';
import type { CertificateAndKey } from './request-handler.js';
import type { CertificateMaker, NamedCertificate } from './serving-certificates.js';
import { canSharePorts } from './share-ports.js';
import { conflictOf, type TlsChoices, unknownCipherSuite } from './tls-choices.js';

/** The options of `listen`. */
export interface ListenOptions extends TlsChoices {
  /** The port; 0 (the default) selects any free port. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** The serving certificate and its key in PEM. Default: `certificateAuthority` issues a certificate. `false` serves plain HTTP/1.1. */
  readonly tls?: { readonly cert: string; readonly key: string } | false;
  /** Further serving certificates in order of preference, each for certain server names (SNI) that clients send. Default: none. */
  readonly namedCertificates?: readonly NamedCertificate[];
  /** Whether other processes may also listen on the same port. Default false. Requires Node 23.1 or later. */
  readonly reusePort?: boolean;
  /** The certificate authority that issues certificates for this listener. Default: the server's own, or else a new one. */
  readonly certificateAuthority?: CertificateAndKey;
  /**
   * The certificate authorities (PEM) that are announced to clients, so that they choose a certificate issued by one of them. Default:
   * none, so that clients may send any certificate.
   */
  readonly clientCA?: string;
  /** Additional host names and addresses for an issued serving certificate. Default: none. */
  readonly names?: readonly string[];
  /** Called with unexpected errors of the server. Default: they are printed on stderr. */
  readonly onError?: (error: unknown) => void;
  /** Limits on the resources that clients may occupy. Default: those of {@link ConnectionLimits}. */
  readonly limits?: ConnectionLimits;
  /** Issues certificates. Default: the library's own implementation. */
  readonly certificateMaker?: CertificateMaker;
}

const MEMBERS: Readonly<Record<keyof ListenOptions, true>> = {
  port: true,
  host: true,
  tls: true,
  namedCertificates: true,
  reusePort: true,
  certificateAuthority: true,
  clientCA: true,
  names: true,
  onError: true,
  limits: true,
  certificateMaker: true,
  http2: true,
  minTlsVersion: true,
  cipherSuites: true,
};

/**
 * Checks the options of `listen`, except the limits.
 * @throws TypeError for an option that does not exist, or a value that cannot be used.
 */
export function checkListenOptions(options: ListenOptions): void {
  refuseUnknownMembers('listen', options, Object.keys(MEMBERS));
  const { host, minTlsVersion, cipherSuites = [] } = options;
  // Node would listen on all addresses of the machine.
  if (host === '') throw new TypeError("listen: host must not be empty: give '127.0.0.1', or '::' for all addresses");
  if (minTlsVersion !== undefined && minTlsVersion !== 'TLSv1.2' && minTlsVersion !== 'TLSv1.3')
    throw new TypeError("listen: minTlsVersion must be 'TLSv1.2' or 'TLSv1.3'");
  const unknown = unknownCipherSuite(cipherSuites);
  if (unknown !== undefined) throw new TypeError(`unknown cipher suite ${unknown}`);
  const conflict = conflictOf(options);
  if (conflict !== undefined) throw new TypeError(conflict);
  if (options.reusePort && !canSharePorts)
    throw new TypeError('this version of Node.js cannot share a port (option reusePort)');
}
