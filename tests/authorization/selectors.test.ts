import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import type { AuthorizationAttributes } from '../../src/authorization/authorizer.js';
import { accessReviewSpec, reviewKey } from '../../src/authorization/webhook/webhook.js';
import { featureGates } from '../../src/meta/features/feature-gates.js';
import { node } from '../../src/plugins/nodes/node-authorizer.js';
import { subjectAccessReview } from '../../src/resources/authorization/index.js';
import { pod } from '../../src/resources/core/index.js';
import { createFakeHost } from '../../src/testing/fake-host.js';
import { startStepped } from './server.js';
import { attributesWith } from './upstream-data.js';

const GATES = { AuthorizeWithSelectors: true, AuthorizeNodeWithSelectors: true };
const asked: AuthorizationAttributes[] = [];
/** Records the attributes of resource requests, and allows them. */
const noting = () => ({
  name: 'noting',
  authorize(attributes: AuthorizationAttributes) {
    if (attributes.user.username === 'reader') asked.push(attributes);
    return { decision: 'Allow' as const, reason: '' };
  },
});
const started = (featureGates: Record<string, boolean>) => startStepped({ featureGates, authorization: [noting] });

async function get(server: ApiServer, query: string, method = 'GET', path = '/api/v1/namespaces/a/pods') {
  asked.length = 0;
  const request = new Request(`https://server${path}?${query}`, { method });
  const { body } = await server.fetch(request, { user: { username: 'reader' } });
  await body?.cancel();
  const [{ fieldSelector, labelSelector } = attributesWith({})] = asked;
  return { fieldSelector, labelSelector };
}

async function review(server: ApiServer, selectors: object) {
  asked.length = 0;
  const resourceAttributes = { verb: 'list', resource: 'pods', ...selectors };
  const made = await server
    .client()
    .create(subjectAccessReview, { metadata: {}, spec: { user: 'reader', resourceAttributes } } as never);
  const [{ fieldSelector, labelSelector } = attributesWith({})] = asked;
  return { spec: made.spec.resourceAttributes, status: made.status, fieldSelector, labelSelector };
}

