import type { ApiServerOptions } from '../api-server-options.js';
import { type AuthenticationResult, type AuthenticatorFactory, skipped } from '../authentication/authenticator.js';
import { type Clock, systemClock } from '../meta/clock.js';
import { systemRandom } from '../meta/random.js';
import type { UserInfo } from '../meta/user-info.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../pki/certificate-authority.js';
import { sameBytes } from '../pki/der/reader.js';
import { parseCertificates } from '../pki/parse-certificate.js';
import { systemSignatures } from '../signatures/system-signatures.js';

const DAY = 86_400_000;
const TEN_YEARS = 3650 * DAY;
/** The machine's clock is expected to be between these times. */
const FROM = Date.UTC(2000);
const UNTIL = Date.UTC(2100);

/** A server's own certificate authority, which is created on first use, and the client certificates that the server issued. */
export class OwnAuthority {
  /** Accepts only certificates that were issued by {@link issueClientCertificate}. */
  readonly authenticator: AuthenticatorFactory;
  readonly #options: ApiServerOptions;
  readonly #commonName: string;
  readonly #issued: ReturnType<typeof issuedCertificates>;
  readonly #parent: OwnAuthority | undefined;
  #keyPair: Promise<KeyPair> | undefined;
  #certificate: string | undefined;

  /**
   * @param commonName the common name of a newly created authority.
   * @param parent the authority of the original server, given for a fork. Both servers use its key pair and accept the client certificates
   * that either of them issued.
   */
  constructor(options: ApiServerOptions, commonName: string, parent?: OwnAuthority) {
    this.#options = options;
    this.#commonName = commonName;
    this.#parent = parent;
    this.#issued = parent ? parent.#issued : issuedCertificates();
    this.authenticator = this.#issued.authenticator;
  }

  /** Returns an authority with the same key pair for a fork, which has other options. */
  fork(options: ApiServerOptions): OwnAuthority {
    return new OwnAuthority(options, this.#commonName, this);
  }

  keyPair(): Promise<KeyPair> {
    if (this.#parent) return this.#parent.keyPair();
    const { clock, certificates } = this.#options;
    const configuredAuthority = certificates?.authority;
    this.#keyPair ??= configuredAuthority
      ? Promise.resolve(configuredAuthority)
      : createCertificateAuthority({
          commonName: this.#commonName,
          ...this.#sources(),
          ...(clock && validityBy(clock)),
        });
    return this.#keyPair;
  }

  /**
   * Returns the certificate in PEM. As soon as the certificate is known it is returned without a promise, because every request with a
   * client certificate needs it.
   */
  readonly certificate = (): string | Promise<string> => this.#certificate ?? this.#readCertificate();

  /**
   * Issues a client certificate.
   * @throws TypeError for a user without a name, and for a name that a certificate cannot contain.
   */
  async issueClientCertificate({ username, groups = [] }: Pick<UserInfo, 'username' | 'groups'>): Promise<KeyPair> {
    if (typeof username !== 'string' || username === '')
      throw new TypeError("issueClientCertificate: give the user, as in { username: 'jane', groups: ['admins'] }");
    const issued = await issueCertificate(await this.keyPair(), {
      commonName: username,
      organizations: groups,
      usages: ['clientAuth'],
      ...this.#sources(),
    });
    await this.#issued.add(issued.certificate, { username, groups });
    return issued;
  }

  async #readCertificate(): Promise<string> {
    this.#certificate = (await this.keyPair()).certificate;
    return this.#certificate;
  }

  #sources() {
    const { clock = systemClock, random = systemRandom, signatures = systemSignatures } = this.#options;
    return { now: clock.now(), random, signatures };
  }
}

/**
 * Returns the validity of a new authority of a server with an injected clock. The server checks certificates by that clock, and TLS clients
 * by the machine's, so the period contains every time that either may show. It does not depend on the machine's time, because servers with
 * the same clock and random source must create the same bytes.
 */
function validityBy(clock: Clock) {
  const from = Math.min(clock.now(), FROM);
  const until = Math.max(clock.now() + TEN_YEARS, UNTIL);
  return { now: from, days: Math.ceil((until - from) / DAY) };
}

interface Issued {
  readonly der: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly notAfter: number;
  readonly answer: AuthenticationResult;
}

/** Client certificates that this server issued, identified by their bytes. */
interface IssuedCertificates {
  /** Accepts the certificate (PEM) as credentials of the user until it expires or the server ends. */
  add(certificate: string, user: UserInfo): Promise<void>;
  readonly authenticator: AuthenticatorFactory;
}

/**
 * Accepts the client certificates that the server itself issued, for example for a kubeconfig, regardless of the authorities that its other
 * authenticators trust. Other certificates of the same authority are not accepted.
 */
function issuedCertificates(): IssuedCertificates {
  const bySignature = new Map<string, Issued>();
  return {
    async add(certificate, { username, groups = [] }) {
      const user = Object.freeze({ username, groups: Object.freeze([...groups]) });
      const answer = Object.freeze({ outcome: 'authenticated', user, authenticator: 'issued-certificates' } as const);
      const [leaf] = await parseCertificates(certificate);
      if (!leaf) throw new TypeError('no certificate in PEM form was found');
      bySignature.set(endOf(leaf.raw), { der: leaf.raw, notAfter: leaf.notAfter, answer });
    },
    authenticator: ({ clock }) => ({
      name: 'issued-certificates',
      authenticate({ peerCertificates: [leaf] = [] }) {
        const found = leaf && bySignature.get(endOf(leaf));
        return found && sameBytes(found.der, leaf) && clock.now() <= found.notAfter ? found.answer : skipped;
      },
    }),
  };
}

/** Returns the last bytes of a certificate, which belong to its signature and therefore differ between any two certificates. */
const endOf = (der: Uint8Array): string => String.fromCharCode(...der.subarray(-32));
