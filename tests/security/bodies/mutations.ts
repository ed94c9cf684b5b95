import type { JsonValue } from '../../../src/json/value.js';

/** Returns a sequence of numbers that depends on a seed. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NAMES = ['', '__proto__', 'constructor', 'metadata', 'spec', 'status', '$patch', '$retainKeys', 'name', 'x.y/z'];
const VALUES: readonly (() => JsonValue)[] = [
  () => null,
  () => [],
  () => ({}),
  () => '',
  () => 'x',
  () => 0,
  () => -1,
  () => 1.5,
  () => 1e300,
  () => true,
  () => [null],
  () => [[]],
  () => [{}],
  () => ({ a: null }),
  () => ({ '': {} }),
  () => ({ name: null }),
  () => 'y'.repeat(5_000),
  () => '\ud800',
  () => '1Gi',
  () => '2026-01-01T00:00:00Z',
  () => Array.from({ length: 300 }, (_, i) => ({ name: `n${i}` })),
  () => Array.from({ length: 300 }, () => 'same'),
  () => JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}'),
  () => JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`),
  () => ({ $patch: 'delete' }),
  () => ({ $patch: 'replace' }),
  () => [{ $patch: 'merge' }],
  () => ({ $retainKeys: [1] }),
  () => ({ '$setElementOrder/containers': [{ name: 'a' }], '$deleteFromPrimitiveList/finalizers': ['a'] }),
];

/** Copies a value, with some nodes replaced, removed, duplicated or renamed. */
export function mutated(value: JsonValue, random: (below: number) => number): JsonValue {
  let next: JsonValue = structuredClone(value);
  for (let times = 1 + random(3); times > 0; times--) next = mutateOne(next, random);
  return next;
}

function mutateOne(root: JsonValue, random: (below: number) => number): JsonValue {
  const places: { holder: Record<string, JsonValue> | JsonValue[]; key: string | number }[] = [];
  const collect = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      const holder = value as Record<string, JsonValue> | JsonValue[];
      places.push({ holder, key: Array.isArray(holder) ? Number(key) : key });
      collect((holder as Record<string, JsonValue>)[key] ?? null);
    }
  };
  collect(root);
  const any = () => VALUES[random(VALUES.length)]?.() ?? null;
  const place = places[random(places.length + 1)];
  if (!place) return random(4) === 0 ? any() : root;
  const { key } = place;
  const holder = place.holder as Record<string | number, JsonValue>; // an array takes indexes
  switch (random(6)) {
    case 0:
      if (Array.isArray(place.holder)) place.holder.splice(Number(key), 1);
      else delete holder[key];
      break;
    case 1:
      if (Array.isArray(place.holder)) place.holder.push(structuredClone(holder[key] ?? null));
      else define(place.holder, NAMES[random(NAMES.length)] ?? '', any());
      break;
    default:
      define(holder, key, any());
  }
  return root;
}

const define = (holder: object, key: string | number, value: JsonValue) =>
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
