import { expect, it } from 'vitest';
import {
  configMap,
  secret,
  type ValidatingAdmissionPolicy,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
} from '../../../src/exports/kinds.js';
import { as, grant, outcome } from '../../authorization/server.js';
import { fetchFrom } from '../../support/ask.js';
import { closeAfterTest, startServer } from '../../support/servers.js';

const namespace = 'default';
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
const admin = { username: 'admin', groups: ['system:masters'] };
type Spec = Partial<ValidatingAdmissionPolicy['spec']>;

async function serverWith(spec: Spec, binding: object = {}) {
  const server = closeAfterTest(await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' }, metrics: true }));
  const client = server.client();
  const policy = { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules: [rule] }, ...spec } };
  await client.create(validatingAdmissionPolicy, policy as never);
  const bound = { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny'], ...binding } };
  await client.create(validatingAdmissionPolicyBinding, bound as never);
  return { server, client };
}
const map = (name: string, data: Readonly<Record<string, string>> = {}) => ({ metadata: { name, namespace }, data });
const denied = (why: string) => `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${why}`;

it('refuses a write that an expression does not allow, with the message of the policy', async () => {
  const { client } = await serverWith({
    variables: [{ name: 'mode', expression: "'mode' in object.data ? object.data.mode : 'none'" }],
    validations: [
      { expression: "variables.mode != 'bad'", message: 'bad it is', reason: 'Forbidden' },
      { expression: "variables.mode != 'worse'", messageExpression: "object.metadata.name + ' is ' + variables.mode" },
    ],
  });
  const create = (mode: string) => outcome(client.create(configMap, map('m', { mode })));
  expect(await create('bad')).toEqual({ code: 403, message: `configmaps "m" is forbidden: ${denied('bad it is')}` });
  expect(await create('worse')).toEqual({ code: 422, message: `configmaps "m" is forbidden: ${denied('m is worse')}` });
  expect(await create('good')).toMatchObject({ code: 200 });
  expect(await outcome(client.create(secret, { metadata: { name: 's', namespace } }))).toMatchObject({ code: 200 });
});

it('compares with the old object, and sees what is deleted', async () => {
  const { client } = await serverWith({
    validations: [
      {
        expression: 'oldObject == null || object == null || object.data.keep == oldObject.data.keep',
        message: 'keep stays',
      },
      { expression: "request.operation != 'DELETE' || oldObject.data.keep != 'always'", message: 'held' },
    ],
  });
  await client.create(configMap, map('m', { keep: 'always' }));
  const change = client.patch(configMap, 'm', { data: { keep: 'x' } }, { namespace });
  expect((await outcome(change)).message).toContain('keep stays');
  expect((await outcome(client.delete(configMap, 'm', { namespace }))).message).toContain('held');
});

it.each([
  ['Fail', 422],
  ['Ignore', 200],
])('an expression that fails has the effect of the failure policy %s', async (failurePolicy, code) => {
  const { client } = await serverWith({ failurePolicy, validations: [{ expression: 'int(object.data.n) > 0' }] });
  expect(await outcome(client.create(configMap, map('m', { n: 'x' })))).toMatchObject({ code });
  expect(await outcome(client.create(configMap, map('m2', { n: '0' })))).toMatchObject({ code: 422 });
});

it('reads its limits from parameters, by name or by label, and handles missing ones as configured', async () => {
  const spec: Spec = {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    // Match conditions do not help, because parameters are looked up first.
    matchConstraints: {
      resourceRules: [rule],
      excludeResourceRules: [{ ...rule, resourceNames: ['limits', 'limits-5', 'limits-7'] }],
    },
    validations: [
      { expression: 'int(object.data.n) <= int(params.data.max)', messageExpression: "'above ' + params.data.max" },
    ],
  };
  const byName = await serverWith(spec, { paramRef: { name: 'limits', namespace, parameterNotFoundAction: 'Deny' } });
  const create = ({ client }: typeof byName, name: string, n: number) =>
    outcome(client.create(configMap, map(name, { n: String(n) })));
  expect((await create(byName, 'a', 1)).message).toContain(
    'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
  );
  await byName.client.create(configMap, map('limits', { max: '3' }));
  expect(await create(byName, 'a', 3)).toMatchObject({ code: 200 });
  expect((await create(byName, 'b', 4)).message).toContain('above 3');

  const selector = { matchLabels: { use: 'yes' } };
  const byLabel = await serverWith(spec, { paramRef: { selector, parameterNotFoundAction: 'Allow' } });
  expect(await create(byLabel, 'a', 9)).toMatchObject({ code: 200 });
  for (const max of ['5', '7'])
    await byLabel.client.create(configMap, {
      metadata: { name: `limits-${max}`, namespace, labels: { use: 'yes' } },
      data: { max },
    });
  expect((await create(byLabel, 'b', 6)).message).toContain('above 5');
});

