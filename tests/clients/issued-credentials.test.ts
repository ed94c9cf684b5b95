import * as k8s from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { type KubeconfigCredentials, type Listener, listen } from '../../src/http/index.js';
import { createFakeClock, type FakeClock } from '../../src/testing/index.js';
import { makeRequest } from '../pki/make-request.js';
import { startServer } from '../support/servers.js';

const HOUR = 3_600_000;

/** Returns the user of @kubernetes/client-node according to the server. */
describe('issued credentials', () => {
  let clock: FakeClock;
  let server: ApiServer;
  let listener: Listener;
  let admin: k8s.KubeConfig;

  const configFor = async (credentials?: KubeconfigCredentials): Promise<k8s.KubeConfig> => {
    const config = new k8s.KubeConfig();
    config.loadFromString(await listener.kubeconfig(credentials ? { credentials } : {}));
    return config;
  };
  const whoAmI = async (config: k8s.KubeConfig) => {
    const review = await config.makeApiClient(k8s.AuthenticationV1Api).createSelfSubjectReview({ body: {} });
    return review.status?.userInfo?.username;
  };

  beforeEach(async () => {
    clock = createFakeClock(Date.now());
    server = await startServer({ dialect: 'k8s', clock });
    listener = await listen(server);
    admin = await configFor();
  });
  afterEach(async () => {
    await listener.close();
    await server.close();
  });

  it('authenticates with an issued certificate', async () => {
    const certificates = admin.makeApiClient(k8s.CertificatesV1Api);
    const { pem, key } = await makeRequest({ commonName: 'dana' });
    const spec = {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    };
    const csr = await certificates.createCertificateSigningRequest({ body: { metadata: { name: 'dana' }, spec } });
    csr.status = { conditions: [{ type: 'Approved', status: 'True', reason: 'Test' }] };
    await certificates.replaceCertificateSigningRequestApproval({ name: 'dana', body: csr });
    await server.settle();
    const issued = await certificates.readCertificateSigningRequest({ name: 'dana' });
    const clientCertificate = Buffer.from(issued.status?.certificate ?? '', 'base64').toString();
    const dana = await configFor({ clientCertificate, clientKey: key });
    expect(await whoAmI(dana)).toBe('dana');
    await expect(dana.makeApiClient(k8s.CoreV1Api).listNode()).rejects.toMatchObject({ code: 403 });
    // The maximum lifetime is a year.
    clock.advance(366 * 24 * HOUR);
    await expect(whoAmI(dana)).rejects.toMatchObject({ code: 401 });
  });

  it('authenticates with a bound token until its pod is deleted', async () => {
    const core = admin.makeApiClient(k8s.CoreV1Api);
    const namespace = 'default';
    const pod = await core.createNamespacedPod({
      namespace,
      body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: pod.metadata?.uid ?? '' };
    const { status } = await core.createNamespacedServiceAccountToken({
      namespace,
      name: 'default',
      body: { spec: { audiences: [], boundObjectRef, expirationSeconds: 3600 } },
    });
    const holder = await configFor({ token: status?.token });
    expect(await whoAmI(holder)).toBe('system:serviceaccount:default:default');
    await core.deleteNamespacedPod({ namespace, name: 'p', gracePeriodSeconds: 0 });
    // The result of a token's verification is cached for ten seconds at most.
    clock.advance(11_000);
    await expect(whoAmI(holder)).rejects.toMatchObject({ code: 401 });
  });

  it('authenticates with a token until it expires', async () => {
    const core = admin.makeApiClient(k8s.CoreV1Api);
    const { status } = await core.createNamespacedServiceAccountToken({
      namespace: 'default',
      name: 'default',
      body: { spec: { audiences: [], expirationSeconds: 600 } },
    });
    const holder = await configFor({ token: status?.token });
    expect(await whoAmI(holder)).toBe('system:serviceaccount:default:default');
    clock.advance(HOUR / 6 - 1000);
    expect(await whoAmI(holder)).toBe('system:serviceaccount:default:default');
    // Clocks may differ by a minute, and verification results are cached for ten seconds.
    clock.advance(72_000);
    await expect(whoAmI(holder)).rejects.toMatchObject({ code: 401 });
  });
});
