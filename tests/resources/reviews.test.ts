import { describe, expect, it } from 'vitest';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import type { AuthorizationAttributes, AuthorizerFactory } from '../../src/authorization/authorizer.js';
import { requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';

let asked: AuthorizationAttributes | undefined;
/** Allows reviews. Of the reviewed requests, it allows `get` with a reason, denies `deny`, and fails for `fail`. */
const authorizer: AuthorizerFactory = () => ({
  name: 'test',
  authorize(attributes) {
    if (/\.k8s\.io$/.test(attributes.group)) return { decision: 'Allow', reason: '' };
    asked = attributes;
    if (attributes.verb === 'get') return { decision: 'Allow', reason: 'because' };
    if (attributes.verb === 'deny') return { decision: 'Deny', reason: 'never' };
    return attributes.verb === 'fail'
      ? { decision: 'NoOpinion', reason: '', error: new Error('out of order') }
      : { decision: 'NoOpinion', reason: '' };
  },
  rulesFor: (user, namespace) => ({
    resourceRules: [
      { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [], nonResourceURLs: ['/x'] },
    ],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: [`/${user.username}/${namespace}`] }],
    incomplete: true,
    error: new Error('half'),
  }),
});

const server = suiteServer({
  dialect: 'k8s',
  authentication: [tokenFile('t-bob,bob,uid-bob,"dev,qa"\n')],
  authorization: [authorizer],
  serviceAccountTokens: { issuers: ['https://here'] },
  controllers: [],
});
const { get, post, send } = requestsTo(server);

const headers = { authorization: 'Bearer t-bob' };
const postReview = (resource: string, body: object, group = 'authorization.k8s.io') =>
  post(`/apis/${group}/v1/${resource}`, body, { headers });
const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'ns' };

describe('access reviews', () => {
  it('are for the user exactly as given', async () => {
    const spec = { resourceAttributes, user: 'jane', groups: ['g'], extra: { k: ['v'] }, uid: 'u' };
    const { status, value } = await postReview('subjectaccessreviews', { spec });
    expect({ status, value }).toMatchObject({
      status: 201,
      value: { kind: 'SubjectAccessReview', spec, status: { allowed: true, reason: 'because' } },
    });
    expect(asked).toMatchObject({
      user: { username: 'jane', groups: ['g'], uid: 'u', extra: { k: ['v'] } },
      version: '*',
      resource: 'pods',
      namespace: 'ns',
      resourceRequest: true,
    });
    expect(Object.keys(value)).toEqual(['kind', 'apiVersion', 'metadata', 'spec', 'status']);
    expect(value.metadata).toMatchObject({ creationTimestamp: null, managedFields: [{ operation: 'Update' }] });
  });

  it('can be for the caller', async () => {
    const { value } = await postReview('selfsubjectaccessreviews', {
      spec: { nonResourceAttributes: { path: '/x', verb: 'list' } },
    });
    expect(value.status).toEqual({ allowed: false });
    expect(asked).toMatchObject({
      user: { username: 'bob', groups: ['dev', 'qa', 'system:authenticated'] },
      path: '/x',
      verb: 'list',
      resourceRequest: false,
    });
  });

  it.each([
    ['deny', { allowed: false, denied: true, reason: 'never' }],
    ['fail', { allowed: false, evaluationError: 'out of order' }],
    ['list', { allowed: false }],
  ])('report the decision for %s', async (verb, status) => {
    expect(
      (await postReview('subjectaccessreviews', { spec: { user: 'a', resourceAttributes: { verb } } })).value.status,
    ).toEqual(status);
  });

  it('drop fields of a later release', async () => {
    const spec = {
      user: 'a',
      resourceAttributes: {
        ...resourceAttributes,
        labelSelector: { rawSelector: 'a=b' },
        fieldSelector: { requirements: [{ key: 'k', operator: 'In', values: ['v'] }] },
      },
    };
    expect((await postReview('subjectaccessreviews', { spec })).value.spec).toEqual({ user: 'a', resourceAttributes });
  });

  it.each<[string, string, object, readonly string[]]>([
    [
      'a resource and a URL',
      'subjectaccessreviews',
      { spec: { user: 'a', resourceAttributes: {}, nonResourceAttributes: { path: '/' } } },
      [
        'spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"/", Verb:""}: cannot be specified in combination with resourceAttributes',
      ],
    ],
    [
      'neither resource nor user',
      'subjectaccessreviews',
      {},
      [
        'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
        'spec.user: Invalid value: "": at least one of user or group must be specified',
      ],
    ],
    [
      'a name',
      'selfsubjectaccessreviews',
      { metadata: { name: 'x' }, spec: { resourceAttributes: {} } },
      [
        'metadata: Invalid value: v1.ObjectMeta{Name:"x", GenerateName:"", Namespace:"", SelfLink:"", UID:"", ResourceVersion:"", Generation:0, CreationTimestamp:time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC), DeletionTimestamp:<nil>, DeletionGracePeriodSeconds:(*int64)(nil), Labels:map[string]string(nil), Annotations:map[string]string(nil), OwnerReferences:[]v1.OwnerReference(nil), Finalizers:[]string(nil), ManagedFields:[]v1.ManagedFieldsEntry{v1.ManagedFieldsEntry{Manager:"unknown", Operation:"Update", APIVersion:"authorization.k8s.io/v1", Time:<now>, FieldsType:"FieldsV1", FieldsV1:(*v1.FieldsV1)(0xc000000000), Subresource:""}}}: must be empty',
      ],
    ],
    [
      'a URL in a namespace',
      'namespaces/ns/localsubjectaccessreviews',
      { spec: { user: 'a', nonResourceAttributes: {} } },
      [
        'spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"", Verb:""}: disallowed on this kind of request',
      ],
    ],
    [
      'another namespace',
      'namespaces/ns/localsubjectaccessreviews',
      { spec: { user: 'a', resourceAttributes: {} } },
      ['spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace'],
    ],
  ])('refuse %s', async (_name, resource, body, errors) => {
    const { status, value } = await postReview(resource, body);
    const told = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
    const message = value.message.replace(/time\.Date\(20[^)]*\)/, '<now>');
    expect({ status, message, kind: value.details.kind }).toEqual({
      status: 422,
      message: `.authorization.k8s.io "" is invalid: ${told}`,
      kind: undefined,
    });
  });

  it('accept metadata that the server sets', async () => {
    const metadata = {
      uid: 'u',
      creationTimestamp: '2024-01-01T00:00:00Z',
      selfLink: '/x',
      managedFields: [{ manager: 'm' }],
    };
    expect(
      (await postReview('subjectaccessreviews', { metadata, spec: { user: 'a', resourceAttributes } })).status,
    ).toBe(201);
  });

  it('of a namespace do not require that it exists', async () => {
    const { status, value } = await postReview('namespaces/ns/localsubjectaccessreviews', {
      spec: { user: 'a', resourceAttributes },
    });
    expect({ status, namespace: value.metadata.namespace }).toEqual({ status: 201, namespace: 'ns' });
  });

  it('can only be created', async () => {
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      expect((await send(method, path, undefined, { headers })).status).toBe(405);
    expect((await get(`${path}/x`, { headers })).status).toBe(404);
    expect((await postReview('localsubjectaccessreviews', {})).status).toBe(404);
  });
});

