import { beforeAll, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

// The types by which an apply is merged are those of the published OpenAPI document, which differ from those of validation.
const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
const child = { type: 'object', properties: { a: { type: 'string' } } };
const SPEC = {
  email: { type: 'string', format: 'email' },
  custom: { type: 'string', format: 'custom' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  bare: { type: 'object' },
  child,
  open: {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: {
      child,
      list: { type: 'array', items: child },
      atomic: { ...child, 'x-kubernetes-map-type': 'atomic' },
    },
  },
};
beforeAll(() => server.install(manifest({ spec: SPEC })));

async function apply(name: string, spec: object) {
  const { status, value } = await ask(server, {
    method: 'PATCH',
    path: `/apis/example.com/v1/namespaces/default/things/${name}`,
    query: 'fieldManager=m',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, spec },
  });
  return { status, value };
}

it.each<[string, object, string]>([
  ['a number for a string with a format', { email: 5 }, 'spec.email in body must be of type email: "int64"'],
  [
    'a number for a string with an unknown format',
    { custom: 5 },
    'spec.custom in body must be of type string: "integer"',
  ],
])('leaves %s to validation', async (_, spec, message) => {
  const { status, value } = await apply('refused', spec);
  expect([status, value.message]).toEqual([422, expect.stringContaining(message)]);
});

it.each<[string, object, string]>([
  ['a number for bytes', { bytes: 5 }, '.spec.bytes: expected string, got &value.valueUnstructured{Value:5}'],
  ['an object for a time', { time: { a: 1 } }, '.spec.time: expected any scalar, got &{map[a:1]}'],
  ['a list for a string with a format', { custom: ['x'] }, '.spec.custom: expected any scalar, got &{[x]}'],
  ['an unknown field of a struct', { child: { x: 1 } }, '.spec.child.x: field not declared in schema'],
])('refuses %s as a type error', async (_, spec, message) => {
  const { status, value } = await apply('refused', spec);
  expect([status, value.message]).toEqual([500, expect.stringContaining(message)]);
});

it.each<[string, object, object, object]>([
  ['an object without properties', { bare: { x: 1 } }, { bare: {} }, { 'f:bare': { 'f:x': {} } }],
  [
    'a struct inside an object that preserves unknown fields',
    { open: { child: { x: 1 } } },
    { open: { child: {} } },
    { 'f:open': { 'f:child': { 'f:x': {} } } },
  ],
  [
    'items inside such an object',
    { open: { list: [{ x: 1 }] } },
    { open: { list: [{}] } },
    { 'f:open': { 'f:list': {} } },
  ],
  [
    'an atomic struct inside such an object',
    { open: { atomic: { x: 1 } } },
    { open: { atomic: {} } },
    { 'f:open': { 'f:atomic': {} } },
  ],
])(
  'accepts unknown fields of %s, which get an owner although pruning removes them',
  async (title, spec, stored, fields) => {
    const { status, value } = await apply(title.replaceAll(' ', '-'), spec);
    expect([status, value.spec]).toEqual([201, stored]);
    expect(value.metadata.managedFields).toMatchObject([{ fieldsV1: { 'f:spec': fields } }]);
  },
);
