import { type AuthenticationResult, type AuthenticatorFactory, rejected, skipped } from '../authenticator.js';
import { type Authorities, connectionCertificates } from './connection-certificates.js';

export interface X509Options {
  /** Trusted authorities, PEM: fixed, or asked for each time and read again when the text is another. */
  readonly clientCA: Authorities;
}

/**
 * TLS client certificates: the common name is the user, each organization a group; without a common name the certificate
 * says nothing. A connection's chain is verified once; after that only its
 * time is looked at.
 * @throws TypeError when `clientCA` holds no certificate; DerError when it holds a broken one.
 */
export function x509({ clientCA }: X509Options): AuthenticatorFactory {
  return (host) => {
    const answerFor = connectionCertificates<AuthenticationResult>({
      authorities: clientCA,
      bundle: 'client-ca',
      host,
      accept({ subject: { commonName: username, organizations } }) {
        if (username === '') return skipped;
        const user = Object.freeze({ username, groups: Object.freeze(organizations) });
        return Object.freeze({ outcome: 'authenticated', user, authenticator: 'x509' });
      },
      refuse: rejected,
    });
    return {
      name: 'x509',
      authenticate: ({ peerCertificates: chain }) => (!chain || chain.length === 0 ? skipped : answerFor(chain)),
    };
  };
}