describe('a SelfSubjectRulesReview', () => {
  it('returns the rules in its status', async () => {
    const { status, value } = await postReview('selfsubjectrulesreviews', {
      metadata: { name: 'x' },
      spec: { namespace: 'ns' },
    });
    expect(status).toBe(201);
    expect(value).toEqual({
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec: {},
      status: {
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/bob/ns'] }],
        incomplete: true,
        evaluationError: 'half',
      },
    });
  });
  it('requires a namespace', async () => {
    expect(await postReview('selfsubjectrulesreviews', {})).toMatchObject({
      status: 400,
      message: 'no namespace on request',
    });
  });
});

describe('a SelfSubjectReview', () => {
  it('returns the user and nothing else', async () => {
    const { status, value } = await postReview(
      'selfsubjectreviews',
      { metadata: { name: 'x', labels: { a: 'b' } } },
      'authentication.k8s.io',
    );
    expect(status).toBe(201);
    expect(value).toEqual({
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: expect.stringMatching(/Z$/) },
      status: { userInfo: { username: 'bob', uid: 'uid-bob', groups: ['dev', 'qa', 'system:authenticated'] } },
    });
  });
});

describe('a TokenReview', () => {
  const review = async (spec: object) => (await postReview('tokenreviews', { spec }, 'authentication.k8s.io')).value;
  it('returns the user and the audiences of a token', async () => {
    const user = { username: 'bob', uid: 'uid-bob', groups: ['dev', 'qa', 'system:authenticated'] };
    expect(await review({ token: 't-bob' })).toMatchObject({
      spec: { token: 't-bob' },
      status: { authenticated: true, user, audiences: ['https://here'] },
    });
    expect((await review({ token: 't-bob', audiences: ['x', 'https://here'] })).status).toMatchObject({
      authenticated: true,
      audiences: ['https://here'],
    });
  });
  it('authenticates no invalid token, and none for other audiences', async () => {
    for (const spec of [{ token: 'x' }, { token: 't-bob', audiences: ['vault'] }])
      expect((await review(spec)).status).toEqual({ user: {}, error: 'invalid bearer token' });
  });
  it('requires a token', async () => {
    for (const spec of [{}, { token: '' }])
      expect(await review(spec)).toMatchObject({
        code: 400,
        message: 'token is required for TokenReview in authentication',
      });
  });
  it('with a blank token has an empty status', async () => {
    expect((await review({ token: ' ' })).status).toEqual({ user: {} });
  });
});

describe('a review in another version', () => {
  it('is refused', async () => {
    const body = { apiVersion: 'authentication.k8s.io/v1beta1', kind: 'TokenReview', spec: { token: 'x' } };
    expect((await postReview('tokenreviews', body, 'authentication.k8s.io')).message).toBe(
      'the API version in the data (authentication.k8s.io/v1beta1) does not match the expected API version (authentication.k8s.io/v1)',
    );
  });
});
