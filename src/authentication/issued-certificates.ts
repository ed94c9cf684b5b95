import type { UserInfo } from '../meta/user-info.js';
import { parseCertificates } from '../pki/certificate.js';
import { type AuthenticationResult, type AuthenticatorFactory, skipped } from './authenticator.js';

interface Issued {
  readonly der: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly notAfter: number;
  readonly answer: AuthenticationResult;
}

/** Client certificates that the server itself has made, each by its bytes. */
export interface IssuedCertificates {
  /** From now on this certificate (PEM) means this user, until it expires or the server ends. */
  add(certificate: string, user: UserInfo): void;
  readonly authenticator: AuthenticatorFactory;
}

/**
 * Knows what the server has issued for its own kubeconfig, whatever authorities its other authenticators trust. Only the very
 * certificates count: what their authority signed for anybody else means nothing here.
 */
export function issuedCertificates(): IssuedCertificates {
  const bySize = new Map<number, Issued[]>();
  return {
    add(certificate, { username, groups = [] }) {
      const user = Object.freeze({ username, groups: Object.freeze([...groups]) });
      const answer = Object.freeze({ outcome: 'authenticated', user, authenticator: 'issued-certificates' } as const);
      const [leaf] = parseCertificates(certificate);
      if (!leaf) throw new TypeError('there is no certificate in PEM form');
      const issued = { der: leaf.raw, notAfter: leaf.notAfter, answer };
      const same = bySize.get(leaf.raw.length);
      if (same) same.push(issued);
      else bySize.set(leaf.raw.length, [issued]);
    },
    authenticator: ({ clock }) => ({
      name: 'issued-certificates',
      authenticate({ peerCertificates: [leaf] = [] }) {
        const found = leaf && bySize.get(leaf.length)?.find(({ der }) => der.every((byte, i) => byte === leaf[i]));
        return found && clock.now() <= found.notAfter ? found.answer : skipped;
      },
    }),
  };
}
