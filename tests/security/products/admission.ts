import { type Client, type Product, range } from './measure.js';

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';

const configMapRules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }];
const oneConfigMap = { method: 'POST', path: CONFIG_MAPS, body: { metadata: { name: 'c' } } };
const tenTimes = (body: string, name: string) => `[1,2,3,4,5,6,7,8,9,10].all(${name}, ${body})`;
const HEAVY = tenTimes(tenTimes(tenTimes('a + b + c > 0', 'c'), 'b'), 'a');

async function policy(client: Client, name: string, bindings: number, spec: object, paramRef?: object): Promise<void> {
  await client.create(`${ADMISSION}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules: configMapRules }, ...spec },
  });
  for (let i = 0; i < bindings; i++)
    await client.create(`${ADMISSION}/validatingadmissionpolicybindings`, {
      metadata: { name: `${name}-${i}` },
      spec: { policyName: name, validationActions: ['Deny'], ...(paramRef && { paramRef }) },
    });
}

const podOf = (containers: readonly object[]) => ({
  method: 'POST',
  path: PODS,
  body: { metadata: { name: 'p' }, spec: { containers } },
});
const account = (client: Client) =>
  client.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });

export const products: readonly Product[] = [
  {
    name: 'webhooks x match conditions',
    small: [10, 16],
    largest: [250, 64],
    bounds: '64 conditions; the size of a configuration; a turn of 10 ms',
    status: 201,
    async prepare(client, a, b) {
      await client.create(`${ADMISSION}/validatingwebhookconfigurations`, {
        metadata: { name: 'x' },
        webhooks: range(a, (i) => ({
          name: `w${i}.x.io`,
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { url: 'https://127.0.0.1:1/x' },
          rules: configMapRules,
          matchConditions: range(b, (k) => ({
            name: `c${k}`,
            expression: k === b - 1 ? 'false' : `object.kind != "x${k}"`,
          })),
        })),
      });
      return oneConfigMap;
    },
  },
  {
    name: 'policies x validations that are as dear as allowed',
    small: [3, 3],
    largest: [30, 20],
    bounds: 'the cost of each evaluation; a turn of 10 ms',
    status: 201,
    async prepare(client, a, b) {
      for (let i = 0; i < a; i++)
        await policy(client, `p${i}`, 1, { validations: range(b, () => ({ expression: HEAVY })) });
      return oneConfigMap;
    },
  },
  {
    name: 'policies x parameters',
    small: [3, 50],
    largest: [30, 1000],
    bounds: 'a turn of 10 ms',
    status: 201,
    async prepare(client, a, b) {
      for (let i = 0; i < b; i++)
        await client.create('/api/v1/namespaces/default/secrets', { metadata: { name: `s${i}`, labels: { a: 'b' } } });
      const spec = {
        paramKind: { apiVersion: 'v1', kind: 'Secret' },
        validations: [{ expression: 'params.metadata.name != object.metadata.name' }],
      };
      const paramRef = { selector: { matchLabels: { a: 'b' } }, namespace: 'default', parameterNotFoundAction: 'Deny' };
      for (let i = 0; i < a; i++) await policy(client, `p${i}`, 1, spec, paramRef);
      return oneConfigMap;
    },
  },
  {
    name: 'policies x bindings',
    small: [3, 50],
    largest: [10, 500],
    bounds: 'a turn of 10 ms',
    status: 201,
    async prepare(client, a, b) {
      for (let i = 0; i < a; i++)
        await policy(client, `p${i}`, b, { validations: [{ expression: 'object.kind != "x"' }] });
      return oneConfigMap;
    },
  },
  {
    name: 'limit ranges x containers',
    small: [10, 200],
    largest: [300, 3000],
    bounds: 'a turn of 10 ms',
    status: 201,
    async prepare(client, a, b) {
      await account(client);
      const limit = {
        type: 'Container',
        max: { cpu: '10', memory: '1Gi' },
        min: { cpu: '1m' },
        default: { cpu: '1', memory: '1Mi' },
      };
      for (let i = 0; i < a; i++)
        await client.create('/api/v1/namespaces/default/limitranges', {
          metadata: { name: `l${i}` },
          spec: { limits: [limit] },
        });
      return podOf(range(b, (i) => ({ name: `c${i}`, image: 'x' })));
    },
  },
  {
    name: 'default limits x containers',
    small: [20, 100],
    largest: [5000, 5000],
    bounds: 'the 256 KiB of annotations that say what was filled in',
    status: 422,
    async prepare(client, a, b) {
      await account(client);
      const amounts = Object.fromEntries(range(a, (i) => [`x.io/r${i}`, '1']));
      const limits = [{ type: 'Container', max: amounts, default: amounts }];
      await client.create('/api/v1/namespaces/default/limitranges', { metadata: { name: 'l' }, spec: { limits } });
      return podOf(range(b, (i) => ({ name: `c${i}`, image: 'x' })));
    },
  },
  {
    name: 'containers x resources of their own, in all that a pod asks for',
    small: [50, 10],
    largest: [800, 15],
    bounds: 'the size of a request',
    status: 201,
    async prepare(client, a, b) {
      await account(client);
      const limits = [{ type: 'Pod', max: { cpu: '100000' }, min: {} }];
      await client.create('/api/v1/namespaces/default/limitranges', { metadata: { name: 'l' }, spec: { limits } });
      return podOf(
        range(a, (i) => {
          const amounts = { cpu: '1m', ...Object.fromEntries(range(b, (k) => [`x.io/r${i}-${k}`, '1'])) };
          return { name: `c${i}`, image: 'x', resources: { limits: amounts, requests: amounts } };
        }),
      );
    },
  },
  {
    name: 'quotas x resources that they limit',
    small: [20, 20],
    largest: [500, 200],
    bounds: 'only limits of the kind that is written are looked at',
    status: 201,
    async prepare(client, a, b) {
      const hard = { ...Object.fromEntries(range(b, (k) => [`count/x${k}.y.io`, '5'])), configmaps: '1000' };
      for (let i = 0; i < a; i++)
        await client.create('/api/v1/namespaces/default/resourcequotas', {
          metadata: { name: `q${i}` },
          spec: { hard },
        });
      return oneConfigMap;
    },
  },
];
