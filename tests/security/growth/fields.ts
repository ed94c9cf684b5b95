import { capUpdateManagers, trackOwnership } from '../../../src/fields/field-manager.js';
import { decodeManagedFields, encodeManagedFields } from '../../../src/fields/managed-fields.js';
import { difference, includes, intersection, pathSet, union, unionOfAll } from '../../../src/fields/paths/path-set.js';
import { compare } from '../../../src/fields/typed/compare.js';
import { merge } from '../../../src/fields/typed/merge.js';
import { removeItems } from '../../../src/fields/typed/remove-items.js';
import { toFieldSet } from '../../../src/fields/typed/to-field-set.js';
import { findProblems } from '../../../src/fields/typed/validate-applied.js';
import type { JsonObject, JsonValue } from '../../../src/json/value.js';
import { k8s } from '../../../src/meta/dialect.js';
import type { ApiObject, ManagedFieldsEntry } from '../../../src/meta/object-meta.js';
import { configMap, pod } from '../../fields/kinds.js';
import { applyOwnership } from '../../support/apply-ownership.js';
import type { GrowthRow } from './measure.js';

/** The names of n items, in orders for which loops over lists can be slow. */
const ORDERS: Readonly<Record<string, (n: number) => readonly string[]>> = {
  'in order': (n) => Array.from({ length: n }, (_, i) => `n${String(i).padStart(7, '0')}`),
  reversed: (n) => Array.from({ length: n }, (_, i) => `n${String(n - i).padStart(7, '0')}`),
  others: (n) => Array.from({ length: n }, (_, i) => `o${i}`),
  prefixes: (n) => Array.from({ length: n }, (_, i) => 'p'.repeat(i % 40) + i),
};
const orders = Object.entries(ORDERS);

const KINDS = {
  /** A map of scalars. */
  data: {
    schema: configMap,
    object: (names: readonly string[]) => ({ data: Object.fromEntries(names.map((name) => [name, 'v'])) }),
  },
  /** A list of the type set. */
  finalizers: {
    schema: configMap,
    object: (names: readonly string[]) => ({ metadata: { finalizers: names.map((name) => `x.y/${name}`) } }),
  },
  /** A list of objects with keys. */
  containers: {
    schema: pod,
    object: (names: readonly string[]) => ({ spec: { containers: names.map((name) => ({ name, image: 'i' })) } }),
  },
} as const;

const common = { manager: 'm', apiVersion: 'v1', subresource: '', now: 0, rulings: k8s.rulings } as const;
const whole = (content: JsonObject): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'K',
    ...content,
    metadata: { name: 'x', uid: 'u', ...(content['metadata'] as object) },
  }) as ApiObject;

/** Rows that merge or compare two values of the same kind. */
const pairs: readonly GrowthRow[] = Object.entries(KINDS).flatMap(([kind, { schema, object }]) =>
  orders.map(
    ([order, names]): GrowthRow => ({
      name: `${kind}, ${order}: to compare, merge, apply, apply others, update`,
      n: 300,
      prepare: (n) => {
        const before: JsonValue = object(ORDERS['in order']?.(n) ?? []);
        const after: JsonValue = object(names(n));
        const apply = (live: ApiObject | undefined, content: JsonObject) =>
          applyOwnership({ ...common, schema, kind: 'K', live, applied: whole(content) as never, force: true });
        return () => {
          findProblems(schema, after);
          compare(schema, before, after);
          merge(schema, before, after);
          removeItems(schema, after, toFieldSet(schema, before));
          const live = apply(undefined, before);
          apply(live, after);
          trackOwnership({
            ...common,
            manager: 'other',
            schema,
            live,
            next: { ...whole(after), metadata: { ...live.metadata, ...whole(after).metadata } },
          });
        };
      },
    }),
  ),
);

const entry = (i: number, more: Partial<ManagedFieldsEntry>): ManagedFieldsEntry => ({
  manager: `m${i}`,
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  time: '2024-01-01T00:00:00Z',
  fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
  ...more,
});
const MANAGERS: Readonly<Record<string, (i: number) => ManagedFieldsEntry>> = {
  'updates, one field each': (i) => entry(i, {}),
  'applies, one field each': (i) => entry(i, { operation: 'Apply' }),
  'of two versions in turn': (i) => entry(i, { apiVersion: i % 2 ? 'v1' : 'v1beta1' }),
  'of a version each': (i) => entry(i, { apiVersion: `v${i + 1}` }),
  'all of one field': (i) => entry(i, { fieldsV1: { 'f:data': { 'f:k1': {} } } }),
  'of items of a set': (i) => entry(i, { fieldsV1: { 'f:metadata': { 'f:finalizers': { [`v:"x.y/${i}"`]: {} } } } }),
  'with times that must be read': (i) => entry(i, { time: new Date(Date.UTC(2024, 0, 1) - i * 1000).toISOString() }),
};
const managers: readonly GrowthRow[] = Object.entries(MANAGERS).map(([shape, make]) => ({
  name: `managers, ${shape}: to read, cap, write, update and apply against`,
  n: 250,
  prepare: (n) => {
    const entries = Array.from({ length: n }, (_, i) => make(i));
    const data = Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']));
    const changed = Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'w']));
    const live = whole({ data, metadata: { managedFields: entries } } as never);
    return () => {
      encodeManagedFields(capUpdateManagers(decodeManagedFields(entries)));
      trackOwnership({ ...common, schema: configMap, live, next: { ...live, data: changed } as ApiObject });
      applyOwnership({
        ...common,
        schema: configMap,
        kind: 'K',
        live,
        applied: { apiVersion: 'v1', kind: 'K', data: changed },
        force: true,
      });
    };
  },
}));

const sets: readonly GrowthRow[] = orders.map(([order, names]) => ({
  name: `sets of paths, ${order}`,
  n: 2_000,
  prepare: (n) => {
    const paths = names(n).map((name) => ['f:x', `v:"${name}"`]);
    return () => {
      const set = pathSet(...paths);
      const half = pathSet(...paths.slice(n / 2));
      union(set, half);
      intersection(set, half);
      includes(difference(set, half), half);
      unionOfAll(paths.map((path) => pathSet(path)));
    };
  },
}));

export const rows: readonly GrowthRow[] = [...pairs, ...managers, ...sets];
