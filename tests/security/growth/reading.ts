import { dialectOf } from '../../../src/meta/dialect.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { decodeContinueToken, encodeContinueToken, keyBefore } from '../../../src/registry/reads/continue-token.js';
import { pod } from '../../../src/resources/core/index.js';
import { parseFieldSelector } from '../../../src/selectors/field-selector.js';
import { parseLabelSelector } from '../../../src/selectors/label-selector.js';
import { labelSelectorOf } from '../../../src/selectors/label-selector-object.js';
import {
  partialObjectMetadata,
  partialObjectMetadataList,
} from '../../../src/serialization/partial-object-metadata.js';
import { tableOfList, tableOfObject } from '../../../src/serialization/table.js';
import { encodeBase64Url } from '../../../src/values/base64.js';
import { type GrowthRow, numbers } from './measure.js';

const k8s = dialectOf('k8s');
const token = (json: string) => encodeBase64Url(new TextEncoder().encode(json));
const row = <T>(name: string, n: number, read: (given: T) => unknown, make: (n: number) => T): GrowthRow => ({
  name,
  n,
  prepare: (size) => {
    const given = make(size);
    return () => read(given);
  },
});
const list = (n: number, text: (i: number) => string) => numbers(n).map(text).join(',');
const labels = (n: number) => Object.fromEntries(numbers(n).map((i) => [`k${i}`, `v${i}`]));
const podOf = (i: number, more: number) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${i}`, namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      containers: numbers(more).map((c) => ({ name: `c${c}`, image: 'i' })),
      readinessGates: numbers(more).map((c) => ({ conditionType: `x.y/g${c}` })),
    },
    status: {
      conditions: numbers(more).map((c) => ({ type: `x.y/g${c}`, status: 'True' })),
      containerStatuses: numbers(more).map((c) => ({
        name: `c${c}`,
        ready: true,
        restartCount: 1,
        state: {},
        lastState: {},
      })),
    },
  }) as unknown as ApiObject;
const columns = pod.columns ?? [];
const options = { apiVersion: 'meta.k8s.io/v1', columns: columns as never, now: 0 } as const;

export const rows: readonly GrowthRow[] = [
  row('a label selector: keys', 2_000, parseLabelSelector, (n) => list(n, (i) => `k${i}=v`)),
  row('a label selector: one key', 2_000, parseLabelSelector, (n) => list(n, () => 'k!=v')),
  row('a label selector: values', 5_000, parseLabelSelector, (n) => `k in (${list(n, (i) => `v${i}`)})`),
  row('a label selector: empty values', 20_000, parseLabelSelector, (n) => `k in (${','.repeat(n)})`),
  row('a label selector: brackets', 20_000, parseLabelSelector, (n) => `k in ${'('.repeat(n)}`),
  row('a label selector: exclamation marks', 20_000, parseLabelSelector, (n) => '!'.repeat(n)),
  row('a label selector: spaces', 50_000, parseLabelSelector, (n) => `k${' '.repeat(n)}=${' '.repeat(n)}v`),
  row('a label selector: a long word', 50_000, parseLabelSelector, (n) => 'k'.repeat(n)),
  {
    name: 'a label selector: many terms against many labels',
    n: 1_000,
    prepare: (n) => {
      // The selector is that of an object, because the length of selectors in requests is limited.
      const each = Array.from({ length: n }, (_, i) => i);
      const selector = labelSelectorOf({
        matchExpressions: [
          ...each.map((i) => ({ key: `k${i}`, operator: 'In', values: [`v${i}`, 'w'] })),
          ...each.map((i) => ({ key: `x${i}`, operator: 'DoesNotExist' })),
          { key: 'all', operator: 'NotIn', values: each.map((i) => `v${i}`) },
        ],
      });
      const given = labels(n);
      return () => selector.matches(given);
    },
  },
  row('a field selector: terms', 2_000, parseFieldSelector, (n) => list(n, (i) => `metadata.name!=x${i}`)),
  row('a field selector: escapes', 20_000, parseFieldSelector, (n) => `metadata.name=${'\\,'.repeat(n)}`),
  row('a field selector: backslashes', 20_000, parseFieldSelector, (n) => `metadata.name=${'\\'.repeat(n)}`),
  row('a field selector: signs of equality', 20_000, parseFieldSelector, (n) => '='.repeat(n)),

  row(
    'a continue token: a deep key',
    20_000,
    (given: string) => decodeContinueToken(k8s, given),
    (n) => encodeContinueToken(k8s, { revision: 1, start: `${'a/'.repeat(n)}b` }),
  ),
  row(
    'a continue token: a long key',
    50_000,
    (given: string) => keyBefore(decodeContinueToken(k8s, given).start),
    (n) => encodeContinueToken(k8s, { revision: 1, start: 'a'.repeat(n) }),
  ),
  row(
    'a continue token: deep JSON',
    5_000,
    (given: string) => decodeContinueToken(k8s, given),
    (n) => token(`{"v":"meta.k8s.io/v1","x":${'['.repeat(n)}${']'.repeat(n)}}`),
  ),
  row(
    'a continue token: JSON that never ends',
    20_000,
    (given: string) => decodeContinueToken(k8s, given),
    (n) => token('{"a":'.repeat(n)),
  ),
  row(
    'a continue token: what is not base64',
    50_000,
    (given: string) => decodeContinueToken(k8s, given),
    (n) => `${'a'.repeat(n)}!`,
  ),

  row(
    'a Table of many objects',
    500,
    (items: readonly ApiObject[]) => tableOfList({ items, metadata: {} } as never, options),
    (n) => numbers(n).map((i) => podOf(i, 2)),
  ),
  row(
    'a Table of one wide object',
    500,
    (object: ApiObject) => tableOfObject(object, { ...options, includeObject: 'Object' }),
    (n) => podOf(0, n),
  ),
  row(
    'PartialObjectMetadata of many objects',
    2_000,
    (items: readonly ApiObject[]) => partialObjectMetadataList({ items, metadata: {} } as never, 'meta.k8s.io/v1'),
    (n) => numbers(n).map((i) => podOf(i, 1)),
  ),
  row(
    'PartialObjectMetadata of wide metadata',
    2_000,
    (object: ApiObject) => JSON.stringify(partialObjectMetadata(object, 'meta.k8s.io/v1')),
    (n) => ({ ...podOf(0, 1), metadata: { name: 'p', labels: labels(n) } }) as ApiObject,
  ),
];
