import type { Signatures } from '../signatures/signatures.js';
import { cachedByText } from '../values/memoize.js';

const BITS_PER_BYTE = 8n;

/**
 * Chooses the queues of a level that a flow may use (shuffle sharding), like a hand dealt from a deck of cards. All hands are equally
 * likely, so two flows seldom have all queues in common.
 * @param hash the 64-bit hash of the flow's distinguisher
 * @param deck the number of cards; the cards are numbered from 0
 * @param size the number of cards in the hand, at most `deck`
 */
export function deal(hash: bigint, deck: number, size: number): readonly number[] {
  const hand: number[] = [];
  const remainders: number[] = [];
  let entropy = hash;
  for (let i = 0; i < size; i++) {
    const left = BigInt(deck - i);
    // The remainder is an index into the cards that are not yet dealt. It becomes the number of a card by adding 1 for each earlier
    // remainder that is not greater than the sum so far.
    let card = Number(entropy % left);
    remainders.push(card);
    entropy /= left;
    for (let before = i - 1; before >= 0; before--) if (card >= (remainders[before] ?? 0)) card++;
    hand.push(card);
  }
  return hand;
}

/** Returns the first 64 bits of a digest, in little-endian order. */
function hashOf(digest: Uint8Array): bigint {
  let hash = 0n;
  for (let i = 7; i >= 0; i--) hash = (hash << BITS_PER_BYTE) | BigInt(digest[i] ?? 0);
  return hash;
}

/** The queues that a flow may use. */
export type Hand = readonly number[];

/**
 * Returns a function that deals the hand of a flow. A flow always gets the same hand, because the hand is computed from the SHA-256 of the
 * flow schema's name and the flow's distinguisher. The hands of frequent flows are cached.
 */
export function shuffleShardDealer(
  digest: Signatures['digest'],
  queues: number,
  handSize: number,
): (flow: string) => Hand | Promise<Hand> {
  const ofDigest = (bytes: Uint8Array) => deal(hashOf(bytes), queues, handSize);
  return cachedByText((flow) => {
    const bytes = digest('SHA-256', new TextEncoder().encode(flow));
    return bytes instanceof Promise ? bytes.then(ofDigest) : ofDigest(bytes);
  });
}
