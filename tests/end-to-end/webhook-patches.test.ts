import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/value.js';
import { reviewHandler } from '../../src/outbound/review-handler.js';
import { definitionOf } from '../support/definitions.js';
import { startWorld, type World } from './world.js';

// Changes that a mutating webhook may make to an object, and fields that the server sets itself.
let world: World;
let patch: readonly JsonObject[] | undefined;
const MAPS = '/api/v1/namespaces/default/configmaps';
const FOOS = '/apis/patched.example.com/v1/namespaces/default/foos';
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '1' };
beforeAll(async () => {
  world = await startWorld();
  await world.post(
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    definitionOf('foos', 'Foo', { group: 'patched.example.com' }),
  );
  world.server.services.set(
    'default/hook',
    reviewHandler(() => ({ allowed: true, ...(patch ? { patch: [...patch] } : {}) })),
  );
  const rule = { apiGroups: ['', 'patched.example.com'], apiVersions: ['v1'], operations: ['*'] };
  await world.post('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'hook' },
    webhooks: [
      {
        name: 'hook.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { namespace: 'default', name: 'hook' } },
        rules: [{ ...rule, resources: ['configmaps', 'foos'] }],
      },
    ],
  });
  await world.server.settle();
});
afterAll(() => world.close());

let name: string;
beforeEach(() => {
  patch = undefined;
  name = world.name('map');
});
const create = () => world.send('POST', MAPS, { body: { metadata: { name }, data: { a: '1' } } });
const update = () =>
  world.send('PATCH', `${MAPS}/${name}`, { body: { data: { a: '2' } }, type: 'application/merge-patch+json' });
const add = (path: string, value: JsonObject[string]) => [{ op: 'add', path, value }];
/** Returns the responses to a creation with a patch, and to an update with it of an object that was created without. */
async function answers(given: readonly JsonObject[]) {
  patch = given;
  const created = await create();
  patch = undefined;
  name = world.name('map');
  await create();
  patch = given;
  return [created, await update()] as const;
}

describe('fields of a webhook patch that the server sets', () => {
  it('the uid is set again at a creation, and cannot be changed', async () => {
    const [created, updated] = await answers(add('/metadata/uid', 'abc'));
    expect(created.status).toBe(201);
    expect(created.value.metadata.uid).not.toBe('abc');
    expect([updated.status, updated.message]).toEqual([422, expect.stringContaining('field is immutable')]);
  });

  it('a time of deletion is kept at a creation, because only the body of the client loses it, and cannot be changed', async () => {
    const time = '2020-01-01T00:00:00Z';
    const [created, updated] = await answers(add('/metadata/deletionTimestamp', time));
    expect([created.status, created.value.metadata.deletionTimestamp]).toEqual([201, time]);
    expect([updated.status, updated.message]).toEqual([422, expect.stringContaining('field is immutable')]);
  });

  it('the creation time cannot be changed', async () => {
    for (const { value } of await answers(add('/metadata/creationTimestamp', '2020-01-01T00:00:00Z')))
      expect(value.metadata.creationTimestamp).not.toBe('2020-01-01T00:00:00Z');
  });

  it('a new object has no version yet, and another version of an old object is a conflict', async () => {
    const [created, updated] = await answers(add('/metadata/resourceVersion', '5'));
    expect([created.status, created.message]).toEqual([
      500,
      'resourceVersion should not be set on objects to be created',
    ]);
    expect(updated.status).toBe(409);
  });
});

it('duplicate owners are dropped, with a warning that mentions mutating admission', async () => {
  for (const { value, warnings } of await answers(add('/metadata/ownerReferences', [owner, owner]))) {
    expect(value.metadata.ownerReferences).toEqual([owner]);
    expect(warnings).toEqual([expect.stringContaining('duplicate entries after mutating admission happens')]);
  }
});

it.each([
  ['/metadata/managedFields/0/apiVersion', '', 'apiVersion must not be empty'],
  ['/metadata/managedFields/0/fieldsType', 'Vx', 'invalid fieldsType "Vx" in managed fields entry 0'],
  ['/metadata/managedFields/0/operation', 'Guess', 'operation must be `Apply` or `Update`'],
])('invalid owners are replaced by the old ones, with a warning: %s', async (path, value, why) => {
  for (const answer of await answers(add(path, value))) {
    expect(answer.value.metadata.managedFields).toMatchObject([{ operation: 'Update', fieldsV1: { 'f:data': {} } }]);
    expect(answer.warnings).toEqual([expect.stringContaining(`please fix your requests: ${why}`)]);
  }
});

it.each([
  [add('/data', { 'a/b': 'x' }), 422],
  [add('/metadata/finalizers', ['bad']), 422],
  [add('/data', 5), 500],
  [[{ op: 'replace', path: '/metadata/nope/x', value: 1 }], 500],
])('a patch of fields that no client may write is refused: %j', async (given, status) => {
  for (const answer of await answers(given)) expect(answer.status).toBe(status);
});

it('a field that the kind does not declare is dropped', async () => {
  for (const { status, value } of await answers(add('/foo', 5))) {
    expect(status).toBeLessThan(300);
    expect(value).not.toHaveProperty('foo');
  }
});

it('an empty list of owners is not served, of a custom resource either', async () => {
  const emptied = add('/metadata/managedFields', []);
  const both = await answers(emptied);
  const body = { apiVersion: 'patched.example.com/v1', kind: 'Foo', metadata: { name } };
  for (const { status, value } of [...both, await world.send('POST', FOOS, { body })]) {
    expect(status).toBeLessThan(300);
    expect(value.metadata).not.toHaveProperty('managedFields');
  }
});

it('a patch cannot change the kind of a custom resource', async () => {
  patch = [{ op: 'replace', path: '/kind', value: 'Bar' }];
  const body = { apiVersion: 'patched.example.com/v1', kind: 'Foo', metadata: { name } };
  const answer = await world.send('POST', FOOS, { body });
  expect([answer.status, answer.message]).toEqual([
    422,
    expect.stringContaining('kind: Invalid value: "Bar": must be Foo'),
  ]);
});
