/**
 * A certificate signer in one file. It has its own certificate authority, which it publishes as a trust bundle. Its controller approves
 * requests for names in its domain, denies all others, and issues short-lived certificates. Run it:
 *
 *   npx tsx examples/custom-signer.ts > signer.kubeconfig
 *   kubectl --kubeconfig signer.kubeconfig get clustertrustbundles
 */
import { ApiServer, type Client } from 'orch-apiserver';
import { listen } from 'orch-apiserver/http';
import { type CertificateSigningRequest, certificateSigningRequest, clusterTrustBundle } from 'orch-apiserver/kinds';
import { createCertificateAuthority, type KeyPair, parseCertificateRequest, signRequest } from 'orch-apiserver/pki';

export const SIGNER = 'example.com/internal';
const DOMAIN = '.internal.example.com';
const HOUR = 3_600_000;

/** Handles the existing requests for the signer, and then new ones, until the signal fires. */
export async function runSigner(client: Client, authority: KeyPair, signal: AbortSignal): Promise<void> {
  await publish(client, authority);
  const watch = client.watch(certificateSigningRequest, { fieldSelector: `spec.signerName=${SIGNER}`, signal });
  for await (const { type, object } of watch) {
    if (type === 'ADDED' || type === 'MODIFIED') await review(client, authority, object);
  }
}

/** Publishes the authority. Every client may read a trust bundle, whose name must begin with the signer's name. */
async function publish(client: Client, { certificate }: KeyPair): Promise<void> {
  const metadata = { name: `${SIGNER.replace('/', ':')}:root` };
  const bundle = { metadata, spec: { signerName: SIGNER, trustBundle: certificate } };
  await client.apply(clusterTrustBundle, bundle);
}

/** Approves or denies a request, and signs it after its approval. Each change of the request calls this function again. */
async function review(client: Client, authority: KeyPair, request: CertificateSigningRequest): Promise<void> {
  const { name = '' } = request.metadata;
  const { conditions = [], certificate } = request.status;
  const has = (type: string) => conditions.some((condition) => condition.type === type);
  const parsed = await parseCertificateRequest(atob(request.spec.request));

  if (!has('Approved') && !has('Denied')) {
    const foreign = parsed.subjectAltNames.dns.find((dns) => !dns.endsWith(DOMAIN));
    const decision =
      foreign === undefined && parsed.subjectAltNames.dns.length > 0
        ? { type: 'Approved', reason: 'OurDomain', message: `All names are in ${DOMAIN}` }
        : { type: 'Denied', reason: 'ForeignName', message: `${foreign ?? 'nothing'} is not in ${DOMAIN}` };
    const condition = { ...decision, status: 'True', lastUpdateTime: null, lastTransitionTime: null };
    await client.update(certificateSigningRequest, name, (draft) => void (draft.status.conditions = [condition]), {
      subresource: 'approval',
    });
  } else if (has('Approved') && certificate === undefined) {
    const { usages = [], expirationSeconds = 3600 } = request.spec;
    const lifetime = Math.min(expirationSeconds * 1000, HOUR);
    const pem = await signRequest(authority, parsed, { usages, lifetime, now: Date.now() });
    await client.update(certificateSigningRequest, name, (draft) => void (draft.status.certificate = btoa(pem)), {
      subresource: 'status',
    });
  }
}

/** Starts a control plane with the signer. */
export async function startSigner(): Promise<{
  readonly server: ApiServer;
  readonly authority: KeyPair;
  stop(): Promise<void>;
}> {
  const server = new ApiServer({
    dialect: 'k8s',
    featureGates: { ClusterTrustBundle: true },
    runtimeConfig: { 'certificates.k8s.io/v1alpha1/clustertrustbundles': 'true' },
  });
  await server.start();
  const authority = await createCertificateAuthority({ commonName: 'internal' });
  const stopping = new AbortController();
  const running = runSigner(server.client({ userAgent: 'signer' }), authority, stopping.signal);
  return {
    server,
    authority,
    async stop() {
      stopping.abort();
      await running;
      await server.close();
    },
  };
}

if (process.argv[1]?.endsWith('custom-signer.ts')) {
  const { server, stop } = await startSigner();
  const listener = await listen(server);
  process.stdout.write(await listener.kubeconfig());
  process.stderr.write(`Signing for ${SIGNER} at ${listener.url}; end with Ctrl-C\n`);
  process.once('SIGINT', async () => {
    await stop();
    await listener.close();
  });
}
