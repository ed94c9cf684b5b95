import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/index.js';
import { ask } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

// A custom resource stores or refuses a value in the same way, whatever the verb. Nulls are left out, because only an apply keeps those that
// the schema does not allow, so that validation refuses them.
const text = { type: 'string' };
const keyed = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
const SPEC = {
  whole: { type: 'integer' },
  small: { type: 'integer', format: 'int32', minimum: -5_000_000_000 },
  large: { type: 'integer', format: 'int64', maximum: 10 ** 15 },
  number: { type: 'number', format: 'float', multipleOf: 0.5 },
  port: { 'x-kubernetes-int-or-string': true, pattern: '^[a-z]*$' },
  choice: { ...text, enum: ['a', ''] },
  filled: { type: 'object', default: {}, properties: { a: { ...text, default: 'b' } } },
  keyed: { ...keyed, items: { type: 'object', required: ['k'], properties: { k: text, v: text } } },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer', format: 'int32' } },
  map: { type: 'object', additionalProperties: { type: 'integer', format: 'int32' }, maxProperties: 1 },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  whatever: { 'x-kubernetes-preserve-unknown-fields': true },
  ruled: { type: 'object', properties: { a: text }, 'x-kubernetes-validations': [{ rule: 'has(self.a)' }] },
};
const PATH = '/apis/example.com/v1/namespaces/default/things';
const WRITES = {
  update: { method: 'PUT', type: 'application/json' },
  merge: { method: 'PATCH', type: 'application/merge-patch+json' },
  json: { method: 'PATCH', type: 'application/json-patch+json' },
  apply: { method: 'PATCH', type: 'application/apply-patch+yaml' },
};
let things = 0;

async function write(server: ApiServer, how: 'create' | keyof typeof WRITES, spec: object) {
  const name = `thing-${things++}`;
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name } };
  const send = async (method: string, path: string, type: string, body: object) => {
    const headers = { 'content-type': type };
    const { status, value } = await ask(server, { method, path, query: 'fieldManager=m', headers, body });
    const causes = value.details?.causes?.map(({ field, message }: Record<string, string>) => `${field}: ${message}`);
    return { value, outcome: status < 300 ? value.spec : [status, ...(causes ?? [value.message])] };
  };
  if (how === 'create') return (await send('POST', PATH, 'application/json', { ...thing, spec })).outcome;
  const { method, type } = WRITES[how];
  const { metadata } = how === 'apply' ? thing : (await send('POST', PATH, 'application/json', thing)).value;
  const body = how === 'json' ? [{ op: 'add', path: '/spec', value: spec }] : { ...thing, metadata, spec };
  return (await send(method, `${PATH}/${name}`, type, body)).outcome;
}

const VALUES: readonly (readonly [string, object])[] = [
  ['an integer without a format', { whole: 2 ** 53 - 1 }],
  ['an integer beyond 64 bits', { whole: 1e21 }],
  ['a fraction for an integer', { whole: 1.5 }],
  ['an integer beyond its 32 bits', { small: 2 ** 31 }],
  ['an integer below its 32 bits', { small: -(2 ** 32) }],
  ['an integer below its minimum', { small: -(10 ** 10) }],
  ['an integer of more than 32 bits', { large: 2 ** 40 }],
  ['an integer above its maximum', { large: 2 ** 52 }],
  ['a number beyond the format float', { number: 1e300 }],
  ['a number between the multiples', { number: 0.75 }],
  ['a large integer for int-or-string', { port: 2 ** 32 }],
  ['a string that the pattern of int-or-string excludes', { port: '80' }],
  ['an empty string of an enum', { choice: '' }],
  ['another string', { choice: 'b' }],
  ['an object that a default completes', { filled: {} }],
  ['no object, which has a default', {}],
  ['keyed items', { keyed: [{ k: 'a' }, { k: 'b', v: 'c' }] }],
  ['large integers in a set', { set: [2 ** 31, 1, 2 ** 32 + 1] }],
  ['a large integer in a map', { map: { a: 2 ** 31 } }],
  ['too many members of a map', { map: { a: 1, b: 2 } }],
  ['unknown fields that are preserved', { free: { a: [2 ** 32, 0.1, { b: '' }], c: {} } }],
  ['a scalar without a type', { whatever: 2 ** 40 }],
  ['a list without a type', { whatever: [1, 'a', [true]] }],
  ['an object that a rule refuses', { ruled: {} }],
];

describe.each(['k8s', 'orch'] as const)('%s', (dialect) => {
  const server = suiteServer({ dialect, authentication: [everybody] });
  beforeAll(() => server.install(manifest({ spec: SPEC })));

  it.each(VALUES)('all verbs agree about %s', async (_, spec) => {
    const created = await write(server, 'create', spec);
    for (const how of Object.keys(WRITES))
      expect([how, await write(server, how as keyof typeof WRITES, spec)]).toEqual([how, created]);
  });
});
