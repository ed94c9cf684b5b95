import { expect, it } from 'vitest';
import { evaluateWithAuthorizer } from '../../src/admission/expression-authorizer.js';
import type { AuthorizationAttributes } from '../../src/authorization/authorizer.js';

const CHECK = {
  verb: 'get',
  path: undefined,
  group: '',
  resource: 'pods',
  subresource: '',
  namespace: 'ns',
  name: '',
  fieldSelector: undefined,
  labelSelector: undefined,
  serviceAccount: undefined,
};

it("checks a ServiceAccount with the groups of its namespace, and otherwise the caller with the caller's own groups", async () => {
  const asked: AuthorizationAttributes[] = [];
  const authorizer = {
    authorize(attributes: AuthorizationAttributes) {
      asked.push(attributes);
      return { decision: 'Allow', reason: '' } as const;
    },
  };
  const caller = { username: 'jane', groups: ['system:authenticated'] };
  await evaluateWithAuthorizer(authorizer, caller, (authorize) => {
    authorize({ ...CHECK, serviceAccount: { namespace: 'other', name: 'app' } });
    authorize(CHECK);
  });
  expect(asked.map(({ user }) => user)).toEqual([
    {
      username: 'system:serviceaccount:other:app',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:other'],
    },
    caller,
  ]);
});
