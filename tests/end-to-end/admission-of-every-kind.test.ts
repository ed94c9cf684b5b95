import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/value.js';
import { k8s } from '../../src/meta/dialect.js';
import { reviewHandler } from '../../src/outbound/review-handler.js';
import { serveResource } from '../../src/registry/served/served-resource.js';
import { builtinResources } from '../../src/resources/index.js';
import { keyOfKind, SAMPLES } from '../resources/kind-samples.js';
import { startWorldOfEveryKind, type World } from './world.js';

// Webhooks are called for every write of every kind, with the old and the new object.
let world: World;
let namespace: string;
interface Question {
  readonly uid?: string;
  readonly operation: string;
  readonly kind: JsonObject;
  readonly resource: JsonObject;
  readonly subResource?: string;
  readonly name?: string;
  readonly options: JsonObject | null;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
}
const asked: { readonly hook: string; readonly request: Question }[] = [];
const HOOKS = '/apis/admissionregistration.k8s.io/v1';
beforeAll(async () => {
  world = await startWorldOfEveryKind();
  namespace = await world.namespace();
  for (const [hook, kind] of [
    ['mutating', 'mutatingwebhookconfigurations'],
    ['validating', 'validatingwebhookconfigurations'],
  ] as const) {
    world.server.services.set(
      `default/${hook}`,
      reviewHandler(({ request }) => {
        asked.push({ hook, request: request as unknown as Question });
        return { allowed: true };
      }),
    );
    await world.post(`${HOOKS}/${kind}`, {
      metadata: { name: hook },
      webhooks: [
        {
          name: `${hook}.example.com`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'NoneOnDryRun',
          clientConfig: { service: { namespace: 'default', name: hook } },
          rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
        },
      ],
    });
  }
  asked.length = 0;
});
afterAll(() => world.close());

/** The reviews for one request: the mutating webhook is called before the server sets its fields, and the validating one after. */
function question() {
  const questions = asked.splice(0);
  expect(questions.map(({ hook }) => hook)).toEqual(['mutating', 'validating']);
  const [before, after] = questions.map(({ request: { uid: _, ...request } }) => request);
  const { object, ...rest } = after as Question;
  const { object: unfinished, ...same } = before as Question;
  expect(same).toEqual(rest);
  expect(unfinished === null).toBe(object === null);
  return { ...rest, object };
}
const options = (kind: string, more: object = {}) => ({ apiVersion: 'meta.k8s.io/v1', kind, ...more });
/** Kinds of webhooks, for which no webhook is called, and API groups that the server itself writes meanwhile. */
const UNASKED = ['admissionregistration', 'apiregistration'];
const kinds = builtinResources
  .filter((definition) => SAMPLES[keyOfKind(definition)] && !UNASKED.includes(definition.groupStem ?? ''))
  .map((definition) => serveResource(definition, k8s));

/** Members of a new object that a read of it does not contain. */
const UNSTORED: Readonly<Record<string, object>> = {
  persistentvolumeclaims: { status: {} },
  endpointslices: { endpoints: [] },
};

describe.each(kinds.map((kind) => [`${kind.gvr.resource}.${kind.gvr.version}.${kind.gvr.group}`, kind] as const))(
  '%s',
  (_, kind) => {
    const { apiVersion, gvk, gvr, namespaced, definition } = kind;
    const sample = SAMPLES[keyOfKind(definition)]?.object as { metadata: { name: string } };
    const { name } = sample.metadata;
    const space = gvr.resource === 'events' ? 'default' : undefined;
    const root = gvr.group === '' ? `/api/${gvr.version}` : `/apis/${gvr.group}/${gvr.version}`;
    const group = {
      kind: gvk,
      resource: gvr,
      requestKind: gvk,
      requestResource: gvr,
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      dryRun: false,
      ...(namespaced ? { namespace: expect.any(String) } : gvr.resource === 'namespaces' ? { namespace: name } : {}),
    };
    const marked = (by: string) => ({ metadata: { annotations: { by } } });
    it('describes every write to admission webhooks with its objects, operation and options', async () => {
      const collection = `${root}${namespaced ? `/namespaces/${space ?? namespace}` : ''}/${gvr.resource}`;
      const path = `${collection}/${name}`;
      asked.length = 0;
      await world.post(`${collection}?fieldManager=m`, { apiVersion, kind: gvk.kind, ...sample });
      const created = await world.get(path);
      expect(question()).toEqual({
        ...group,
        name,
        operation: 'CREATE',
        options: options('CreateOptions', { fieldManager: 'm' }),
        object: { ...created, ...UNSTORED[gvr.resource], metadata: expect.objectContaining({ name }) },
        oldObject: null,
      });
      await world.put(path, { ...created, ...{ metadata: { ...created.metadata, annotations: { by: 'put' } } } });
      const put = await world.get(path);
      expect(question()).toMatchObject({
        ...group,
        name,
        operation: 'UPDATE',
        options: options('UpdateOptions'),
        object: marked('put'),
        oldObject: created,
      });
      await world.patch(path, marked('patch'));
      const patched = await world.get(path);
      expect(question()).toMatchObject({
        ...group,
        name,
        operation: 'UPDATE',
        options: options('UpdateOptions'),
        object: marked('patch'),
        oldObject: put,
      });
      if (definition.subresources?.['status']) {
        await world.patch(`${path}/status`, marked('status'));
        expect(question()).toMatchObject({
          ...group,
          name,
          subResource: 'status',
          requestSubResource: 'status',
          operation: 'UPDATE',
          options: options('UpdateOptions'),
          oldObject: patched,
        });
      }
      const last = await world.get(path);
      await world.delete(`${path}?dryRun=All`);
      const deletion = { ...group, operation: 'DELETE', object: null, oldObject: last };
      // The deletion adds these members to its options.
      const completed = ['namespaces', 'customresourcedefinitions'].includes(gvr.resource)
        ? { preconditions: { uid: last.metadata.uid } }
        : gvr.resource === 'pods'
          ? { gracePeriodSeconds: 0 }
          : {};
      expect(question()).toEqual({
        ...deletion,
        name,
        dryRun: true,
        options: options('DeleteOptions', { dryRun: ['All'], ...completed }),
      });
      const many = gvr.resource !== 'namespaces' && gvr.resource !== 'services';
      await world.delete(many ? `${collection}?fieldSelector=metadata.name=${name}` : path, { gracePeriodSeconds: 0 });
      // A pod is marked before it is removed, and admission is called again for the marked pod.
      if (gvr.resource === 'pods') {
        const removal = asked.splice(2);
        expect(removal.map(({ hook }) => hook)).toEqual(['mutating', 'validating']);
        expect(removal[1]?.request).toMatchObject({ oldObject: { metadata: { deletionGracePeriodSeconds: 0 } } });
      }
      expect(question()).toEqual({
        ...deletion,
        ...(many ? {} : { name }),
        options: options('DeleteOptions', { gracePeriodSeconds: 0, ...(many ? {} : completed) }),
      });
    });
  },
);

