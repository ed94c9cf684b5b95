import { defineMethod } from './method.js';

const authentication = { group: 'Authentication' } as const;

/** Certificates that the authorities of the server signed. */
export const clientCertificates = defineMethod({
  flags: [
    { ...authentication, name: 'client-ca-file', type: 'string', help: 'authorities of client certificates, PEM' },
  ],
  async read(_flags, { authorities }) {
    if (authorities.length === 0) return {};
    const { x509 } = await import('../../authentication/certificates/x509.js');
    const clientCA = authorities.join('');
    return { authentication: [x509({ clientCA: authorities })], ...(clientCA ? { trust: { clientCA } } : {}) };
  },
});
