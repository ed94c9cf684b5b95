/** Pseudorandom numbers that depend on a seed. */
export function chance(seed) {
  let state = seed >>> 0;
  /** At least 0, less than 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { next, below, often: (share) => next() < share, pick: (list) => list[below(list.length)] };
}
