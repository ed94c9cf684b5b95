import { describe, expect, it } from 'vitest';
import { ExpiringCache } from '../../src/outbound/expiring-cache.js';
import { createFakeClock } from '../../src/testing/index.js';

describe('answers that are kept for a time', () => {
  it('are returned until they expire', () => {
    const clock = createFakeClock();
    const cache = new ExpiringCache<number>(clock, 10);
    cache.set('a', 1, 1000);
    cache.set('b', 2, 2000);
    cache.set('c', 3, 0);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, 2, undefined]);
    clock.advance(1000);
    expect(['a', 'b'].map((key) => cache.get(key))).toEqual([undefined, 2]);
    cache.set('b', 4, 0);
    expect(cache.get('b')).toBeUndefined();
  });

  it('are replaced by later ones, in whichever generation they are', () => {
    const cache = new ExpiringCache<number>(createFakeClock(), 4);
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, 1000);
    cache.set('a', 2, 1000);
    expect(cache.get('a')).toBe(2);
    cache.set('a', 3, 0);
    expect(cache.get('a')).toBeUndefined();
  });

  it('are bounded in number; those in use stay', () => {
    const cache = new ExpiringCache<number>(createFakeClock(), 100);
    cache.set('used', 0, 1e9);
    for (let i = 0; i < 10_000; i++) {
      cache.set(`k${i}`, i, 1e9);
      if (i % 20 === 0) expect(cache.get('used')).toBe(0);
    }
    const kept = Array.from({ length: 10_000 }, (_, i) => `k${i}`).filter((key) => cache.get(key) !== undefined);
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(kept).toContain('k9999');
  });
});
