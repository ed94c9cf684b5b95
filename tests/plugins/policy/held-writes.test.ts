import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionPluginFactory } from '../../../src/exports/admission.js';
import type { ApiServer } from '../../../src/index.js';
import { everybody, manifest } from '../../custom-resources/support.js';
import { ask, requestsTo } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

/* While a write waits in admission, objects that it depends on are created, changed or deleted. */

let hold: 'admit' | 'validate' | undefined;
let arrive = () => {};
let release = () => {};
/** Holds one write in one phase of admission. */
const gate: AdmissionPluginFactory = () => {
  const wait = (half: typeof hold) => () => {
    if (hold !== half) return undefined;
    hold = undefined;
    arrive();
    return new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  };
  return { name: 'Gate', handles: ({ name }) => name === 'held', admit: wait('admit'), validate: wait('validate') };
};

let server: ApiServer;
const { get, post, remove } = requestsTo(() => server);
beforeEach(async () => {
  // The plug-in is behind those that change objects, and before those that validate.
  server = await startServer({
    dialect: 'k8s',
    authentication: [everybody],
    admission: (defaults) => [gate, ...defaults],
  });
});
afterEach(() => server.close());

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'held' }, spec: { size: 1 } };

/** Sends a write that waits in one phase of admission until the others are completed. */
async function during(half: 'admit' | 'validate', question: Parameters<typeof ask>[1], others: () => Promise<unknown>) {
  hold = half;
  const waits = new Promise<void>((resolve) => (arrive = resolve));
  const answer = ask(server, question);
  await waits;
  await others();
  release();
  return await answer;
}

describe('created objects are not orphaned', () => {
  it.each([
    ['a POST', { method: 'POST', path: THINGS, body: thing }],
    [
      'an apply',
      {
        method: 'PATCH',
        path: `${THINGS}/held`,
        query: 'fieldManager=a',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: thing,
      },
    ],
  ])('by a kind that is deleted during %s', async (_, question) => {
    await post(DEFINITIONS, manifest());
    await server.settle();
    const answer = await during('validate', question, async () => {
      await remove(`${DEFINITIONS}/things.example.com`);
      await server.settle();
      expect((await get(`${DEFINITIONS}/things.example.com`)).status).toBe(404);
    });
    expect(answer).toMatchObject({
      status: 405,
      message: 'create not allowed while custom resource definition is terminating',
    });
    await post(DEFINITIONS, manifest());
    await server.settle();
    expect((await get(THINGS)).value.items).toEqual([]);
  });

  it.each([
    [
      'is being deleted',
      false,
      403,
      'configmaps "held" is forbidden: unable to create new content in namespace n because it is being terminated',
    ],
    ['has been deleted', true, 404, 'namespaces "n" not found'],
  ])('by a namespace that %s', async (_, isGone, status, message) => {
    const finalizers = isGone ? [] : ['example.com/stays'];
    await post('/api/v1/namespaces', { metadata: { name: 'n', finalizers } });
    const question = { method: 'POST', path: '/api/v1/namespaces/n/configmaps', body: { metadata: { name: 'held' } } };
    const answer = await during('validate', question, async () => {
      await remove('/api/v1/namespaces/n');
      if (isGone) await expect.poll(async () => (await get('/api/v1/namespaces/n')).status).toBe(404);
    });
    expect(answer).toMatchObject({ status, message });
    expect((await get('/api/v1/namespaces/n/configmaps/held')).status).toBe(404);
  });
});

describe('a write is judged by the policies that exist at that time', () => {
  const GROUP = '/apis/admissionregistration.k8s.io/v1';
  const policy = (paramKind?: object) => ({
    metadata: { name: 'p' },
    spec: {
      ...(paramKind ? { paramKind } : {}),
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
      matchConditions: [{ name: 'held', expression: 'object.metadata.name == "held"' }],
      validations: [{ expression: paramKind ? 'params.?data.allowed == optional.of("yes")' : 'false', message: 'no' }],
    },
  });
  const binding = (paramRef?: object) => ({
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'], ...(paramRef ? { paramRef } : {}) },
  });
  const POLICIES = `${GROUP}/validatingadmissionpolicies`;
  const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`;
  const make = (others: () => Promise<unknown>) =>
    during('admit', { method: 'POST', path: MAPS, body: { metadata: { name: 'held' } } }, others);
  const bound = async (paramKind?: object, name = 'params') => {
    expect((await post(POLICIES, policy(paramKind))).status).toBe(201);
    const ref = { name, namespace: 'default', parameterNotFoundAction: 'Deny' };
    expect((await post(BINDINGS, binding(paramKind ? ref : undefined))).status).toBe(201);
  };
  const OF_MAPS = { apiVersion: 'v1', kind: 'ConfigMap' };
  const params = (allowed: string) => ({ metadata: { name: 'params' }, data: { allowed } });

  it('policies that are created apply', async () => {
    expect(await make(() => bound())).toMatchObject({
      status: 422,
      message: expect.stringContaining('denied request: no'),
    });
  });
  it.each([
    ['policies', `${POLICIES}/p`],
    ['bindings', `${BINDINGS}/b`],
  ])('%s that are deleted do not apply', async (_, path) => {
    await bound();
    expect(await make(() => remove(path))).toMatchObject({ status: 201 });
  });
  it('the current parameters are used', async () => {
    await post(MAPS, params('yes'));
    await bound(OF_MAPS);
    const change = { method: 'PUT', path: `${MAPS}/params`, body: params('no') };
    expect(await make(() => ask(server, change))).toMatchObject({ status: 422 });
  });
  it('deleted parameters are not used', async () => {
    await post(MAPS, params('yes'));
    await bound(OF_MAPS);
    expect(await make(() => remove(`${MAPS}/params`))).toMatchObject({
      status: 422,
      message: expect.stringContaining('no params found for policy binding with `Deny` parameterNotFoundAction'),
    });
  });
  it('parameters of a deleted kind are not used', async () => {
    await post(DEFINITIONS, manifest());
    await server.settle();
    await post(THINGS, { ...thing, metadata: { name: 'params' } });
    await bound({ apiVersion: 'example.com/v1', kind: 'Thing' });
    const gone = async () => {
      await remove(`${DEFINITIONS}/things.example.com`);
      await server.settle();
    };
    expect(await make(gone)).toMatchObject({
      status: 422,
      message: expect.stringContaining("failed to find resource referenced by paramKind: 'example.com/v1, Kind=Thing'"),
    });
  });
});
