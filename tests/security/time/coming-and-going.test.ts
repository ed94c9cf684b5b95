import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { fetchFrom } from '../../support/ask.js';
import { reachableMegabytes } from '../../support/collect-garbage.js';
import { startServer } from '../../support/servers.js';

/*
 * Deleted objects leave no state behind: objects of each kind for which a server keeps additional state are created, used and deleted
 * many times, each time under another name. Series of metrics stay, up to the limit of their family.
 */

const ROUNDS = 100;
const WARM_UP = 30;
/** MiB; what comes and goes is at least twice as much. */
const MARGIN = 10;
/** So large that objects that stay are seen. */
const ballast = { 'example.com/ballast': 'x'.repeat(200_000) };

type Body = Readonly<Record<string, unknown>>;
type Ask = (method: string, path: string, body?: Body) => Promise<Response>;

interface Thing {
  readonly collection: string;
  body(name: string): Body;
  /** Something that the server does because it is there. */
  use?(ask: Ask, name: string): Promise<unknown>;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const write = (ask: Ask) => ask('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'tried' } });
const read = (ask: Ask) => ask('GET', configMaps);
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roleRef = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name: 'view' });
const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' }];
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const hooks = (name: string) => [
  {
    name: `${name}.example.com`,
    clientConfig: { url: 'https://127.0.0.1:1/none' },
    failurePolicy: 'Ignore',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 1,
    matchConditions: [{ name: 'never', expression: `object.metadata.name == '${name}'` }],
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
  },
];
const named =
  (said: (name: string) => Body) =>
  (name: string): Body => ({ metadata: { name, annotations: ballast }, ...said(name) });

const things: Readonly<Record<string, Thing>> = {
  definitions: {
    collection: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: (kind) => ({
      metadata: { name: `${kind}s.example.com`, annotations: ballast },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: `${kind}s`, singular: kind, kind: `K${kind}` },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    'x-kubernetes-validations': [{ rule: 'self.n > 0' }],
                    properties: { n: { type: 'integer' } },
                  },
                },
              },
            },
          },
        ],
      },
    }),
    use: async (ask, kind) => {
      const body = { apiVersion: 'example.com/v1', kind: `K${kind}`, metadata: { name: 'one' }, spec: { n: 1 } };
      await ask('POST', `/apis/example.com/v1/${kind}s`, body);
      await ask('GET', `/apis/example.com/v1/${kind}s`);
      await ask('GET', '/openapi/v3/apis/example.com/v1');
    },
  },
  policies: {
    collection: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    body: named((name) => ({
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
        },
        validations: [{ expression: `object.metadata.name != '${name}'` }],
      },
    })),
    use: async (ask, name) => {
      const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
      await ask('POST', bindings, { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } });
      await write(ask);
      await ask('DELETE', `${bindings}/${name}`);
    },
  },
  'validating webhooks': {
    collection: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    body: named((name) => ({ webhooks: hooks(name) })),
    use: write,
  },
  'mutating webhooks': {
    collection: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    body: named((name) => ({ webhooks: hooks(name) })),
    use: write,
  },
  APIServices: {
    collection: '/apis/apiregistration.k8s.io/v1/apiservices',
    body: (name) => ({
      metadata: { name: `v1.${name}.example.org`, annotations: ballast },
      spec: {
        group: `${name}.example.org`,
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { name: 'none', namespace: 'default' },
      },
    }),
    use: (ask, name) => ask('GET', `/apis/${name}.example.org/v1`),
  },
  roles: { collection: `${rbac}/namespaces/default/roles`, body: named(() => ({ rules })), use: read },
  'cluster roles': { collection: `${rbac}/clusterroles`, body: named(() => ({ rules })), use: read },
  'role bindings': {
    collection: `${rbac}/namespaces/default/rolebindings`,
    body: named(() => ({ roleRef: roleRef('ClusterRole'), subjects })),
    use: read,
  },
  'cluster role bindings': {
    collection: `${rbac}/clusterrolebindings`,
    body: named(() => ({ roleRef: roleRef('ClusterRole'), subjects })),
    use: read,
  },
  namespaces: {
    collection: '/api/v1/namespaces',
    body: named(() => ({})),
    use: (ask, name) => ask('POST', `/api/v1/namespaces/${name}/configmaps`, { metadata: { name: 'one' } }),
  },
  'service accounts and their tokens': {
    collection: '/api/v1/namespaces/default/serviceaccounts',
    body: named(() => ({})),
    use: (ask, name) =>
      ask('POST', `/api/v1/namespaces/default/serviceaccounts/${name}/token`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      }),
  },
  'flow schemas': {
    collection: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    body: named(() => ({
      spec: {
        priorityLevelConfiguration: { name: 'workload-low' },
        matchingPrecedence: 9000,
        distinguisherMethod: { type: 'ByUser' },
      },
    })),
    use: read,
  },
};

async function setUp() {
  const clock = createFakeClock('2026-11-21T12:00:00Z');
  const server = await startServer({ dialect: 'k8s', clock });
  let users = 0;
  // Each request is of another user: what is kept of users comes and goes, too.
  const ask: Ask = (method, path, body) =>
    fetchFrom(server, path, {
      method,
      body,
      user: Object.freeze({ username: `user-${users++}`, groups: Object.freeze(['system:masters']) }),
    });
  return { clock, server, ask };
}

/** What is deleted is in the history for some minutes yet. */
async function measured(advance: (milliseconds: number) => void): Promise<number> {
  for (let i = 0; i < 12; i++) {
    advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return reachableMegabytes();
}

describe('clients that come and go leave no state behind:', () => {
  it.each(Object.entries(things))('%s', { timeout: 120_000 }, async (_, { collection, body, use }) => {
    const { clock, server, ask } = await setUp();
    await using _server = server;
    const come = async (prefix: string, rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        const name = `${prefix}${round}`;
        const object = body(name);
        const made = await ask('POST', collection, object);
        expect([made.status, made.status === 201 ? '' : await made.text()]).toEqual([201, '']);
        await made.arrayBuffer();
        await use?.(ask, name);
        const { name: key } = object['metadata'] as { readonly name: string };
        const gone = await ask('DELETE', `${collection}/${key}`);
        expect([200, 202]).toContain(gone.status);
        await gone.arrayBuffer();
        // A namespace goes when its controller has emptied it.
        while ((await ask('GET', `${collection}/${key}`)).status !== 404) {
          clock.advance(1000);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    };
    await come('w', WARM_UP);
    const before = await measured((time) => clock.advance(time));
    await come('m', ROUNDS);
    expect((await measured((time) => clock.advance(time))) - before).toBeLessThan(MARGIN);
  });

  it('watches, of users with one request each', { timeout: 120_000 }, async () => {
    const { clock, server, ask } = await setUp();
    await using _server = server;
    const selector = Array.from({ length: 900 }, (_, i) => `key-${i}!=${'v'.repeat(40)}`).join(',');
    const come = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        const path = `${configMaps}?watch=true&labelSelector=${encodeURIComponent(`a!=${round},${selector}`)}`;
        const answer = await ask('GET', path);
        expect(answer.status).toBe(200);
        await answer.body?.cancel();
      }
    };
    await come(WARM_UP);
    const before = await measured((time) => clock.advance(time));
    await come(2 * ROUNDS);
    expect((await measured((time) => clock.advance(time))) - before).toBeLessThan(MARGIN / 2);
  });
});
