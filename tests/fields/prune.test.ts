import { describe, expect, it } from 'vitest';
import { decodeManagedFields } from '../../src/fields/managed-fields.js';
import type { JsonObject } from '../../src/json/value.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { applyOwnership } from '../support/apply-ownership.js';
import { configMap } from './kinds.js';

/* Pruning a large map of scalars skips the entries that certainly stay. The result must equal that of the algorithm for small maps. */
const common = {
  schema: configMap,
  kind: 'ConfigMap',
  apiVersion: 'v1',
  subresource: '',
  now: 0,
  force: true,
} as const;
const entries = (from: number, to: number) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`k${from + i}`, 'v']));

function apply(live: ApiObject | undefined, manager: string, content: JsonObject): ApiObject {
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', ...content };
  return applyOwnership({ ...common, manager, live, applied });
}
const dataOf = (object: ApiObject) => Object.keys((object as unknown as { data?: object }).data ?? {});
const ownedBy = (object: ApiObject, name: string) =>
  [...decodeManagedFields(object.metadata.managedFields).values()].find((manager) => manager.name === name)?.fields;

describe.each([
  ['few', 20],
  ['many', 2000],
])('an apply of %s entries', (_, n) => {
  it('removes the entries that it leaves out, and keeps the others', () => {
    const first = apply(undefined, 'a', { data: entries(0, n), metadata: { name: 'x', labels: entries(0, n) } });
    const second = apply(first, 'a', { data: entries(3, n), metadata: { name: 'x', labels: entries(0, n - 2) } });
    expect(dataOf(second)).toEqual(Object.keys(entries(3, n)));
    expect(Object.keys(second.metadata.labels ?? {})).toEqual(Object.keys(entries(0, n - 2)));
    expect(Object.keys(ownedBy(second, 'a')?.['f:data'] ?? {})).toHaveLength(n - 3);
  });
  it('leaves the entries that others own or that have no owner', () => {
    const first = apply(undefined, 'a', { data: entries(0, n), metadata: { name: 'x' } });
    const shared = apply(first, 'b', { data: entries(0, 5), metadata: { name: 'x' } });
    const free = { ...shared, data: { ...(shared as unknown as { data: object }).data, free: 'v' } };
    const second = apply(free as ApiObject, 'a', { data: entries(10, n), metadata: { name: 'x' } });
    expect(new Set(dataOf(second))).toEqual(new Set([...Object.keys({ ...entries(0, 5), ...entries(10, n) }), 'free']));
  });
  it('replaces all entries', () => {
    const first = apply(undefined, 'a', { data: entries(0, n), metadata: { name: 'x' } });
    const second = apply(first, 'a', { data: entries(n, 2 * n), metadata: { name: 'x' } });
    expect(dataOf(second)).toEqual(Object.keys(entries(n, 2 * n)));
    expect(dataOf(apply(second, 'a', { metadata: { name: 'x' } }))).toEqual([]);
  });
});
