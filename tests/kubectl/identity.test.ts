import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readToken } from '../../src/tokens/compact-token.js';
import { makeRequest } from '../pki/make-request.js';
import { hasKubectl, type Kubectl, type KubectlCluster, kubectlCluster, kubectlFor } from './kubectl.js';

const SIGNER = 'kubernetes.io/kube-apiserver-client';

function csr(name: string, pem: string): string {
  const request = Buffer.from(pem).toString('base64');
  const spec = { request, signerName: SIGNER, usages: ['client auth'], expirationSeconds: 3600 };
  return JSON.stringify({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec,
  });
}

/** Credentials that the server issues, through kubectl. */
describe.skipIf(!hasKubectl)('kubectl and credentials (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  let kubectl: Kubectl;

  /** Returns a kubectl with a kubeconfig of these credentials. */
  const kubectlAs = async (name: string, credentials: object): Promise<Kubectl> => {
    const file = join(cluster.folder, `${name}.config`);
    writeFileSync(file, await cluster.listener.kubeconfig({ username: name, credentials }));
    return kubectlFor(file, cluster.folder);
  };

  beforeAll(async () => {
    cluster = await kubectlCluster();
    kubectl = cluster.kubectl;
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  it('creates tokens with every option', async () => {
    await kubectl('create sa robot');
    const token = (await kubectl('create token robot --duration=1h')).trim();
    expect(await (await kubectlAs('robot', { token }))('auth whoami -o jsonpath={.status.userInfo.username}')).toBe(
      'system:serviceaccount:default:robot',
    );
    await kubectl('create secret generic held');
    const uid = await kubectl('get secret held -o jsonpath={.metadata.uid}');
    const bound = await kubectl(
      `create token robot --audience=vault --audience=other --bound-object-kind=Secret --bound-object-name=held --bound-object-uid=${uid}`,
    );
    const claims = readToken(bound.trim())?.claims;
    expect(claims).toMatchObject({
      aud: ['vault', 'other'],
      sub: 'system:serviceaccount:default:robot',
      'kubernetes.io': { namespace: 'default', secret: { name: 'held', uid } },
    });
    await expect(kubectl('create token robot --duration=1m')).rejects.toThrow(
      'may not specify a duration less than 10 minutes',
    );
    await expect(kubectl('create token absent')).rejects.toThrow('serviceaccounts "absent" not found');
  });

  it('turns a key into a certificate: request, approval, kubeconfig, whoami', async () => {
    const { pem, key } = await makeRequest({ commonName: 'dana', organizations: ['devs'] });
    const watch = spawn('kubectl', ['--kubeconfig', cluster.config, 'get', 'csr', '-w', '--no-headers'], {
      env: { ...process.env, HOME: cluster.folder },
    });
    let seen = '';
    watch.stdout.on('data', (chunk) => {
      seen += String(chunk);
    });
    try {
      expect(await kubectl('create -f -', csr('dana', pem))).toBe(
        'certificatesigningrequest.certificates.k8s.io/dana created\n',
      );
      await expect.poll(() => seen, { timeout: 30_000 }).toContain('Pending');
      expect(await kubectl('certificate approve dana')).toBe(
        'certificatesigningrequest.certificates.k8s.io/dana approved\n',
      );
      await expect.poll(() => seen, { timeout: 30_000 }).toContain('Approved,Issued');
    } finally {
      watch.kill();
    }
    const issued = await kubectl('get csr dana -o jsonpath={.status.certificate}');
    const clientCertificate = Buffer.from(issued, 'base64').toString();
    const dana = await kubectlAs('dana', { clientCertificate, clientKey: key });
    expect(JSON.parse(await dana('auth whoami -o jsonpath={.status.userInfo}'))).toMatchObject({
      username: 'dana',
      groups: ['devs', 'system:authenticated'],
    });
    await expect(dana('get secrets')).rejects.toThrow('User "dana" cannot list resource "secrets"');
  });

  it('denies a certificate request', async () => {
    const { pem } = await makeRequest({ commonName: 'eve' });
    await kubectl('create -f -', csr('eve', pem));
    expect(await kubectl('certificate deny eve')).toBe('certificatesigningrequest.certificates.k8s.io/eve denied\n');
    expect(await kubectl('get csr eve --no-headers')).toMatch(/^eve .* Denied\n$/);
    await expect(kubectl('certificate approve eve')).rejects.toThrow(/Denied|Approved/);
    expect(await kubectl('get csr eve -o jsonpath={.status.certificate}')).toBe('');
  });
});
