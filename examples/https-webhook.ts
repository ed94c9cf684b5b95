/**
 * An admission webhook behind HTTPS, as it is deployed, but in the process of the test. The test covers the handler with its server and
 * certificate; webhook.ts tests the handler alone.
 */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ApiServer } from 'orch-apiserver';
import { validatingWebhookConfiguration } from 'orch-apiserver/kinds';
import { createCertificateAuthority, issueCertificate } from 'orch-apiserver/pki';

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string; readonly object: { readonly data?: Readonly<Record<string, string>> } };
}

/** The decision of the webhook: ConfigMaps must not contain passwords. */
function decide({ request }: Review): { readonly allowed: boolean; readonly status?: object } {
  const passwordKeys = Object.keys(request.object.data ?? {}).filter((key) => /password/i.test(key));
  return passwordKeys.length === 0
    ? { allowed: true }
    : { allowed: false, status: { code: 403, message: `${passwordKeys.join(', ')}: use a Secret` } };
}

/** The server of the webhook, as it would run in its pod. */
function webhookServer(certificate: { readonly key: string; readonly certificate: string }): Server {
  return createServer({ key: certificate.key, cert: certificate.certificate }, async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const review = JSON.parse(text) as Review; // what the API server posts
    const { apiVersion, kind, request } = review;
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify({ apiVersion, kind, response: { uid: request.uid, ...decide(review) } }));
  });
}

export interface HttpsWebhook extends AsyncDisposable {
  readonly server: ApiServer;
}

/** Starts an API server that calls the webhook at a local port. Closing the API server also closes the webhook. */
export async function startWithHttpsWebhook(): Promise<HttpsWebhook> {
  const authority = await createCertificateAuthority({ commonName: 'webhooks' });
  const addresses = { commonName: 'webhook', ipAddresses: ['127.0.0.1'] };
  const webhook = webhookServer(await issueCertificate(authority, { ...addresses, usages: ['serverAuth'] }));
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
  const { port } = webhook.address() as AddressInfo;

  const server = new ApiServer();
  await server.start();
  await server.client().create(validatingWebhookConfiguration, {
    metadata: { name: 'no-passwords' },
    webhooks: [
      {
        name: 'no-passwords.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds: 5,
        clientConfig: {
          url: `https://127.0.0.1:${port}/validate`,
          caBundle: Buffer.from(authority.certificate).toString('base64'),
        },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }],
      },
    ],
  });
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server.close();
      webhook.closeAllConnections();
      await new Promise((resolve) => webhook.close(resolve));
    },
  };
}
