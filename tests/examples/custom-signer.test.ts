import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SIGNER, startSigner } from '../../examples/custom-signer.js';
import { readCertificates } from '../../src/pki/certificate-reader.js';
import { signatureProblem } from '../../src/pki/verify-signature.js';
import { certificateSigningRequest, clusterTrustBundle } from '../../src/resources/certificates/index.js';
import { makeRequest } from '../pki/make-request.js';

describe('the example with a signer of its own', () => {
  let running: Awaited<ReturnType<typeof startSigner>>;
  beforeEach(async () => {
    running = await startSigner();
  });
  afterEach(() => running.stop());

  const requestCertificate = async (name: string, dns: readonly string[]) => {
    const { pem } = await makeRequest({ commonName: name, names: { dns } });
    const spec = {
      request: btoa(pem),
      signerName: SIGNER,
      usages: ['server auth', 'digital signature'],
      expirationSeconds: 600,
    };
    const client = running.server.client();
    await client.create(certificateSigningRequest, { metadata: { name }, spec, status: {} });
    for await (const { object } of client.watch(certificateSigningRequest, {
      fieldSelector: `metadata.name=${name}`,
    })) {
      const denied = object.status.conditions?.some((condition) => condition.type === 'Denied');
      if (denied || object.status.certificate !== undefined) return object;
    }
    throw new Error('the watch ended');
  };

  it('issues a certificate for a name in its domain, signed by its authority', async () => {
    const { status } = await requestCertificate('web', ['web.internal.example.com']);
    const [certificate] = readCertificates(atob(status.certificate ?? ''));
    const [authority] = readCertificates(running.authority.certificate);
    if (!certificate || !authority) throw new Error('no certificate');
    expect(await signatureProblem(certificate, authority)).toBeUndefined();
    expect(certificate.subjectAltNames?.dns).toEqual(['web.internal.example.com']);
    expect(certificate.notAfter - certificate.notBefore).toBe(900_000);
    expect(status.conditions).toMatchObject([{ type: 'Approved', reason: 'OurDomain' }]);
  });
  it('denies a name outside of its domain', async () => {
    const { status } = await requestCertificate('bad', ['web.internal.example.com', 'www.example.org']);
    expect(status.conditions).toMatchObject([
      { type: 'Denied', message: 'www.example.org is not in .internal.example.com' },
    ]);
    expect(status.certificate).toBeUndefined();
  });
  it('publishes its CA certificate', async () => {
    await requestCertificate('first', ['a.internal.example.com']);
    const { spec } = await running.server.client().get(clusterTrustBundle, 'example.com:internal:root');
    expect(spec).toEqual({ signerName: SIGNER, trustBundle: running.authority.certificate });
  });
});
