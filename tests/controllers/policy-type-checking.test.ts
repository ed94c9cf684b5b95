import { expect, it } from 'vitest';
import { ApiServer } from '../../src/api-server.js';
import { schemaType } from '../../src/cel/index.js';
import { builtinResources, loadKinds, validatingAdmissionPolicy } from '../../src/exports/kinds.js';

const rule = (...resources: string[]) => ({ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources });

async function checked(spec: object, ...resources: string[]) {
  await using server = new ApiServer({ dialect: 'k8s', controllerMode: 'stepped' });
  await server.start();
  const policy = {
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules: [rule(...resources)] }, ...spec },
  };
  await server.client().create(validatingAdmissionPolicy, policy as never);
  await server.settle();
  return (await server.client().get(validatingAdmissionPolicy, 'p')).status;
}

it('says nothing of what fits', async () => {
  const status = await checked({ validations: [{ expression: 'object.data.size() < 5' }] }, 'configmaps');
  expect(status).toEqual({ observedGeneration: 1, typeChecking: {} });
});

it('says what of which kind does not fit, expression by expression', async () => {
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

it('takes variables that do not fit for anything', async () => {
  const variables = [{ name: 'n', expression: 'object.spec.n' }];
  const status = await checked({ variables, validations: [{ expression: 'variables.n == 1' }] }, 'configmaps');
  expect(status.typeChecking).toEqual({});
});

it('knows the types of every kind, those that contain themselves among them', async () => {
  await loadKinds(builtinResources);
  for (const { schema, kind } of builtinResources) expect(schemaType(schema, { resource: true }), kind).toBeDefined();
});
