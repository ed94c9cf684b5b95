import {
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
} from '../../dist/exports/kinds.js';
import { configMap } from '../../dist/index.js';
import { request } from '../support/request.mjs';
import { walk } from './plain.mjs';
import { seededServer, where } from './seeded.mjs';

const SIZES = [1_000, 10_000, 100_000];
const GROUP = 'rbac.authorization.k8s.io';
const ALICE = Object.freeze({ username: 'alice', groups: Object.freeze(['system:authenticated', 'dev']) });
const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }];
const metadata = (name, namespace) => ({
  name,
  ...(namespace ? { namespace } : {}),
  uid: name,
  creationTimestamp: '2026-01-01T00:00:00Z',
});
const binding = (name, user, namespace, role = 'reader') => ({
  metadata: metadata(name, namespace),
  subjects: [{ kind: 'User', apiGroup: GROUP, name: user }],
  roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role },
});

/** @param put stores the objects with one number */
const decided =
  (verb, allowed, put, each = false) =>
  async (count) => {
    const seeded = await seededServer({ controllers: { mode: 'stepped' } });
    await seeded.put('clusterroles/reader', { metadata: metadata('reader'), rules });
    await seeded.put('rolebindings/default/alice', binding('alice', 'alice', 'default'));
    for (let i = 0; i < count; i++) await put(seeded, i);
    const expected = allowed ? 404 : 403;
    const asked = { ...request('/api/v1/namespaces/default/configmaps/none'), method: verb };
    return {
      things: each ? count : 1,
      call: async () => {
        const { status } = await seeded.server.handle(asked, { user: ALICE });
        if (status !== expected) throw new Error(`answered with ${status}`);
      },
    };
  };
const bindings = async ({ put }, i) => {
  await put(`clusterrolebindings/other-${i}`, binding(`other-${i}`, `user-${i}`));
  await put(`rolebindings/default/other-${i}`, binding(`other-${i}`, `user-${i}`, 'default'));
};
const roles = ({ put }, i) => put(`clusterroles/role-${i}`, { metadata: metadata(`role-${i}`), rules });
const own = async ({ put }, i) => {
  await put(`clusterroles/role-${i}`, {
    metadata: metadata(`role-${i}`),
    rules: [{ verbs: ['get'], apiGroups: [''], resources: [`r-${i}`] }],
  });
  await put(`rolebindings/default/own-${i}`, binding(`own-${i}`, 'alice', 'default', `role-${i}`));
};

/** Creates a ConfigMap while admission has many configurations to match. */
const admitted =
  (put, each = false) =>
  async (count) => {
    const seeded = await seededServer({ controllers: { mode: 'stepped' } });
    await put(seeded, count);
    await seeded.server.settle();
    let i = 0;
    return {
      things: each ? count : 1,
      call: () =>
        seeded.client.create(
          configMap,
          { metadata: { generateName: 'c-', ...where }, data: { a: `${i++}` } },
          { dryRun: 'All' },
        ),
    };
  };
const rule = (resource, apiGroup = '') => ({
  apiGroups: [apiGroup],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: [resource],
});
const webhook = (resource, apiGroup, more = {}) => ({
  metadata: { name: 'hooks' },
  webhooks: [
    {
      name: 'hook.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/none' },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: [rule(resource, apiGroup)],
      ...more,
    },
  ],
});
const policies =
  (resource, apiGroup, more) =>
  async ({ fill }, count) => {
    await fill(
      validatingAdmissionPolicy,
      'validatingadmissionpolicies',
      {
        metadata: { name: 'policy' },
        spec: {
          matchConstraints: { resourceRules: [rule(resource, apiGroup)] },
          validations: [{ expression: "object.metadata.name != 'forbidden'" }],
          ...more,
        },
      },
      count,
    );
    await fill(
      validatingAdmissionPolicyBinding,
      'validatingadmissionpolicybindings',
      { metadata: { name: 'policy' }, spec: { policyName: 'policy', validationActions: ['Deny'] } },
      count,
      (copy) => {
        copy.spec.policyName = copy.metadata.name;
      },
    );
  };
const elsewhere = { namespaceSelector: { matchLabels: { no: 'such' } } };

export const subjects = {
  'allowed, beside bindings of others': { sizes: SIZES, make: decided('GET', true, bindings) },
  'refused, beside bindings of others': { sizes: SIZES, make: decided('DELETE', false, bindings) },
  'refused, beside roles that nobody has': { sizes: SIZES, make: decided('DELETE', false, roles) },
  'refused, each of the own bindings': {
    plain: walk,
    sizes: [1_000, 10_000],
    make: decided('DELETE', false, own, true),
  },
  'create beside validating webhooks of other kinds': {
    sizes: [1_000, 10_000],
    make: admitted(({ fill }, count) =>
      fill(validatingWebhookConfiguration, 'validatingwebhookconfigurations', webhook('deployments', 'apps'), count),
    ),
  },
  'create beside mutating webhooks of other kinds': {
    sizes: [1_000, 10_000],
    make: admitted(({ fill }, count) =>
      fill(mutatingWebhookConfiguration, 'mutatingwebhookconfigurations', webhook('deployments', 'apps'), count),
    ),
  },
  'create, each webhook of other namespaces': {
    sizes: [1_000, 10_000],
    make: admitted(
      ({ fill }, count) =>
        fill(
          validatingWebhookConfiguration,
          'validatingwebhookconfigurations',
          webhook('configmaps', '', elsewhere),
          count,
        ),
      true,
    ),
  },
  'create beside policies of other kinds': {
    sizes: [500, 5_000],
    make: admitted(policies('deployments', 'apps')),
  },
  'create, each policy that it has to hold to': {
    sizes: [200, 2_000],
    make: admitted(policies('configmaps', ''), true),
  },
};