describe('the selectors that authorizers see', () => {
  let server: ApiServer;
  beforeAll(async () => void (server = await started(GATES)));
  afterAll(() => server.close());

  const field = { field: 'spec.nodeName', operator: '=', value: 'n' };
  const labels = [
    { key: 'a', operator: '=', values: ['b'] },
    { key: 'c', operator: 'in', values: ['d', 'e'] },
  ];

  it('are those of lists, watches and deletions of collections', async () => {
    const query = 'fieldSelector=spec.nodeName%3Dn&labelSelector=a%3Db,c+in+(e,d)';
    const both = { fieldSelector: [field], labelSelector: labels };
    expect(await get(server, query)).toEqual(both);
    expect(await get(server, `watch=1&timeoutSeconds=1&${query}`)).toEqual(both);
    expect(await get(server, query, 'DELETE')).toEqual(both);
  });

  it('are absent for single objects, non-resource paths and the old form of a watch', async () => {
    const query = 'fieldSelector=spec.nodeName%3Dn&labelSelector=a%3Db';
    expect(await get(server, query, 'GET', '/api/v1/namespaces/a/pods/x')).toEqual({});
    expect(await get(server, query, 'GET', '/version')).toEqual({});
    expect(await get(server, `${query}&timeoutSeconds=1`, 'GET', '/api/v1/watch/namespaces/a/pods')).toEqual({});
  });

  it('do not narrow a request if they cannot be parsed or select everything', async () => {
    expect(await get(server, 'fieldSelector=spec.nodeName&labelSelector=*b')).toEqual({});
    expect(await get(server, 'fieldSelector=&labelSelector=')).toEqual({});
    expect(await get(server, 'fieldSelector=spec.nodeName%3Dn&fieldSelector=a%3Db')).toEqual({
      fieldSelector: [field],
    });
  });

  it('are accepted in an access review, as text or as requirements', async () => {
    const raw = { fieldSelector: { rawSelector: 'spec.nodeName=n' }, labelSelector: { rawSelector: 'a=b' } };
    expect(await review(server, raw)).toMatchObject({
      spec: raw,
      status: { allowed: true },
      fieldSelector: [field],
      labelSelector: [labels[0]],
    });
    const requirements = {
      fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n'] }] },
      labelSelector: { requirements: [{ key: 'c', operator: 'In', values: ['e', 'd'] }] },
    };
    expect(await review(server, requirements)).toMatchObject({
      spec: requirements,
      fieldSelector: [field],
      labelSelector: [{ ...labels[1], values: ['e', 'd'] }],
    });
  });

  it('have the values of a label requirement in an access review as they are written, and those of a text in order', async () => {
    const values = ['e', 'd', 'e'];
    const written = { labelSelector: { requirements: [{ key: 'c', operator: 'In', values }] } };
    expect((await review(server, written)).labelSelector).toEqual([{ key: 'c', operator: 'in', values }]);
    const raw = { labelSelector: { rawSelector: `c in (${values})` } };
    expect((await review(server, raw)).labelSelector).toEqual([labels[1]]);
  });

  it.each([
    [
      'none of them can be parsed',
      { fieldSelector: { rawSelector: 'x' }, labelSelector: { rawSelector: '*' } },
      'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
    ],
    [
      'one has an unknown operator',
      {
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'Near', values: ['b'] },
            { key: 'spec.nodeName', operator: 'In', values: ['n'] },
          ],
        },
      },
      'spec.resourceAttributes.fieldSelector partially ignored due to parse error',
    ],
  ])('are ignored with a warning if %s', async (_, selectors, evaluationError) => {
    expect((await review(server, selectors)).status).toMatchObject({ allowed: true, evaluationError });
  });

  it.each([
    [
      { fieldSelector: {} },
      'spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
    ],
    [
      { labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'Exists' }] } },
      'spec.resourceAttributes.labelSelector.rawSelector: Invalid value: "a": may not specified at the same time as requirements',
    ],
    [
      { fieldSelector: { requirements: [{ key: '', operator: 'In' }] } },
      '[spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified, ' +
        "spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn']",
    ],
    [
      { labelSelector: { requirements: [{ key: 'a', operator: 'DoesNotExist', values: ['b'] }] } },
      "spec.resourceAttributes.labelSelector.requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ])('are refused in an access review: %j', async (selectors, why) => {
    await expect(review(server, selectors)).rejects.toThrow(why);
  });

  it('are dropped while the gate is off', async () => {
    await using plain = await started({});
    expect(await get(plain, 'fieldSelector=spec.nodeName%3Dn')).toEqual({});
    const { spec, ...seen } = await review(plain, { fieldSelector: {}, labelSelector: { rawSelector: 'a' } });
    expect(spec).toEqual({ verb: 'list', resource: 'pods' });
    expect(seen).toMatchObject({ status: { allowed: true } });
    expect(seen.fieldSelector).toBeUndefined();
  });
});

describe('the selectors that a webhook receives', () => {
  const attributes = attributesWith({
    verb: 'list',
    resource: 'pods',
    fieldSelector: [
      { field: 'a', operator: '=', value: 'b' },
      { field: 'c', operator: '!=', value: '' },
    ],
    labelSelector: [
      { key: 'a', operator: '==', values: ['b'] },
      { key: 'c', operator: 'notin', values: ['d', 'e'] },
      { key: 'f', operator: '!', values: [] },
      { key: 'g', operator: 'gt', values: ['1'] },
    ],
  });

  it('are requirements; those without an operator in access reviews are left out', () => {
    expect(accessReviewSpec(attributes)['resourceAttributes']).toEqual({
      verb: 'list',
      resource: 'pods',
      fieldSelector: {
        requirements: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'c', operator: 'NotIn', values: [''] },
        ],
      },
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'c', operator: 'NotIn', values: ['d', 'e'] },
          { key: 'f', operator: 'DoesNotExist' },
        ],
      },
    });
  });

  it('distinguish cached decisions', () => {
    const { fieldSelector: _, ...fewer } = attributes;
    const { labelSelector: __, ...none } = fewer;
    expect(new Set([attributes, fewer, none].map(reviewKey)).size).toBe(3);
  });
});

