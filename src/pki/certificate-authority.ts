import { systemClock } from '../meta/clock.js';
import { type Random, systemRandom } from '../meta/random.js';
import type { Signatures } from '../signatures/signatures.js';
import { parseIp } from '../values/ip-address.js';
import { buildCertificate, keyIdentifier, purposeExtensions, serialNumber } from './build-certificate.js';
import { type Certificate, extendedKeyUsageOid } from './certificate.js';
import { encodeDistinguishedName } from './names/distinguished-name.js';
import type { GeneralNames } from './names/general-names.js';
import { parseCertificates } from './parse-certificate.js';
import { encodePem } from './pem.js';
import { generateKey, importPrivateKey, type SigningKey } from './private-key.js';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  /** The certificate, as PEM. */
  readonly certificate: string;
  /** The private key, as PEM. */
  readonly key: string;
}

/** The options of `createCertificateAuthority`. */
export interface CertificateAuthorityOptions {
  /** The common name of the subject. */
  readonly commonName: string;
  /** The validity in days. Default 3650. */
  readonly days?: number;
  /** The current time in milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: number;
  /** Generates the random bytes of the serial number. Default: the runtime's random number generator. */
  readonly random?: Random;
  /** Signs the certificate and generates its key. Default: the runtime's cryptography. */
  readonly signatures?: Signatures;
}

/** The options of `issueCertificate`. */
export interface CertificateOptions extends CertificateAuthorityOptions {
  /** The organizations of the subject, which are the groups of a client. Default: none. */
  readonly organizations?: readonly string[];
  /** The DNS names for which a server certificate is valid. Default: none. */
  readonly dnsNames?: readonly string[];
  /** The IP addresses for which a server certificate is valid. Default: none. */
  readonly ipAddresses?: readonly string[];
  /** Whether clients, servers or both may use the certificate. */
  readonly usages: readonly ('clientAuth' | 'serverAuth')[];
}

const DAY = 86_400_000;
/** How many milliseconds before its issuance a certificate becomes valid, because the clocks of clients may be slow. */
const BACKDATE = 300_000;

const AUTHORITY = purposeExtensions({
  keyUsage: ['digitalSignature', 'keyEncipherment', 'keyCertSign'],
  extendedKeyUsage: [],
  isAuthority: true,
});

/** Creates a certificate authority: a self-signed certificate with a new P-256 key. */
export async function createCertificateAuthority(options: CertificateAuthorityOptions): Promise<KeyPair> {
  const { commonName, days = 3650, now = systemClock.now(), random = systemRandom, signatures } = options;
  const { pem, signing, publicKey } = await generateKey(signatures, `authority ${commonName}`);
  const name = encodeDistinguishedName(commonName);
  const keyId = await keyIdentifier(publicKey, signatures);
  const der = await buildCertificate(
    {
      serial: serialNumber(random),
      issuer: name,
      subject: name,
      notBefore: now - BACKDATE,
      notAfter: now + days * DAY,
      publicKey,
      purpose: AUTHORITY,
      subjectKeyId: keyId,
      authorityKeyId: keyId,
    },
    signing,
  );
  return { certificate: encodePem('CERTIFICATE', der), key: pem };
}

/** The parsed certificate of each authority, with the PEM text that it was read from. `signers` has the imported private keys. */
const issuers = new WeakMap<KeyPair, { readonly pem: string; readonly issuer: Promise<Certificate> }>();
const signers = new WeakMap<
  KeyPair,
  { readonly pem: string; readonly signatures: Signatures | undefined; readonly signer: Promise<SigningKey> }
>();

/** Returns the parsed certificate of an authority. It is cached. @throws TypeError when the authority has no certificate. */
export function issuerOf(authority: KeyPair): Promise<Certificate> {
  const { certificate: pem } = authority;
  let known = issuers.get(authority);
  if (known?.pem !== pem) issuers.set(authority, (known = { pem, issuer: readIssuer(pem) }));
  return known.issuer;
}

async function readIssuer(pem: string): Promise<Certificate> {
  const [issuer] = await parseCertificates(pem);
  if (!issuer) throw new TypeError('the CA has no certificate in PEM form');
  return issuer;
}

/**
 * Returns the private key of an authority. The imported key is cached, because importing a key takes longer than signing. @throws TypeError
 * when the key cannot be read.
 */
export function signerOf(authority: KeyPair, signatures?: Signatures): Promise<SigningKey> {
  const { key: pem } = authority;
  let known = signers.get(authority);
  if (known?.pem !== pem || known.signatures !== signatures)
    signers.set(authority, (known = { pem, signatures, signer: importPrivateKey(pem, signatures) }));
  return known.signer;
}

/**
 * Issues a certificate with a new P-256 key. `days` defaults to 365. The certificate expires no later than that of the authority.
 * @throws TypeError for an authority or a name that cannot be read.
 */
export async function issueCertificate(authority: KeyPair, options: CertificateOptions): Promise<KeyPair> {
  const { commonName, organizations, dnsNames = [], ipAddresses = [], usages } = options;
  const { days = 365, now = systemClock.now(), random = systemRandom, signatures } = options;
  const subjectAltNames = namesOf(dnsNames, ipAddresses);
  const issuer = await issuerOf(authority);
  const [signer, { pem, publicKey }] = await Promise.all([
    signerOf(authority, signatures),
    generateKey(signatures, `certificate ${commonName}`),
  ]);
  const der = await buildCertificate(
    {
      serial: serialNumber(random),
      issuer: issuer.subject.raw,
      subject: encodeDistinguishedName(commonName, organizations),
      notBefore: now - BACKDATE,
      notAfter: Math.min(now + days * DAY, issuer.notAfter),
      publicKey,
      purpose: purposeExtensions({
        keyUsage: ['digitalSignature', 'keyEncipherment'],
        extendedKeyUsage: usages.map((usage) => extendedKeyUsageOid[usage]),
      }),
      subjectAltNames,
      subjectKeyId: await keyIdentifier(publicKey, signatures),
      ...(issuer.subjectKeyId ? { authorityKeyId: issuer.subjectKeyId } : {}),
    },
    signer,
  );
  return { certificate: encodePem('CERTIFICATE', der), key: pem };
}

/** Checks and converts the names. @throws TypeError for an invalid IP address and for a DNS name that is not ASCII. */
function namesOf(dnsNames: readonly string[], ipAddresses: readonly string[]): GeneralNames {
  const wrong = dnsNames.find((name) => !/^[\x21-\x7e]+$/.test(name));
  if (wrong !== undefined) throw new TypeError(`not a DNS name: ${wrong}`);
  const ip = ipAddresses.map((text) => {
    const address = parseIp(text);
    if (!address) throw new TypeError(`not an IP address: ${text}`);
    return address;
  });
  return { dns: dnsNames, email: [], uri: [], ip };
}