it('uses the authorizer for the user of the request', async () => {
  const { server, client } = await serverWith({
    validations: [
      { expression: "authorizer.group('').resource('secrets').namespace('default').check('get').allowed()" },
    ],
  });
  await grant(server, 'eve', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }]);
  expect(await outcome(as(server, 'eve').create(configMap, map('m')))).toMatchObject({ code: 422 });
  expect(await outcome(client.create(configMap, map('m')))).toMatchObject({ code: 200 });
});

it('has no effect without a binding, and follows its changes', async () => {
  const { client } = await serverWith({ validations: [{ expression: 'false', message: 'never' }] });
  expect(await outcome(client.create(configMap, map('m')))).toMatchObject({ code: 422 });
  await client.delete(validatingAdmissionPolicyBinding, 'b');
  expect(await outcome(client.create(configMap, map('m')))).toMatchObject({ code: 200 });
});

it('ignores excluded resources', async () => {
  const { client } = await serverWith({
    matchConstraints: {
      resourceRules: [{ ...rule, resources: ['*'] }],
      excludeResourceRules: [{ ...rule, resources: ['secrets'] }],
    },
    validations: [{ expression: 'false' }],
  });
  expect(await outcome(client.create(configMap, map('m')))).toMatchObject({ code: 422 });
  expect(await outcome(client.create(secret, { metadata: { name: 's', namespace } }))).toMatchObject({ code: 200 });
});

it('refuses matching writes if the kind of its parameters is not served', async () => {
  const { client } = await serverWith({
    paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' },
    validations: [{ expression: 'true' }],
  });
  expect((await outcome(client.create(configMap, map('m')))).message).toContain(
    "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'",
  );
});

it('finds a kind of parameters that is named in lower case', async () => {
  const { client } = await serverWith({
    paramKind: { apiVersion: 'v1', kind: 'configmap' },
    validations: [{ expression: 'true' }],
  });
  expect(await outcome(client.create(configMap, map('m')))).toMatchObject({ code: 200 });
});

it('refuses parameters that the author of a policy may not read', async () => {
  const { server } = await serverWith({ validations: [{ expression: 'true' }] });
  const resources = ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'];
  await grant(server, 'eve', [{ apiGroups: ['admissionregistration.k8s.io'], resources, verbs: ['create'] }]);
  const eve = as(server, 'eve');
  const spec = {
    paramKind: { apiVersion: 'v1', kind: 'Secret' },
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'params == null', messageExpression: 'string(params.data)' }],
  };
  expect(await outcome(eve.create(validatingAdmissionPolicy, { metadata: { name: 'q' }, spec } as never))).toEqual({
    code: 422,
    message: expect.stringContaining(
      'must have "get" permission on all objects of the referenced paramKind (kind=Secret',
    ),
  });
  await server.client().create(validatingAdmissionPolicy, { metadata: { name: 'q' }, spec } as never);
  const paramRef = { name: 's', namespace, parameterNotFoundAction: 'Deny' };
  const bound = { metadata: { name: 'q' }, spec: { policyName: 'q', validationActions: ['Deny'], paramRef } };
  expect(await outcome(eve.create(validatingAdmissionPolicyBinding, bound as never))).toMatchObject({ code: 422 });
});

it('stops if the client has disconnected', async () => {
  const BINDINGS = 200;
  const audit = { validationActions: ['Audit'] };
  const work =
    "'abcdefghij'.split('').all(a, 'abcdefghij'.split('').all(b, 'abcdefghij'.split('').all(c, a + b + c != '')))";
  const { server, client } = await serverWith({ validations: [{ expression: `!${work}` }] }, audit);
  for (let i = 1; i < BINDINGS; i++)
    await client.create(validatingAdmissionPolicyBinding, {
      metadata: { name: `b${i}` },
      spec: { policyName: 'p', ...audit },
    } as never);
  const evaluated = async () => {
    const text = await (await fetchFrom(server, '/metrics', { user: admin })).text();
    const counts = text.matchAll(/^apiserver_validating_admission_policy_check_total\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const create = (name: string, signal?: AbortSignal) =>
    fetchFrom(server, '/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      body: map(name),
      signal: signal ?? null,
      user: admin,
    });
  await (await create('first')).text();
  const whole = await evaluated();
  expect(whole).toBe(BINDINGS);
  const gone = new AbortController();
  const answer = create('second', gone.signal).catch(() => undefined);
  while ((await evaluated()) === whole) await new Promise((resolve) => setImmediate(resolve));
  gone.abort();
  await answer;
  let before = 0;
  for (let now = await evaluated(); now !== before; now = await evaluated()) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(before).toBeLessThan(2 * whole);
});
