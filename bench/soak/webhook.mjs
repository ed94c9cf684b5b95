import https from 'node:https';
import { createCertificateAuthority, issueCertificate } from '../../dist/exports/pki.js';

/** An authorization webhook on a port. It allows what `allows` returns, and never denies. */
export async function startWebhook(allows) {
  const authority = await createCertificateAuthority({ commonName: 'webhook-authority' });
  const { certificate: cert, key } = await issueCertificate(authority, {
    commonName: 'webhook',
    ipAddresses: ['127.0.0.1'],
    usages: ['serverAuth'],
    days: 1,
  });
  const count = { asked: 0 };
  const server = https.createServer({ key, cert }, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    count.asked++;
    const { apiVersion, kind, spec } = JSON.parse(body);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ apiVersion, kind, status: { allowed: allows(spec) } }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${server.address().port}/`,
    certificateAuthority: authority.certificate,
    count,
    close: () => server.close(),
  };
}
