import { expect, it } from 'vitest';
import { GatheredBytes } from '../../src/values/join-bytes.js';
import { reachableBytes } from '../support/collect-garbage.js';

const KIB = 1024;

it.each<[string, number, number[]]>([
  ['no bytes', 0, [1]],
  ['one chunk', 10, [10]],
  ['an empty chunk', 3, [0, 3]],
  ['single bytes', 300 * KIB, [1]],
  ['small and large chunks', 600 * KIB, [1, 4 * KIB, 7, 4095, 100 * KIB]],
  ['chunks that fill whole parts', 256 * KIB, [1, 4095]],
])('%s are joined unchanged', (_, size, lengths) => {
  const sent = Uint8Array.from({ length: size }, (_byte, i) => (i * 31 + (i >> 8)) % 256);
  const gathered = new GatheredBytes();
  for (let at = 0, i = 0; at < size; at += lengths[i++ % lengths.length] ?? 1)
    gathered.add(sent.subarray(at, Math.min(size, at + (lengths[i % lengths.length] ?? 1))));
  const bytes = gathered.take();
  expect(bytes.constructor).toBe(Uint8Array);
  expect(Buffer.compare(bytes, sent)).toBe(0);
  expect(gathered.take()).toHaveLength(0);
});

it('small chunks do not retain the buffers that they came from', () => {
  const gathered = new GatheredBytes();
  const before = reachableBytes();
  // Each byte comes with 64 KiB: all of them together would be 64 MiB. The first few are kept as they came.
  for (let i = 0; i < KIB; i++) gathered.add(new Uint8Array(64 * KIB).subarray(i, i + 1));
  expect(reachableBytes() - before).toBeLessThan(4 * KIB * KIB);
  expect(gathered.take()).toHaveLength(KIB);
});
