import { describe, expect, it } from 'vitest';
import { validatingAdmissionPolicy, validatingAdmissionPolicyBinding } from '../../../src/exports/kinds.js';
import { created, createErrors, readBody, row, updateErrors } from '../steps.js';

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
const policy = (spec: object) => ({
  metadata: { name: 'p' },
  spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }], ...spec },
});
const binding = (spec: object) => ({
  metadata: { name: 'b' },
  spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
});
const errorsOf = (spec: object) => createErrors(validatingAdmissionPolicy, policy(spec));

it('fails closed, and matches every namespace, by default', () => {
  expect(readBody(validatingAdmissionPolicy, policy({})).spec).toMatchObject({
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ scope: '*' }],
    },
  });
});

describe('the variables of an expression', () => {
  it.each([
    [
      'include the variables before it',
      {
        variables: [
          { name: 'a', expression: '1' },
          { name: 'b', expression: 'variables.a' },
        ],
      },
      [],
    ],
    [
      'do not include variables after it',
      {
        variables: [
          { name: 'a', expression: 'variables.b' },
          { name: 'b', expression: '1' },
        ],
      },
      ["undefined field 'b'"],
    ],
    [
      'do not include params without paramKind',
      { validations: [{ expression: 'params == null' }] },
      ["undeclared reference to 'params'"],
    ],
    [
      'include params with paramKind',
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression: 'params == null' }] },
      [],
    ],
    [
      'do not include authorizer in a messageExpression',
      { validations: [{ expression: 'true', messageExpression: "authorizer.path('/').check('get').reason()" }] },
      ["undeclared reference to 'authorizer'"],
    ],
    [
      'give an audit annotation the type string or null',
      { auditAnnotations: [{ key: 'k', valueExpression: '1' }] },
      ['must evaluate to one of [string null_type]'],
    ],
  ])('%s', async (_what, spec, why) => {
    expect(await errorsOf(spec)).toEqual(why.map((text) => expect.stringContaining(text)));
  });
});

it('requires at least one validation', async () => {
  expect(await createErrors(validatingAdmissionPolicy, { metadata: { name: 'p' }, spec: {} })).toEqual([
    'spec.matchConstraints: Required value',
    'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
    'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
  ]);
});

it('accepts invalid match conditions that are unchanged', async () => {
  const conditions = { matchConditions: [{ name: 'x', expression: 'nothing.here' }] };
  const old = created(validatingAdmissionPolicy, policy(conditions));
  expect(
    await updateErrors(validatingAdmissionPolicy, policy({ ...conditions, failurePolicy: 'Ignore' }), old),
  ).toEqual([]);
  const withParams = policy({ ...conditions, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
  expect(await updateErrors(validatingAdmissionPolicy, withParams, old)).toHaveLength(1);
});

describe('a binding', () => {
  it.each([
    ['cannot deny and warn', { validationActions: ['Deny', 'Warn'] }, ['must not contain both Deny and Warn']],
    ['requires an action', { validationActions: [] }, ['at least one validation action is required']],
    [
      'cannot select parameters by name and selector',
      { paramRef: { name: 'x', selector: {}, parameterNotFoundAction: 'Deny' } },
      ['mutually exclusive', 'mutually exclusive'],
    ],
    [
      'requires an action for missing parameters',
      { paramRef: { name: 'x' } },
      ['spec.paramRef.parameterNotFoundAction: Required value'],
    ],
  ])('%s', async (_what, spec, why) => {
    expect(await createErrors(validatingAdmissionPolicyBinding, binding(spec))).toEqual(
      why.map((text) => expect.stringContaining(text)),
    );
  });

  it('prints its policy and where its parameters are', () => {
    const ref = { name: 'limits', parameterNotFoundAction: 'Deny' };
    const cells = (spec: object) =>
      row(validatingAdmissionPolicyBinding, created(validatingAdmissionPolicyBinding, binding(spec)), 0).slice(0, 3);
    expect(cells({})).toEqual(['b', 'p', '<unset>']);
    expect(cells({ paramRef: ref })).toEqual(['b', 'p', '*/limits']);
    expect(cells({ paramRef: { ...ref, namespace: 'n' } })).toEqual(['b', 'p', 'n/limits']);
  });
});