describe('nodes with restricted reads', () => {
  const mirror = { 'kubernetes.io/config.mirror': 'x' };
  const objects = {
    '/pods': [
      { metadata: { namespace: 'a', name: 'own' }, spec: { nodeName: 'n' } },
      { metadata: { namespace: 'a', name: 'mirror', annotations: mirror }, spec: { nodeName: 'n' } },
      { metadata: { namespace: 'a', name: 'other' }, spec: { nodeName: 'm' } },
    ],
  };
  const authorizer = node()({ ...createFakeHost({ objects: objects as never }), gates: featureGates(GATES) });
  const user = { username: 'system:node:n', groups: ['system:nodes'] };
  const decide = async (verb: string, resource: string, rest: Partial<AuthorizationAttributes> = {}) => {
    const { decision, reason } = await authorizer.authorize(attributesWith({ user, verb, resource, ...rest }));
    return decision === 'Allow' ? decision : reason;
  };
  const selecting = (field: string, value = 'n', operator: '=' | '!=' = '=') => ({
    fieldSelector: [{ field, operator, value }],
  });

  it('can read only their own Node, also before it exists', async () => {
    expect(await decide('get', 'nodes', { name: 'n' })).toBe('Allow');
    expect(await decide('watch', 'nodes', { name: 'n' })).toBe('Allow');
    expect(await decide('get', 'nodes', { name: 'm' })).toBe("node 'n' cannot read 'm', only its own Node object");
    expect(await decide('list', 'nodes')).toBe("node 'n' cannot read all nodes, only its own Node object");
    for (const verb of ['create', 'update', 'patch']) expect(await decide(verb, 'nodes')).toBe('Allow');
    expect(await decide('patch', 'nodes', { name: 'n', subresource: 'status' })).toBe('Allow');
    expect(await decide('get', 'nodes', { name: 'n', subresource: 'status' })).toBe('');
    expect(await decide('delete', 'nodes', { name: 'n' })).toBe('');
  });

  it('can read only their own pods', async () => {
    const at = (name: string) => ({ namespace: 'a', name });
    expect(await decide('get', 'pods', at('own'))).toBe('Allow');
    expect(await decide('get', 'pods', at('mirror'))).toBe('Allow');
    expect(await decide('get', 'pods', at('other'))).toBe("no relationship found between node 'n' and this object");
    expect(await decide('list', 'pods', selecting('spec.nodeName'))).toBe('Allow');
    expect(await decide('watch', 'pods', at('own'))).toBe('Allow');
    for (const rest of [
      {},
      selecting('spec.nodeName', 'm'),
      selecting('spec.nodeName', 'n', '!='),
      selecting('nodeName'),
    ])
      expect(await decide('list', 'pods', rest)).toBe('can only list/watch pods with spec.nodeName field selector');
    for (const [verb, subresource] of [
      ['create', ''],
      ['delete', ''],
      ['update', 'status'],
      ['create', 'eviction'],
    ])
      expect(await decide(verb as string, 'pods', { ...at('own'), subresource: subresource as string })).toBe('Allow');
    for (const [verb, subresource] of [
      ['update', ''],
      ['deletecollection', ''],
      ['get', 'log'],
      ['create', 'exec'],
    ])
      expect(await decide(verb as string, 'pods', { ...at('own'), subresource: subresource as string })).toBe('');
  });

  it('can read only their own ResourceSlices', async () => {
    const group = 'resource.k8s.io';
    const why = 'can only list/watch/deletecollection resourceslices with nodeName field selector';
    for (const verb of ['list', 'watch', 'deletecollection']) {
      expect(await decide(verb, 'resourceslices', { group, ...selecting('nodeName') })).toBe('Allow');
      expect(await decide(verb, 'resourceslices', { group })).toBe(why);
    }
    expect(await decide('create', 'resourceslices', { group })).toBe('Allow');
  });

  it('list pods with a selector for their own name', async () => {
    await using server = await startStepped({ featureGates: GATES, authorization: [node()] });
    const client = server.client({ user });
    const { items } = await client.list(pod, { fieldSelector: 'spec.nodeName=n' });
    expect(items).toEqual([]);
    await expect(client.list(pod)).rejects.toThrow('can only list/watch pods with spec.nodeName field selector');
  });
});
