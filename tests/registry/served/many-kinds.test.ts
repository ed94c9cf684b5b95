import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApiServer } from '../../../src/index.js';
import { defineResource, type ResourceDefinition } from '../../../src/registry/resource-definition.js';
import { openApiToSchema } from '../../../src/schema/openapi-to-schema.js';
import { ask, type Question } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';

const MANY = 150;
const kindOf = (group: string) =>
  defineResource({
    group,
    version: 'v1',
    kind: 'Thing',
    plural: 'things',
    scope: 'Namespaced',
    schema: openApiToSchema({ type: 'object', properties: { spec: { type: 'object' } } }),
  });

/** How often a member of the many definitions was read. */
let reads = 0;
const counted = (definition: ResourceDefinition): ResourceDefinition =>
  new Proxy(definition, {
    get(target, name, receiver) {
      reads++;
      return Reflect.get(target, name, receiver);
    },
  });
const withKinds = (count: number) =>
  openServer({
    resources: (builtin) => [
      ...builtin,
      ...Array.from({ length: count }, (_, i) => counted(kindOf(`g${i}.example.com`))),
    ],
  });

const MAPS = '/api/v1/namespaces/default/configmaps';
const merge = { 'content-type': 'application/merge-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };
const named = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const QUESTIONS: readonly Question[] = [
  { method: 'POST', path: MAPS, body: named('a') },
  { path: `${MAPS}/a` },
  { path: MAPS },
  { method: 'PUT', path: `${MAPS}/a`, body: { ...named('a'), data: { a: '1' } } },
  { method: 'PATCH', path: `${MAPS}/a`, headers: merge, body: { data: { b: '1' } } },
  {
    method: 'PATCH',
    path: `${MAPS}/a`,
    query: 'fieldManager=m',
    headers: apply,
    body: { ...named('a'), data: { c: '1' } },
  },
  { path: '/api/v1' },
  { method: 'DELETE', path: `${MAPS}/a` },
];

describe(`a server of ${MANY} more kinds`, () => {
  let few: ApiServer;
  let many: ApiServer;
  beforeAll(async () => {
    [few, many] = await Promise.all([withKinds(1), withKinds(MANY)]);
    // Once the kinds of a server have changed, a lookup takes one more step, whatever their number. The first request creates cached values.
    const changed = kindOf('changed.example.com');
    for (const server of [few, many]) {
      await server.install(changed);
      await server.uninstall(changed);
      for (const question of [...QUESTIONS, { path: '/openapi/v3' }, { path: '/apis' }]) await ask(server, question);
    }
  });
  afterAll(() => Promise.all([few.close(), many.close()]));

  it('reads none of them when another kind is installed, requested and uninstalled', async () => {
    const one = kindOf('one.example.com');
    const path = '/apis/one.example.com/v1';
    reads = 0;
    await many.install(one);
    expect((await ask(many, { path })).value.resources).toHaveLength(1);
    const body = { apiVersion: 'one.example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
    const things = `${path}/namespaces/default/things`;
    expect((await ask(many, { method: 'POST', path: things, body })).status).toBe(201);
    expect((await ask(many, { path: things })).value.items).toHaveLength(1);
    expect((await ask(many, { path: '/openapi/v3/apis/one.example.com/v1' })).status).toBe(200);
    await many.uninstall(one);
    expect((await ask(many, { path })).status).toBe(404);
    expect(reads).toBe(0);
  });

  it.each(QUESTIONS)('takes as many steps as a server of few kinds: $method $path', async (question) => {
    for (const server of [few, many]) {
      await ask(server, { method: 'DELETE', path: `${MAPS}/a` });
      if (question.method !== 'POST') await ask(server, { method: 'POST', path: MAPS, body: named('a') });
    }
    const [ofFew, ofMany] = [await stepsOf(few, question), await stepsOf(many, question)];
    expect(ofFew.status).toBeLessThan(300);
    expect(ofMany).toEqual(ofFew);
  });
});

/** Counts the lookups and iterations of one request, and the members that it iterates over. */
async function stepsOf(server: ApiServer, question: Question) {
  let lookups = 0;
  let gone = 0;
  const spies = (['get', 'has', 'values', 'entries', 'forEach'] as const).map((name) => {
    const real = Map.prototype[name] as (...args: unknown[]) => unknown;
    return vi.spyOn(Map.prototype, name).mockImplementation(function (this: Map<unknown, unknown>, ...args: unknown[]) {
      lookups++;
      if (name !== 'get' && name !== 'has') gone += this.size;
      return real.apply(this, args) as never;
    });
  });
  try {
    const { status } = await ask(server, question);
    return { status, lookups, gone };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
