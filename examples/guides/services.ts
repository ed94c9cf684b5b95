import { ApiServer, reviewHandler, type WebhookHandler } from 'orch-apiserver';

/** The webhook configuration as it is deployed. It names a Service of the cluster. */
export const configuration = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: short-names }
webhooks:
- name: short-names.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: { service: { namespace: hooks, name: short-names, path: /validate } }
  rules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
`;

/** The webhook, which receives an AdmissionReview and returns its `response`. */
export const shortNames: WebhookHandler = ({ request }) => {
  const { name } = request as { name: string };
  return { allowed: name.length <= 8, status: { message: `${name} is too long` } };
};

export async function startWithHook(): Promise<ApiServer> {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  server.services.set('hooks/short-names', reviewHandler(shortNames));
  await server.load(configuration);
  return server;
}
