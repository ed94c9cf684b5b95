import { expect, it } from 'vitest';
import { schemaType } from '../../src/cel/index.js';
import { builtinResources, validatingAdmissionPolicy } from '../../src/exports/kinds.js';
import { startServer } from '../support/servers.js';

const rule = (...resources: string[]) => ({ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources });

async function checked(spec: object, ...resources: string[]) {
  await using server = await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' } });
  const policy = {
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules: [rule(...resources)] }, ...spec },
  };
  await server.client().create(validatingAdmissionPolicy, policy as never);
  await server.settle();
  return (await server.client().get(validatingAdmissionPolicy, 'p')).status;
}

it('reports nothing if the types match', async () => {
  const status = await checked({ validations: [{ expression: 'object.data.size() < 5' }] }, 'configmaps');
  expect(status).toEqual({ observedGeneration: 1, typeChecking: {} });
});

it('reports each expression whose types do not match, by kind', async () => {
  const validations = [
    { expression: 'object.immutable > 1', messageExpression: 'string(object.spec.x)' },
    { expression: 'object.metadata.name.size() > 1' },
  ];
  const status = await checked({ validations }, 'configmaps', 'secrets');
  const warnings = status.typeChecking?.expressionWarnings ?? [];
  expect(warnings.map(({ fieldRef }) => fieldRef)).toEqual([
    'spec.validations[0].expression',
    'spec.validations[0].messageExpression',
  ]);
  expect(warnings[0]?.warning).toBe(
    ['ConfigMap', 'Secret']
      .map(
        (kind) =>
          `/v1, Kind=${kind}: ERROR: <input>:1:18: found no matching overload for '_>_' applied to '(bool, int)'\n | object.immutable > 1\n | .................^\n`,
      )
      .join('\n'),
  );
});

it('treats variables with errors as dyn', async () => {
  const variables = [{ name: 'n', expression: 'object.spec.n' }];
  const status = await checked({ variables, validations: [{ expression: 'variables.n == 1' }] }, 'configmaps');
  expect(status.typeChecking).toEqual({});
});

const warningsOf = ({ typeChecking }: Awaited<ReturnType<typeof checked>>) =>
  (typeChecking?.expressionWarnings ?? []).map(({ warning }) => warning.split('\n')[0]?.replace(/^.*?: ERROR: /, ''));

it('takes parameters of an unknown kind for anything, and those of the same kind for another type than the objects', async () => {
  const validations = [{ expression: 'params.a > 1' }, { expression: 'params == object' }];
  const paramKind = { apiVersion: 'rules.example.com/v1', kind: 'Limit' };
  expect(warningsOf(await checked({ paramKind, validations }, 'configmaps'))).toEqual([]);
  const known = await checked({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations }, 'configmaps');
  expect(warningsOf(known)).toEqual([
    "<input>:1:7: undefined field 'a'",
    "<input>:1:8: found no matching overload for '_==_' applied to '(ConfigMapParams, ConfigMap)'",
  ]);
});

it('knows values of any content as objects without fields, and no quantities', async () => {
  const expressions = [
    'has(object.metadata.managedFields[0].fieldsV1)',
    'object.metadata.managedFields[0].fieldsV1.x == 1',
    'object.spec.containers[0].resources.limits.size() > 0',
    'object.spec.containers[0].resources.claims.size() > 0',
  ];
  const status = await checked({ validations: expressions.map((expression) => ({ expression })) }, 'pods');
  expect(warningsOf(status)).toEqual(["<input>:1:42: undefined field 'x'", "<input>:1:36: undefined field 'limits'"]);
  const inner = 'object.spec.versions[0].schema.openAPIV3Schema.not.type == ""';
  const resourceRules = [{ ...rule('customresourcedefinitions'), apiGroups: ['apiextensions.k8s.io'] }];
  expect(
    warningsOf(await checked({ matchConstraints: { resourceRules }, validations: [{ expression: inner }] })),
  ).toEqual(["<input>:1:51: undefined field 'type'"]);
});

it('knows no resource of the request', async () => {
  const expression = 'authorizer.requestResource.check("get").allowed()';
  expect(warningsOf(await checked({ validations: [{ expression }] }, 'configmaps'))).toEqual([
    "<input>:1:11: unexpected failed resolution of 'kubernetes.authorization.Authorizer'",
  ]);
});

it('knows the types of every kind, including recursive ones', async () => {
  for (const { schema, kind } of builtinResources) expect(schemaType(schema, { resource: true }), kind).toBeDefined();
});

it.each([
  ['none for the resource *', ['apps'], ['v1'], ['*'], []],
  ['none for subresources', [''], ['v1'], ['pods/*'], []],
  ['none for the version *', ['apps'], ['*'], ['deployments'], []],
  [
    'those of every group for a resource of the core group',
    [''],
    ['v1'],
    ['events'],
    ['/v1, Kind=Event', 'events.k8s.io/v1, Kind=Event'],
  ],
  [
    'those of singular names and of capital letters',
    [''],
    ['v1'],
    ['pod', 'ConfigMaps'],
    ['/v1, Kind=ConfigMap', '/v1, Kind=Pod'],
  ],
  [
    'sorted by group, version and kind',
    ['apps', 'batch'],
    ['v1'],
    ['jobs', 'deployments'],
    ['apps/v1, Kind=Deployment', 'batch/v1, Kind=Job'],
  ],
])('the kinds that are checked: %s', async (_name, apiGroups, apiVersions, resources, kinds) => {
  const resourceRules = [{ operations: ['CREATE'], apiGroups, apiVersions, resources }];
  const status = await checked({
    matchConstraints: { resourceRules },
    validations: [{ expression: 'object.none > 1' }],
  });
  const { warning = '' } = status.typeChecking?.expressionWarnings?.[0] ?? {};
  expect([...warning.matchAll(/^(\S*\/\S+, Kind=\S+): ERROR/gm)].map(([, kind]) => kind)).toEqual(kinds);
});

it('checks ten kinds of a rule, the first by name, and no further rule after one with ten', async () => {
  const core = 'configmaps endpoints events limitranges namespaces nodes persistentvolumeclaims'.split(' ');
  const rules = [
    core.slice(0, 6),
    core.slice(5),
    [...core, 'pods', 'podtemplates', 'secrets', 'services'],
    ['serviceaccounts'],
  ];
  const resourceRules = rules.map((resources) => rule(...resources));
  const status = await checked({
    matchConstraints: { resourceRules },
    validations: [{ expression: 'object.none > 1' }],
  });
  const { warning = '' } = status.typeChecking?.expressionWarnings?.[0] ?? {};
  const kinds = [...warning.matchAll(/Kind=(\w+): ERROR/g)].map(([, kind]) => kind);
  expect(kinds).toContain('PersistentVolumeClaim');
  expect(kinds).not.toContain('ServiceAccount');
  expect(kinds).not.toContain('Service');
});
