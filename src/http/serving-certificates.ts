import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { Clock } from '../meta/clock.js';
import { dns1123Subdomain } from '../meta/names.js';
import { parseCertificate } from '../pki/parse-certificate.js';
import { parseSloppyIp } from '../values/ip-address.js';
import { messageOf } from '../values/message-of.js';
import type { CertificateAndKey } from './request-handler.js';

/**
 * The number of days for which an issued certificate is valid. It is not renewed, because servers that issue their own certificates are
 * short-lived.
 */
const SERVING_DAYS = 365;
const CLIENT_DAYS = 365;

/** The options that a {@link CertificateMaker} receives: the options of `issueCertificate` that a listener uses. */
export interface WantedCertificate {
  /** The common name of the subject. */
  readonly commonName: string;
  /** The organizations of the subject, which become the groups of a user. Default: none. */
  readonly organizations?: readonly string[];
  /** The DNS names for which the certificate is valid. Default: none. */
  readonly dnsNames?: readonly string[];
  /** The IP addresses for which the certificate is valid. Default: none. */
  readonly ipAddresses?: readonly string[];
  /** What the certificate may be used for. */
  readonly usages: readonly ('serverAuth' | 'clientAuth')[];
  /** The validity in days. */
  readonly days: number;
  /** The time from which the certificate is valid, in milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: number;
}

/** Creates certificate authorities and issues certificates. Tests can replace it. */
export interface CertificateMaker {
  /** Creates a certificate authority that signs itself. */
  createCertificateAuthority(options: { readonly commonName: string }): Promise<CertificateAndKey>;
  /** Issues a certificate with a new key. */
  issueCertificate(authority: CertificateAndKey, request: WantedCertificate): Promise<CertificateAndKey>;
}

/** Issues a serving certificate for `localhost`, the loopback addresses, the listening host and `names` (hosts or addresses). */
export function issueServingCertificate(
  maker: CertificateMaker,
  authority: CertificateAndKey,
  host: string,
  names: readonly string[],
): Promise<CertificateAndKey> {
  const everywhere = host === '0.0.0.0' || host === '::';
  const hosts = new Set(['localhost', '127.0.0.1', '::1', ...(everywhere ? ownAddresses() : [host]), ...names]);
  return maker.issueCertificate(authority, {
    commonName: 'apiserver',
    dnsNames: [...hosts].filter((name) => !isAddress(name)),
    ipAddresses: [...hosts].filter(isAddress),
    usages: ['serverAuth'],
    days: SERVING_DAYS,
  });
}

/**
 * Issues a client certificate with the user's name as its common name and the groups as its organizations.
 * @param clock the clock of the server that will check the certificate. Default: the machine's.
 */
export function issueClientCertificate(
  maker: CertificateMaker,
  authority: CertificateAndKey,
  { username, groups }: { readonly username: string; readonly groups: readonly string[] },
  clock?: Clock,
): Promise<CertificateAndKey> {
  return maker.issueCertificate(authority, {
    commonName: username,
    organizations: groups,
    usages: ['clientAuth'],
    days: CLIENT_DAYS,
    ...(clock ? { now: clock.now() } : {}),
  });
}

const isAddress = (name: string) => /^[\d.]+$/.test(name) || name.includes(':');

/** Returns the addresses of this machine except link-local ones, because a certificate cannot contain their zone. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => address).filter((address) => !address.startsWith('fe80:'));
}

/** Loads the library's own implementation on first use. */
export async function loadCertificateMaker(): Promise<CertificateMaker> {
  return await import('../pki/certificate-authority.js');
}

/** A certificate for clients that send certain server names (SNI). */
export interface NamedCertificate {
  /** PEM of the certificate and its intermediates. */
  readonly cert: string;
  /** The private key in PEM. */
  readonly key: string;
  /**
   * Host names for which the certificate is presented; `*.` matches one label. An IP address in the list is an address of this server, for
   * clients that connect to it without a server name. Default: the host names in the certificate.
   */
  readonly names?: readonly string[];
}

/** The certificates that a listener presents: by the server name (SNI), or by the server address for clients that send no server name. */
export interface NamedContexts {
  /** Returns the certificate for a client that sends a server name (SNI). */
  readonly byName: (name: string) => SecureContext;
  /**
   * The certificates for clients that send no server name, by the server address that they reached. At any other address, the serving
   * certificate is presented.
   */
  readonly byAddress: ReadonlyMap<string, NamedCertificate>;
}

/**
 * Chooses certificates as upstream does. A server name is looked up among the names of all certificates: first the whole name, then with
 * `*` as its first label. If several certificates have that name, a configured name takes precedence over a name read from a certificate,
 * and the earlier certificate wins ties. A name that is not found gets the first certificate that is valid for it, beginning with the
 * serving certificate; if none is valid, the serving certificate is presented.
 * @param shared the options that all connections share
 * @throws Error for a certificate or key that cannot be read, or that do not match
 */
export async function namedCertificates(
  certificates: readonly NamedCertificate[],
  { certificate, key }: CertificateAndKey,
  shared: SecureContextOptions,
): Promise<NamedContexts> {
  const contexts = await Promise.all(
    certificates.map(async ({ cert, key, names }) => ({
      context: readingPair('the certificate for server names', () => createSecureContext({ ...shared, cert, key })),
      certificate: new X509Certificate(cert),
      names: names ?? (await namesOf(cert)),
      isGiven: names !== undefined,
    })),
  );
  const known = new Map<string, SecureContext>();
  for (const isConfigured of [true, false])
    for (const { context, names } of contexts.filter((each) => each.isGiven === isConfigured))
      for (const name of names) if (!known.has(lower(name))) known.set(lower(name), context);
  const own = {
    context: readingPair('the serving certificate', () => createSecureContext({ ...shared, cert: certificate, key })),
    certificate: new X509Certificate(certificate),
  };
  const byName = (name: string) =>
    known.get(lower(name)) ??
    known.get(lower(name).replace(/^[^.]*/, '*')) ??
    ([own, ...contexts].find((each) => isFor(each.certificate, name)) ?? own).context;
  const byAddress = new Map<string, NamedCertificate>();
  for (const each of certificates)
    for (const name of each.names ?? []) if (isIP(name) !== 0 && !byAddress.has(name)) byAddress.set(name, each);
  return { byName, byAddress };
}

const isFor = (certificate: X509Certificate, name: string): boolean =>
  certificate.checkHost(name, { subject: 'never', partialWildcards: false }) !== undefined;

const lower = (name: string): string => name.toLowerCase();

/** Returns the host names that a certificate is for. IP addresses are omitted, because clients do not send them as server names. */
async function namesOf(pem: string): Promise<readonly string[]> {
  const { subject, subjectAltNames } = await parseCertificate(new X509Certificate(pem).raw);
  const { commonName } = subject;
  const isName = commonName === '*' || dns1123Subdomain(commonName.replace(/^\*\./, '')).length === 0;
  return [...(isName && parseSloppyIp(commonName) === undefined ? [commonName] : []), ...(subjectAltNames?.dns ?? [])];
}

/**
 * Calls a function that gives a certificate and its key to OpenSSL. OpenSSL's errors do not say what they are about, so this function adds
 * it.
 * @param subject the name of the certificate in the message
 */
export function readingPair<R>(subject: string, read: () => R): R {
  try {
    return read();
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('ERR_OSSL')) throw error;
    throw new Error(
      `${subject} or its key cannot be used (${messageOf(error)}): both must be PEM, and the key must be that of the certificate`,
      { cause: error },
    );
  }
}
