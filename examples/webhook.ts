/**
 * An admission webhook and a validating policy without a cluster: they need no port and no certificate. In a cluster, the webhook's
 * handler function is deployed behind HTTPS. Here the server calls it in the same process. Run it:
 *
 *   npx tsx examples/webhook.ts
 */
import { ApiServer, configMap, isInvalid, reviewHandler, type WebhookHandler } from 'orch-apiserver';
import {
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
} from 'orch-apiserver/kinds';

/** The webhook. It labels every ConfigMap with the team of its namespace. It receives an AdmissionReview and returns its `response`. */
export const teamLabel: WebhookHandler = ({ request }) => {
  const { namespace, object } = request as { namespace: string; object: { metadata: { labels?: object } } };
  const labels = { ...object.metadata.labels, team: namespace };
  return { allowed: true, patch: [{ op: 'add', path: '/metadata/labels', value: labels }] };
};

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'] as const, resources: ['configmaps'] };

const configuration = {
  metadata: { name: 'team-label' },
  webhooks: [
    {
      name: 'team-label.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { service: { namespace: 'default', name: 'team-label' } },
      rules: [rule],
    },
  ],
};

/** The policy. It requires lower-case keys, is evaluated after the webhook, and its message names the invalid key. */
export const lowerCaseKeys = {
  metadata: { name: 'lower-case-keys' },
  spec: {
    matchConstraints: { resourceRules: [rule] },
    variables: [{ name: 'wrong', expression: 'object.data.filter(key, key != key.lowerAscii())' }],
    validations: [
      { expression: 'variables.wrong.size() == 0', messageExpression: "'not lower case: ' + variables.wrong[0]" },
    ],
  },
};
const binding = {
  metadata: { name: 'lower-case-keys' },
  spec: { policyName: 'lower-case-keys', validationActions: ['Deny'] },
};

export async function startWithWebhook(): Promise<ApiServer> {
  const server = new ApiServer();
  await server.start();
  server.services.set('default/team-label', reviewHandler(teamLabel));
  const client = server.client();
  await client.create(mutatingWebhookConfiguration, configuration);
  await client.create(validatingAdmissionPolicy, lowerCaseKeys);
  await client.create(validatingAdmissionPolicyBinding, binding);
  return server;
}

if (process.argv[1]?.endsWith('webhook.ts')) {
  const server = await startWithWebhook();
  const create = (name: string, data: Record<string, string>) =>
    server.client().create(configMap, { metadata: { name, namespace: 'default' }, data });
  const { metadata } = await create('good', { color: 'blue' });
  process.stdout.write(`${JSON.stringify(metadata.labels)}\n`);
  await create('bad', { Color: 'blue' }).catch((error: unknown) => {
    if (!isInvalid(error)) throw error;
    process.stdout.write(`${error.message}\n`);
  });
  await server.close();
}
