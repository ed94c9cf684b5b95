import { histogram } from '../../metrics/families.js';
import { isCounted } from '../../metrics/metrics.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { type AuthenticationResult, type AuthenticatorFactory, rejected, skipped } from '../authenticator.js';
import { type Authorities, connectionCertificates } from './connection-certificates.js';

/** The options of `x509`. */
export interface X509Options {
  /**
   * Trusted certificate authorities as PEM: a fixed value, or a function that is called for every certificate. A changed PEM is parsed
   * again.
   */
  readonly clientCA: Authorities;
}

/** The maximum number of cached users. Later connections with the same certificate get the same user object. */
const MAX_ANSWERS = 1000;

const remainingLifetime = histogram(
  'apiserver_client_certificate_expiration_seconds',
  'Distribution of the remaining lifetime on the certificate used to authenticate a request.',
  [],
  [
    0, 1800, 3600, 7200, 21_600, 43_200, 86_400, 172_800, 345_600, 604_800, 2_592_000, 7_776_000, 15_552_000,
    31_104_000,
  ],
);

/**
 * Authenticates TLS client certificates: the common name is the user, and each organization is a group. A certificate without a common name
 * identifies no user. A chain is verified once per connection; later requests check only that its certificates have not expired.
 * @throws TypeError for an option that does not exist, and when `clientCA` holds no certificate; DerError when it holds one that cannot be parsed.
 */
export function x509(options: X509Options): AuthenticatorFactory {
  refuseUnknownMembers('x509()', options, ['clientCA']);
  const { clientCA } = options;
  if (clientCA === undefined) throw new TypeError('x509(): clientCA must be certificates as PEM');
  return (host) => {
    const answers = new Map<string, CertificateAnswer>();
    const answerFor = connectionCertificates<CertificateAnswer>({
      authorities: clientCA,
      bundle: 'client-ca',
      host,
      accept({ subject: { commonName: username, organizations }, notAfter }) {
        if (username === '') return { result: skipped, notAfter };
        // All connections of a client share one result object. Caches that are keyed by the user object therefore have one entry for a
        // client, not one for each connection.
        const key = JSON.stringify([username, organizations, notAfter]);
        const before = answers.get(key);
        if (before) return before;
        const user = Object.freeze({ username, groups: Object.freeze(organizations) });
        const result = Object.freeze({ outcome: 'authenticated', user, authenticator: 'x509' } as const);
        const answer = { result, notAfter };
        if (answers.size >= MAX_ANSWERS) answers.clear();
        answers.set(key, answer);
        return answer;
      },
      refuse: (error, leaf) => ({ result: rejected(error), ...(leaf ? { notAfter: leaf.notAfter } : {}) }),
    });
    const lifetimes = isCounted(host.metrics) ? host.metrics.series(remainingLifetime, []) : undefined;
    const countLifetime = ({ result, notAfter }: CertificateAnswer): AuthenticationResult => {
      if (lifetimes && notAfter !== undefined) lifetimes.observe((notAfter - host.clock.now()) / 1000);
      return result;
    };
    return {
      name: 'x509',
      authenticate({ peerCertificates: chain }) {
        if (!chain || chain.length === 0) return skipped;
        const answer = answerFor(chain);
        return answer instanceof Promise ? answer.then(countLifetime) : countLifetime(answer);
      },
    };
  };
}

interface CertificateAnswer {
  readonly result: AuthenticationResult;
  /** The end of the certificate's validity in milliseconds since the epoch; undefined when it could not be parsed. */
  readonly notAfter?: number;
}
