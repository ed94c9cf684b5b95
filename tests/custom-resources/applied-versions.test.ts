import '../support/loaded-kinds.js';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiServer } from '../../src/index.js';
import type { JsonObject } from '../../src/json/value.js';
import { customResourceDefinition } from '../../src/resources/apiextensions/index.js';
import { ask } from '../support/ask.js';
import { everybody, manifest } from './support.js';

const open: ApiServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const schema = (name: string, storage: boolean, spec: object) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } } },
});
const text = { type: 'string' };
const versions = [schema('v1', true, { host: text, both: text }), schema('v2', false, { address: text, both: text })];

/** Renames a member; an object without a name is none to it. */
function renamed(object: JsonObject, apiVersion: string): JsonObject {
  const { name } = object['metadata'] as JsonObject;
  if (typeof name !== 'string') throw new Error('the object has no name');
  const { host, address, ...spec } = (object['spec'] ?? {}) as JsonObject;
  const value = host ?? address;
  const member = apiVersion.endsWith('v1') ? 'host' : 'address';
  return { ...object, apiVersion, spec: { ...spec, ...(value === undefined ? {} : { [member]: value }) } };
}

async function served() {
  const server = new ApiServer({ dialect: 'k8s', authentication: [everybody] });
  open.push(server);
  await server.start();
  const converted: JsonObject[] = [];
  server.webhooks.set('convert', ({ request }) => {
    const { objects, desiredAPIVersion } = request as unknown as { objects: JsonObject[]; desiredAPIVersion: string };
    converted.push(...objects);
    const convertedObjects = objects.map((object) => renamed(object, desiredAPIVersion));
    return { convertedObjects, result: { status: 'Success' } };
  });
  const crd = manifest({ versions });
  const webhook = { clientConfig: { url: 'inproc://convert' }, conversionReviewVersions: ['v1'] };
  const conversion = { strategy: 'Webhook', webhook };
  await server.client().create(customResourceDefinition, { ...crd, spec: { ...crd.spec, conversion } } as never);
  await server.settle();
  const apply = async (manager: string, version: string, spec?: object, metadata: object = {}) => {
    const { status, value } = await ask(server, {
      method: 'PATCH',
      path: `/apis/example.com/${version}/namespaces/default/things/a`,
      query: `fieldManager=${manager}&force=true`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: {
        apiVersion: `example.com/${version}`,
        kind: 'Thing',
        metadata: { name: 'a', ...metadata },
        ...(spec && { spec }),
      },
    });
    if (status > 201) throw new Error(`${status} ${JSON.stringify(value)}`);
    return value as { readonly spec?: object; readonly metadata: { readonly labels?: object } };
  };
  return { apply, converted };
}

describe('who applies a user’s kind in one version after another', () => {
  it.each([
    ['v1', 'v2'],
    ['v2', 'v1'],
  ])('%s, then %s: the webhook gets whole objects, and nothing is lost', async (first, second) => {
    const { apply, converted } = await served();
    const member = (version: string) => (version === 'v1' ? 'host' : 'address');
    await apply('one', first, { [member(first)]: 'x' }, { labels: { one: 'yes' } });
    await apply('two', second, { both: 'y' }, { labels: { two: 'yes' } });
    await apply('labels', second, undefined, { labels: { three: 'yes' } });
    const moved = await apply('one', second, { [member(second)]: 'x' });
    expect(moved).toMatchObject({
      spec: { [member(second)]: 'x', both: 'y' },
      metadata: { labels: { two: 'yes', three: 'yes' } },
    });
    expect(moved.metadata.labels).not.toHaveProperty('one');
    // What it says no longer goes.
    const left = await apply('two', first);
    expect(left.spec).toEqual({ [member(first)]: 'x' });
    expect(await apply('one', first)).not.toHaveProperty(['spec', member(first)]);
    expect(converted.every(({ metadata }) => (metadata as JsonObject | undefined)?.['name'] === 'a')).toBe(true);
  });
});