describe('requests for something that is not a stored object', () => {
  beforeAll(async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 };
    for (const name of ['bound', 'moved', 'evicted'])
      await world.post(`/api/v1/namespaces/${namespace}/pods`, { metadata: { name }, spec });
    await world.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'robot' } });
  });
  const target = { kind: 'Node', name: 'n' };
  const meta = (name: string) => ({ metadata: { name } });
  const spec = { audiences: ['a'] };
  it.each([
    ['pods/bound/binding', 'Binding', { ...meta('bound'), target }, 'pods', 'binding'],
    ['bindings', 'Binding', { ...meta('moved'), target }, 'bindings', undefined],
    ['pods/evicted/eviction', 'Eviction', meta('evicted'), 'pods', 'eviction'],
    ['serviceaccounts/robot/token', 'TokenRequest', { spec }, 'serviceaccounts', 'token'],
  ])('%s', async (path, kind, body, resource, subResource) => {
    asked.length = 0;
    const answer = await world.send('POST', `/api/v1/namespaces/${namespace}/${path}`, { body });
    expect(answer.status, answer.message).toBe(201);
    const { operation, kind: gvk, resource: gvr, subResource: sub, object, oldObject, options: used } = question();
    expect([operation, gvk, gvr, sub, oldObject]).toMatchObject(['CREATE', { kind }, { resource }, subResource, null]);
    expect(object).toMatchObject({ kind });
    expect(used).toEqual(options('CreateOptions'));
  });

  it.each([
    ['POST', 'pods/bound/exec?command=ls&stdin=true', 'PodExecOptions', { command: ['ls'], stdin: true }],
    ['GET', 'pods/bound/attach?stdout=true', 'PodAttachOptions', { stdout: true }],
    ['POST', 'pods/bound/portforward?ports=80', 'PodPortForwardOptions', { ports: [80] }],
    ['PUT', 'pods/bound/proxy/a/b', 'PodProxyOptions', { path: '/a/b' }],
    ['GET', 'pods/bound/proxy/a/b/?path=/harmless', 'PodProxyOptions', { path: '/a/b/' }],
    ['GET', 'pods/bound/proxy/?path=/harmless', 'PodProxyOptions', { path: '/' }],
  ])('%s %s', async (method, path, kind, wanted) => {
    asked.length = 0;
    await world.send(method, `/api/v1/namespaces/${namespace}/${path}`);
    const { operation, kind: gvk, object, oldObject, options: used, name } = question();

    expect([operation, gvk, oldObject, used, name]).toMatchObject(['CONNECT', { kind }, null, null, 'bound']);
    expect(object).toMatchObject({ kind, apiVersion: 'v1', ...wanted });
  });

  const attributes = { resourceAttributes: { verb: 'get', resource: 'pods' } };
  it.each([
    ['authentication.k8s.io/v1/tokenreviews', 'TokenReview', { token: 't' }],
    ['authentication.k8s.io/v1/selfsubjectreviews', 'SelfSubjectReview', undefined],
    ['authorization.k8s.io/v1/subjectaccessreviews', 'SubjectAccessReview', { user: 'u', ...attributes }],
    ['authorization.k8s.io/v1/selfsubjectaccessreviews', 'SelfSubjectAccessReview', attributes],
    ['authorization.k8s.io/v1/selfsubjectrulesreviews', 'SelfSubjectRulesReview', { namespace: 'n' }],
    [
      'authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
      'LocalSubjectAccessReview',
      { user: 'u', resourceAttributes: { ...attributes.resourceAttributes, namespace: 'default' } },
    ],
  ])('%s', async (path, kind, of) => {
    asked.length = 0;
    const answer = await world.send('POST', `/apis/${path}`, { body: of ? { spec: of } : {} });
    expect(answer.status, answer.message).toBe(201);
    const { operation, object, oldObject } = question();
    expect([operation, oldObject]).toEqual(['CREATE', null]);
    expect(object).toMatchObject({ kind, ...(of ? { spec: of } : {}) });
  });
});
