import type { UserInfo } from '../../meta/user-info.js';
import { sameBytes } from '../../pki/der/reader.js';
import { parseCertificates } from '../../pki/parse-certificate.js';
import { type AuthenticationResult, type AuthenticatorFactory, skipped } from '../authenticator.js';

interface Issued {
  readonly der: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly notAfter: number;
  readonly answer: AuthenticationResult;
}

/** Client certificates that this server issued, identified by their bytes. */
export interface IssuedCertificates {
  /** Accepts this certificate (PEM) as this user until it expires or the server ends. */
  add(certificate: string, user: UserInfo): Promise<void>;
  readonly authenticator: AuthenticatorFactory;
}

/**
 * Accepts the certificates that the server issued for its own kubeconfig, whatever authorities its other authenticators trust. Other
 * certificates of the same authority are not accepted.
 */
export function issuedCertificates(): IssuedCertificates {
  const bySignature = new Map<string, Issued>();
  return {
    async add(certificate, { username, groups = [] }) {
      const user = Object.freeze({ username, groups: Object.freeze([...groups]) });
      const answer = Object.freeze({ outcome: 'authenticated', user, authenticator: 'issued-certificates' } as const);
      const [leaf] = await parseCertificates(certificate);
      if (!leaf) throw new TypeError('there is no certificate in PEM form');
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

/** The last bytes of a certificate are part of its signature, so they differ between any two certificates. */
const endOf = (der: Uint8Array): string => String.fromCharCode(...der.subarray(-32));
