import { followedAuthorities } from './followed-authorities.js';
import { defineMethod } from './method.js';

const authentication = { group: 'Authentication' } as const;

/** Authenticates client certificates that are signed by one of the server's authorities. */
export const clientCertificates = defineMethod({
  flags: [
    { ...authentication, name: 'client-ca-file', type: 'string', help: 'certificate authorities of clients, PEM' },
  ],
  async read({ values }, { authorities, log }) {
    const [first, ...others] = authorities;
    if (first === undefined) return {};
    const { x509 } = await import('../../authentication/certificates/x509.js');
    // If `--client-ca-file` is given, the first authority is the content of that file and is replaced when the file changes.
    const path = values['client-ca-file'];
    const { current, ...method } = followedAuthorities(path, first, others, (each) => x509({ clientCA: each }), log);
    return { ...method, trust: () => ({ clientCA: current() }) };
  },
});
