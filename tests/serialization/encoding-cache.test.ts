import { expect, it } from 'vitest';
import { CachedTexts, encodeList, encodeObject, encodeWatchEvent } from '../../src/serialization/encoding-cache.js';
import { collectGarbage } from '../support/collect-garbage.js';

it('the oldest encodings are evicted when the cache is full; small ones do not count', () => {
  const forgotten: string[] = [];
  const kept = new CachedTexts<{ readonly name: string }>(20_000, ({ name }) => forgotten.push(name));
  const objects = Array.from({ length: 5000 }, (_, i) => ({ name: `o${i}` }));
  for (const object of objects.slice(0, 4)) kept.add(object, 5000);
  for (const object of objects) kept.add(object, 4096);
  expect(forgotten).toEqual([]);
  for (const object of objects.slice(4)) kept.add(object, 5000);
  expect(forgotten).toEqual(objects.slice(0, -4).map(({ name }) => name));
  kept.add({ name: 'whole' }, 30_000);
  expect(forgotten.slice(-5)).toEqual([...objects.slice(-4).map(({ name }) => name), 'whole']);
});

it('encodings of deleted objects do not count', async () => {
  const forgotten: string[] = [];
  const kept = new CachedTexts<{ readonly name: string }>(12_000_000, ({ name }) => forgotten.push(name));
  const oldest = { name: 'oldest' };
  kept.add(oldest, 5000);
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 1000; i++) kept.add({ name: `o${i}` }, 5000);
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  expect(forgotten).toEqual([]);
  expect(oldest.name).toBe('oldest');
});

it('encodings of objects that share large values are kept up to a limit', () => {
  const shared = Object.freeze({ large: 'x'.repeat(4 * 1024 * 1024) });
  const objects = Array.from({ length: 48 }, (_, i) => Object.freeze({ name: `o${i}`, shared }));
  const texts = objects.map((object) => encodeObject(object).bytes);
  const [oldest, newest] = [objects[0], objects.at(-1)];
  if (!oldest || !newest) throw new TypeError('there are some');
  expect(encodeObject(newest).bytes.buffer === texts.at(-1)?.buffer).toBe(true);
  expect(encodeObject(oldest).bytes.buffer === texts[0]?.buffer).toBe(false);
  const isSame = (a: Uint8Array, b: Uint8Array | undefined) => b !== undefined && Buffer.compare(a, b) === 0;
  expect(isSame(encodeObject(oldest).bytes, texts[0])).toBe(true);
  const lines = objects.map((object) => encodeWatchEvent('ADDED', object));
  expect(encodeWatchEvent('ADDED', oldest) === lines[0]).toBe(false);
  expect(isSame(encodeWatchEvent('ADDED', oldest), lines[0])).toBe(true);
});

it('the beginning of a very long list is kept, and the rest is encoded again for each reader', () => {
  const data = { x: 'x'.repeat(100_000) };
  const items = Object.freeze(
    Array.from({ length: 400 }, (_, i) =>
      Object.freeze({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: `n${i}` }, data }),
    ),
  );
  const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '5' } };
  const whole = encodeList(list, items);
  const [one, two] = [[...whole], [...whole]];
  const bytes = Buffer.concat(one);
  expect(JSON.parse(bytes.toString()).items).toHaveLength(400);
  expect(bytes.equals(Buffer.concat(two))).toBe(true);
  const shared = one.filter((slab, i) => slab === two[i]).length;
  expect(shared / one.length).toBeGreaterThan(0.3);
  expect(shared / one.length).toBeLessThan(0.5);
});
