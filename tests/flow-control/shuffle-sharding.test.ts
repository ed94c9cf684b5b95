import { expect, it } from 'vitest';
import { deal, shuffleShardDealer } from '../../src/flow-control/shuffle-sharding.js';
import { systemSignatures } from '../../src/signatures/system-signatures.js';

const digest: typeof systemSignatures.digest = (hash, data) => systemSignatures.digest(hash, data);

it('each hand is the result of equally many hashes', () => {
  const hands = new Map<string, number>();
  // There are 6 * 5 * 4 hands, each twice.
  for (let hash = 0n; hash < 240n; hash++) {
    const hand = deal(hash, 6, 3).join();
    hands.set(hand, (hands.get(hand) ?? 0) + 1);
  }
  expect(hands.size).toBe(120);
  expect(new Set(hands.values())).toEqual(new Set([2]));
});

it('a hand contains different queues', () => {
  for (const [deck, size] of [
    [1, 1],
    [8, 8],
    [64, 6],
    [128, 8],
    [512, 7],
  ] as const)
    for (let i = 0n; i < 100n; i++) {
      const hand = deal((i * 0x9e3779b97f4a7c15n) & ((1n << 64n) - 1n), deck, size);
      expect(new Set(hand).size).toBe(size);
      for (const card of hand) expect(card >= 0 && card < deck).toBe(true);
    }
});

it('flows use all queues, and rarely share a whole hand', () => {
  const dealer = shuffleShardDealer(digest, 64, 6);
  const used = Array.from({ length: 64 }, () => 0);
  const hands = new Set<string>();
  for (let i = 0; i < 6400; i++) {
    const hand = dealer(`schema\0user-${i}`) as readonly number[];
    for (const card of hand) used[card] = (used[card] ?? 0) + 1;
    hands.add([...hand].sort().join());
  }
  // 600 flows are expected for each queue; the tolerance is four standard deviations of about 24.
  for (const count of used) expect(Math.abs(count - 600)).toBeLessThan(100);
  // There are 75 million hands.
  expect(hands.size).toBeGreaterThan(6395);
});

it('a flow has the same hand each time, and another one in another flow schema', () => {
  const hand = shuffleShardDealer(digest, 128, 6)('a\0jane');
  expect(shuffleShardDealer(digest, 128, 6)('a\0jane')).toEqual(hand);
  expect(shuffleShardDealer(digest, 128, 6)('b\0jane')).not.toEqual(hand);
});
