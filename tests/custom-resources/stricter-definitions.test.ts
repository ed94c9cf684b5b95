import { expect, it } from 'vitest';
import { startServer } from '../support/servers.js';
import { everybody, manifest, thingsOf } from './support.js';

const at = { namespace: 'default' };

/** A server with one object that was written before its definition became stricter. */
async function withOld(before: object, spec: object, after: object, root: object = {}) {
  const server = await startServer({ dialect: 'k8s', authentication: () => [everybody] });
  await server.install(manifest({ spec: before as never, root }));
  await server.client().create(thingsOf(server), { metadata: { name: 'a' }, spec } as never, at);
  await server.install(manifest({ spec: after as never, root }));
  const update = (next: object) =>
    server.client().update(thingsOf(server), 'a', (draft: object) => void Object.assign(draft, { spec: next }), at);
  return { server, update, [Symbol.asyncDispose]: () => server.close() };
}

const ports = (extra: object) => ({
  ports: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, of: { type: 'string' } } },
    ...extra,
  },
});
const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, of: 'x' }));

it('elements with keys may be reordered in a list that exceeds the new maximum', async () => {
  await using old = await withOld(ports({}), { ports: [a, b, c] }, ports({ maxItems: 2 }));
  await old.update({ ports: [c, a, b] });
  await expect(old.update({ ports: [c, a, { ...b, of: 'y' }] })).rejects.toThrow('must have at most 2 items');
  await expect(old.update({ ports: [c, b] })).resolves.toBeDefined();
});

it('rules tolerate reordered elements as well', async () => {
  const rules = { 'x-kubernetes-validations': [{ rule: 'self.size() < 3', message: 'too many' }] };
  await using old = await withOld(ports({}), { ports: [a, b, c] }, ports({ maxItems: 9, ...rules }));
  await old.update({ ports: [c, a, b] });
  await expect(old.update({ ports: [c, a, b, { name: 'd' }] })).rejects.toThrow('too many');
});

it('an object with an undeclared member counts as changed in every update', async () => {
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const spec = (extra: object) => ({ free: { ...free, ...extra }, other: { type: 'string' } });
  await using old = await withOld(spec({}), { free: { x: 1 } }, spec({ minProperties: 2 }));
  await expect(old.update({ free: { x: 1 }, other: 'y' })).rejects.toThrow('should have at least 2 properties');
  await old.update({ free: { x: 1, y: 2 }, other: 'y' });
});

it('missing required members of the whole object are reported in every write', async () => {
  await using server = await startServer({ dialect: 'k8s' });
  await server.install(manifest());
  const client = server.client();
  const made = await client.create(thingsOf(server), { metadata: { name: 'a' } }, at);
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer' } } } };
  const schema = { openAPIV3Schema: { type: 'object', required: ['spec'], properties } };
  await server.install(manifest({ version: { schema } }));
  await expect(client.replace(thingsOf(server), made, at)).rejects.toThrow('spec: Required value');
});

it('without a schema, a write of the object does not own the status, and a write of the status does not own the rest', async () => {
  await using server = await startServer({ dialect: 'k8s' });
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await server.install(manifest({ version: { schema, subresources: { status: {} } } }));
  const things = thingsOf(server);
  const [author, controller] = ['author', 'controller'].map((userAgent) => server.client({ userAgent }));
  const given = { metadata: { name: 'a' }, spec: { size: 1 }, status: { ready: true } };
  const made = await author?.create(things, given as never, at);
  const { size } = { size: 2 };
  const next = { ...made, spec: { size }, status: { ready: true } } as never;
  const written = await controller?.replace(things, next, { ...at, subresource: 'status' });
  expect(written?.metadata.managedFields?.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
    ['author', { 'f:spec': { '.': {}, 'f:size': {} } }],
    ['controller', { 'f:status': { '.': {}, 'f:ready': {} } }],
  ]);
});

it.each([
  ['values', { enum: ['z'] }, 'Unsupported value: "y"'],
  ['rules', { 'x-kubernetes-validations': [{ rule: "self == 'z'" }] }, "failed rule: self == 'z'"],
])('of elements with the same keys, the first is compared with the old one: %s', async (_name, extra, why) => {
  const list = {
    type: 'array',
    items: { type: 'object', properties: { name: { type: 'string' }, of: { type: 'string' } } },
  };
  const keyed = ports({});
  const of = { type: 'string', ...extra };
  const items = { ...keyed.ports.items, properties: { ...keyed.ports.items.properties, of } };
  const old = [
    { name: 'a', of: 'x' },
    { name: 'a', of: 'y' },
  ];
  await using stored = await withOld({ ports: list }, { ports: old }, { ports: { ...keyed.ports, items } });
  await expect(stored.update({ ports: [{ name: 'a', of: 'y' }] })).rejects.toThrow(why);
  await stored.update({ ports: [{ name: 'a', of: 'x' }] });
});
