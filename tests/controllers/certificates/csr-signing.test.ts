import { expect, it } from 'vitest';
import { countIssued } from '../../../src/controllers/certificates/csr-signing.js';
import { dialectOf } from '../../../src/meta/dialect.js';
import { type MetricFamily, noMetrics } from '../../../src/metrics/metrics.js';
import { createCertificateAuthority } from '../../../src/pki/certificate-authority.js';
import type { CertificateSigningRequest } from '../../../src/resources/certificates/certificates-v1.types.js';

it('counts certificates by how closely their lifetime matches the requested one, once each', async () => {
  const counted: string[] = [];
  const metrics = {
    ...noMetrics,
    add: ({ name }: MetricFamily, labels: readonly string[]) =>
      counted.push(`${name.replace(/^.*csr_/, '')} ${labels.join(' ')}`),
  };
  const { certificate } = await createCertificateAuthority({ commonName: 'ca', days: 10 });
  const issued = Buffer.from(certificate).toString('base64');
  const request = (signerName: string, expirationSeconds: number | undefined, text?: string) =>
    ({ spec: { signerName, expirationSeconds }, status: { certificate: text } }) as CertificateSigningRequest;
  const count = async (signer: string, seconds: number | undefined, next?: string, before?: string) =>
    await countIssued(metrics, dialectOf('k8s'), request(signer, seconds, next), request(signer, seconds, before));
  const days = 10 * 24 * 3600;
  await count('kubernetes.io/kube-apiserver-client', days, issued);
  await count('example.com/mine', days / 2, issued);
  await count('example.com/mine', days, 'bm9uZQ==');
  await count('example.com/mine', undefined, issued);
  await count('example.com/mine', days);
  await count('example.com/mine', days, issued, issued);
  expect(counted).toEqual([
    'requested_duration_total kubernetes.io/kube-apiserver-client',
    'honored_duration_total kubernetes.io/kube-apiserver-client',
    'requested_duration_total other',
    'requested_duration_total other',
  ]);
});
