import type { JsonObject, JsonValue } from '../../../src/json/value.js';
import { applyJsonPatch, decodeJsonPatch } from '../../../src/patch/json-patch.js';
import { applyMergePatch } from '../../../src/patch/merge-patch.js';
import { repeatedMembers } from '../../../src/patch/repeated-members.js';
import { applyStrategicMergePatch } from '../../../src/patch/strategic-merge-patch.js';
import { pod } from '../../../src/resources/core/index.js';
import { type GrowthRow, numbers } from './measure.js';

const members = (n: number, prefix: string): JsonObject =>
  Object.fromEntries(numbers(n).map((i) => [`${prefix}${i}`, 'v']));
/** The number of operations. Even four times as many are below the maximum of a patch. */
const OPERATIONS = 2_000;

/** The operations for a list or an object of n members, by their index. */
const JSON_PATCHES: Readonly<Record<string, (i: number, n: number) => JsonObject>> = {
  'appends to a list': (i) => ({ op: 'add', path: '/list/-', value: i }),
  'removes from the end of a list': () => ({ op: 'remove', path: '/list/-1' }),
  'replaces in a list': (i, n) => ({ op: 'replace', path: `/list/${i % n}`, value: -i }),
  'adds members': (i) => ({ op: 'add', path: `/map/x${i}`, value: 'v' }),
  'removes members': (i) => ({ op: 'remove', path: `/map/m${i}` }),
  'tests members': (i) => ({ op: 'test', path: `/map/m${i}`, value: 'v' }),
  'moves members': (i) => ({ op: 'move', from: `/map/m${i}`, path: `/map/y${i}` }),
  'copies members': (i) => ({ op: 'copy', from: `/map/m${i}`, path: `/map/y${i}` }),
};
const jsonPatches: readonly GrowthRow[] = Object.entries(JSON_PATCHES).map(([what, make]) => ({
  name: `JSON patch: ${what}`,
  n: OPERATIONS,
  prepare: (n) => {
    const operations = Math.min(n, 10_000);
    const document = { list: numbers(n), map: members(n, 'm') };
    const patch = numbers(operations).map((i) => make(i, n));
    return () => applyJsonPatch(document, decodeJsonPatch(patch, 'Strict'));
  },
}));
/** A row that moves one large member to and fro. The operations must not read the member each time. */
const moves: GrowthRow = {
  name: 'JSON patch: moves a large object over an empty one and back',
  // The larger inputs must stay below the maximum number of operations of a patch.
  n: 100,
  prepare: (n) => {
    const document = { data: members(10_000, 'm') };
    const round = [
      { op: 'add', path: '/t', value: {} },
      { op: 'move', from: '/data', path: '/t' },
      { op: 'move', from: '/t', path: '/data' },
    ];
    const patch = decodeJsonPatch(
      numbers(n).flatMap(() => round),
      'Strict',
    );
    return () => applyJsonPatch(document, patch);
  },
};

const mergePatches: readonly GrowthRow[] = (
  [
    ['other members', (n) => members(n, 'b')],
    ['the same members', (n) => members(n, 'a')],
    ['nulls', (n) => Object.fromEntries(numbers(n).map((i) => [`a${i}`, null]))],
    ['nulls for nothing', (n) => Object.fromEntries(numbers(n).map((i) => [`c${i}`, null]))],
    ['objects for texts', (n) => Object.fromEntries(numbers(n).map((i) => [`a${i}`, { x: null, y: [{ z: null }] }]))],
  ] satisfies [string, (n: number) => JsonObject][]
).map(([what, make]) => ({
  name: `merge patch: ${what}`,
  n: 2_000,
  prepare: (n) => {
    const [document, patch] = [{ m: members(n, 'a') }, { m: make(n) }];
    return () => applyMergePatch(document, patch);
  },
}));

const containers = (n: number, prefix: string, more: JsonObject = {}): JsonObject[] =>
  numbers(n).map((i) => ({ name: `${prefix}${i}`, ...more }));
const reversed = <T>(items: readonly T[]) => [...items].reverse();
const strategic = (what: string, make: (n: number) => JsonObject): GrowthRow => ({
  name: `strategic merge patch: ${what}`,
  n: 1_000,
  prepare: (n) => {
    const document = {
      metadata: { finalizers: numbers(n).map((i) => `f${i}`) },
      spec: { containers: containers(n, 'a') },
    };
    const patch = make(n);
    return () => applyStrategicMergePatch(document, patch, pod.schema);
  },
});
const finalizers = (n: number, prefix: string): JsonValue => numbers(n).map((i) => `${prefix}${i}`);
const strategicPatches: readonly GrowthRow[] = [
  strategic('others', (n) => ({ spec: { containers: containers(n, 'b') } })),
  strategic('changed ones, reversed', (n) => ({ spec: { containers: reversed(containers(n, 'a', { image: 'i' })) } })),
  strategic('one name again and again', (n) => ({
    spec: { containers: numbers(n).map((i) => ({ name: 'a1', image: `i${i}` })) },
  })),
  strategic('deletions', (n) => ({ spec: { containers: containers(n, 'a', { $patch: 'delete' }) } })),
  strategic('an order', (n) => ({
    spec: {
      '$setElementOrder/containers': reversed(containers(n, 'a')),
      containers: reversed(containers(n, 'a', { image: 'i' })),
    },
  })),
  strategic('an order that nothing fits', (n) => ({
    spec: { '$setElementOrder/containers': containers(n, 'b'), containers: containers(n, 'a') },
  })),
  strategic('a set and its order', (n) => ({
    metadata: {
      '$setElementOrder/finalizers': [finalizers(n, 'g'), finalizers(n, 'f')].flat() as JsonValue,
      finalizers: finalizers(n, 'g'),
    },
  })),
  strategic('deletions from a set', (n) => ({
    metadata: { '$deleteFromPrimitiveList/finalizers': finalizers(n, 'f') },
  })),
  strategic('kept members', (n) => ({
    metadata: { $retainKeys: ['labels', ...numbers(n).map(String)], labels: members(n, 'l') },
  })),
  strategic('a large element again and again', (n) => ({
    spec: {
      containers: [
        { name: 'a1', env: containers(n, 'e') },
        ...numbers(n).map((i) => ({ name: 'a1', env: [{ name: 'e1', value: `v${i}` }] })),
      ],
    },
  })),
  strategic('a large map again and again', (n) => ({
    spec: {
      containers: [
        { name: 'a1', resources: { limits: members(n, 'e') } },
        ...numbers(n).map((i) => ({ name: 'a1', resources: { limits: { e1: `v${i}` } } })),
      ],
    },
  })),
];

const repeated: GrowthRow = {
  name: 'repeated members of one value',
  n: 10_000,
  prepare: (n) => {
    const value = { a: { b: 'c' } };
    const patch = { operations: [{ op: 'add', path: '/x', value }], problems: [] };
    const paths = numbers(n).map((i) => `[0].value.a.b${i}`);
    return () => repeatedMembers({ x: value }, patch, paths);
  },
};

export const rows: readonly GrowthRow[] = [...jsonPatches, moves, ...mergePatches, ...strategicPatches, repeated];
