import { describe, expect, it } from 'vitest';
import type { AuthorizationAttributes, Authorizer, AuthorizerFactory } from '../../../src/authorization/authorizer.js';
import { orch } from '../../../src/meta/dialect.js';
import { authorizationConfiguration } from '../../../src/plugins/authorization-configuration.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';

// The contents of an AuthorizationConfiguration of `orch`, and the decisions of its webhooks (spec 12.12, 12.13, 19.9, 19.10).
const CONNECTIONS = { '/hook': { server: 'https://hook.example/ask' }, '/broken': 'it is not a kubeconfig' };
const WEBHOOK = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  matchConditionSubjectAccessReviewVersion: 'v1',
  failurePolicy: 'NoOpinion',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/hook' },
};
const hook = (more: object = {}) => ({ type: 'Webhook', name: 'hook', webhook: { ...WEBHOOK, ...more } });
const read = (authorizers: readonly object[], head: object = {}, typed = false) =>
  authorizationConfiguration({ ...head, authorizers } as never, { dialect: 'orch', connections: CONNECTIONS, typed });
const problemOf = (...given: Parameters<typeof read>) =>
  read(...given).then(
    () => '',
    (error: Error) => error.message,
  );

describe('a configuration', () => {
  it('must have its version and kind if it is a file', async () => {
    const typed = (apiVersion: string, kind = 'AuthorizationConfiguration') =>
      problemOf([{ type: 'RBAC', name: 'rbac' }], { apiVersion, kind }, true);
    expect(await typed('apiserver.config.orch.io/v1beta1')).toBe('');
    expect(await typed('apiserver.config.k8s.io/v1beta1')).not.toBe('');
    expect(await typed('apiserver.config.orch.io/v1beta1', 'Other')).not.toBe('');
  });

  it('is refused with the types of its own version', async () => {
    const wrong = { kind: 'AuthorizationConfiguration', authorizers: 1 };
    for (const version of ['v1alpha1', 'v1beta1']) {
      const head = { apiVersion: `apiserver.config.orch.io/${version}`, ...wrong };
      const read = authorizationConfiguration(head as never, { dialect: 'orch', typed: true });
      await expect(read).rejects.toThrow(`of type []${version}.AuthorizerConfiguration`);
    }
  });

  it('accepts the types Webhook, Node and RBAC, each with a name', async () => {
    const types = ['Node', 'RBAC'].map((type) => ({ type, name: type.toLowerCase() }));
    expect(await problemOf([...types, hook()])).toBe('');
    expect(await problemOf([{ type: 'RBAC' }])).toContain('authorizers[0].name: Required value');
    expect(await problemOf([{ name: 'x' }])).toContain('authorizers[0].type: Required value');
    expect(await problemOf([{ type: 'ABAC', name: 'x' }])).toContain('Unsupported value: "ABAC"');
    expect(await problemOf([])).toContain('at least one authorization mode must be defined');
  });

  it.each<[string, object, string]>([
    ['timeout', { timeout: undefined }, 'authorizers[0].timeout: Required value'],
    ['timeout', { timeout: '31s' }, 'must be > 0s and <= 30s'],
    ['version of reviews', { subjectAccessReviewVersion: undefined }, 'subjectAccessReviewVersion: Required value'],
    ['version of reviews', { subjectAccessReviewVersion: 'v2' }, 'supported values: "v1", "v1beta1"'],
    [
      'version of conditions',
      { matchConditionSubjectAccessReviewVersion: undefined },
      'matchConditionSubjectAccessReviewVersion: Required value',
    ],
    [
      'version of conditions',
      { matchConditionSubjectAccessReviewVersion: 'v1beta1' },
      'matchConditionSubjectAccessReviewVersion: Unsupported value: "v1beta1": supported values: "v1"',
    ],
    ['failure policy', { failurePolicy: undefined }, 'failurePolicy: Required value'],
    ['failure policy', { failurePolicy: 'Allow' }, 'supported values: "NoOpinion", "Deny"'],
    ['connection', { connectionInfo: {} }, 'connectionInfo.type: Required value'],
    [
      'connection',
      { connectionInfo: { type: 'URL' } },
      'Unsupported value: apiserver.WebhookConnectionInfo{Type:"URL", KubeConfigFile:(*string)(nil)}: supported values: "InClusterConfig", "KubeConfigFile"',
    ],
    ['lifetime', { authorizedTTL: '' }, 'time: invalid duration ""'],
    ['timeout', { timeout: null }, 'time: invalid duration ""'],
    [
      'lifetime rather than for an unknown field',
      { unknown: 1, authorizedTTL: '5' },
      'time: missing unit in duration "5"',
    ],
    ['unknown field', { unknown: 1 }, 'strict decoding error: unknown field "authorizers[0].webhook.unknown"'],
    ['kubeconfig', { connectionInfo: { type: 'KubeConfigFile' } }, 'connectionInfo.kubeConfigFile: Required value'],
    ['kubeconfig', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/broken' } }, 'it is not a kubeconfig'],
    ['condition', { matchConditions: [{ expression: '"a"' }] }, 'matchConditions[0].expression: Invalid value'],
    ['condition', { matchConditions: [{ expression: 'null' }] }, 'must evaluate to bool but got null_type'],
    [
      'condition',
      { matchConditions: [{ expression: '[duration("1s")]' }] },
      'must evaluate to bool but got list(google.protobuf.Duration)',
    ],
  ])('is refused for the %s of a webhook: %j', async (_what, more, problem) => {
    expect(await problemOf([hook(more)])).toContain(problem);
  });

  it('compares the match conditions of a webhook as text', async () => {
    const condition = { expression: 'request.user == "jane"' };
    const spaced = { expression: ` ${condition.expression} ` };
    expect(await problemOf([hook({ matchConditions: [condition, spaced] })])).toBe('');
    expect(await problemOf([hook({ matchConditions: [condition, condition] })])).toContain(
      'authorizers[0].matchConditions[1].expression: Duplicate value',
    );
  });

  it('is refused with every wrong name and missing type', async () => {
    const [rbac, node] = ['RBAC', 'Node'].map((type) => ({ type, name: 'x' }));
    const wrong = (type: string) => `expected name ${type.toLowerCase()} for authorizer ${type} instead of x`;
    expect(await problemOf([rbac as object])).toBe(wrong('RBAC'));
    expect(await problemOf([rbac as object, hook(), { ...node, name: 'y' }])).toBe(
      `[${wrong('RBAC')}, expected name node for authorizer Node instead of y]`,
    );
    const configured = await read(['RBAC', 'Node'].map((type) => ({ type, name: type.toLowerCase() })));
    await expect(configured.replace({ authorizers: [node] })).rejects.toThrow(
      `[${wrong('Node')}, missing required types: [RBAC]]`,
    );
  });

  it('cannot change the authorizers other than webhooks when it is replaced', async () => {
    const [rbac, node] = ['RBAC', 'Node'].map((type) => ({ type, name: type.toLowerCase() }));
    const configured = await read([rbac as object, hook()]);
    const replace = (...authorizers: object[]) => configured.replace({ authorizers }, { connections: CONNECTIONS });
    await replace(rbac as object);
    await replace(rbac as object, hook({ timeout: '4s' }));
    await expect(replace(hook())).rejects.toThrow('RBAC');
    await expect(replace(rbac as object, node as object)).rejects.toThrow('Node');
  });
});

const jane: AuthorizationAttributes = {
  user: { username: 'jane' },
  verb: 'get',
  resourceRequest: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: 'a',
  path: '/api/v1/namespaces/default/pods/a',
};

/** Returns an authorizer with one webhook that responds with `status`, and the reviews that it received. */
async function asking(more: object, status: object | number = { allowed: true }) {
  const reviews: { readonly apiVersion: string; readonly spec: object }[] = [];
  const host = createFakeHost({
    dialect: orch,
    fetch: async (_, { body = '' }) => {
      const review = JSON.parse(body);
      reviews.push(review);
      if (typeof status === 'number') return new Response('', { status });
      return Response.json({ apiVersion: review.apiVersion, kind: 'SubjectAccessReview', status });
    },
  });
  const { authorization } = await read([hook(more)]);
  const authorizer = (authorization[0] as AuthorizerFactory)(host) as Authorizer;
  const decide = async (change: Partial<AuthorizationAttributes> = {}) =>
    (await authorizer.authorize({ ...jane, ...change })).decision;
  return { host, reviews, decide };
}

describe('a webhook', () => {
  it('receives its version of the review, and decides', async () => {
    const { decide, reviews } = await asking({});
    expect(await decide()).toBe('Allow');
    expect(reviews).toMatchObject([
      {
        apiVersion: 'authorization.orch.io/v1',
        spec: { user: 'jane', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default', name: 'a' } },
      },
    ]);
    const older = await asking({ subjectAccessReviewVersion: 'v1beta1' }, { denied: true });
    expect([await older.decide(), older.reviews[0]?.apiVersion]).toEqual(['Deny', 'authorization.orch.io/v1beta1']);
    expect(await (await asking({}, {})).decide()).toBe('NoOpinion');
  });

  it.each<[string, object, object, number]>([
    ['permission for 5 minutes', {}, { allowed: true }, 300_000],
    ['no opinion for 30 seconds', {}, {}, 30_000],
    ['denial for 30 seconds', {}, { denied: true }, 30_000],
    ['permission with denial for 5 minutes', {}, { allowed: true, denied: true }, 300_000],
    ['permission for authorizedTTL', { authorizedTTL: '7s' }, { allowed: true }, 7_000],
    ['no opinion for unauthorizedTTL', { unauthorizedTTL: '7s' }, {}, 7_000],
  ])('has its decisions cached: %s', async (_what, more, status, milliseconds) => {
    const { host, decide, reviews } = await asking(more, status);
    await decide();
    host.clock.advance(milliseconds - 1);
    await decide();
    expect(reviews).toHaveLength(1);
    host.clock.advance(2);
    await decide();
    expect(reviews).toHaveLength(2);
  });

  it.each([
    ['NoOpinion', 'NoOpinion'],
    ['Deny', 'Deny'],
  ])('that fails decides %s by its failure policy', async (failurePolicy, decision) => {
    expect(await (await asking({ failurePolicy }, 403)).decide()).toBe(decision);
    const malformed = await asking({ failurePolicy }, { allowed: 'yes' });
    expect(await malformed.decide()).toBe(decision);
    const failing = { failurePolicy, matchConditions: [{ expression: 'request.resourceAttributes.verb == "get"' }] };
    const { decide, reviews } = await asking(failing);
    const withoutResource = { resourceRequest: false, path: '/metrics' };
    expect([await decide(withoutResource), reviews.length]).toEqual([decision, 0]);
  });

  it('is called if all its conditions hold, and skipped if one does not', async () => {
    const matchConditions = ['request.user == "jane"', 'request.resourceAttributes.verb == "get"'].map(
      (expression) => ({
        expression,
      }),
    );
    const { decide, reviews } = await asking({ matchConditions });
    expect([await decide(), reviews.length]).toEqual(['Allow', 1]);
    expect([await decide({ verb: 'list' }), reviews.length]).toEqual(['NoOpinion', 1]);
    // A condition that is false takes precedence over one that fails.
    expect(await decide({ user: { username: 'joe' }, resourceRequest: false, path: '/x' })).toBe('NoOpinion');
    expect(reviews).toHaveLength(1);
  });
});
