import { expect, it } from 'vitest';
import { TimeDistribution } from '../../src/metrics/time-distribution.js';

const SECOND = 1_000_000_000;

it('measures how long a ratio had each value, in nanoseconds', () => {
  const times = new TimeDistribution([0, 0.5, 1], 1_000);
  times.setDenominator(4, 1_000);
  times.set(2, 3_000); // Two seconds with the ratio 0.
  times.set(4, 4_000); // One second with the ratio 0.5.
  times.set(8, 6_000); // Two seconds with the ratio 1.
  expect(times.read(7_000)).toEqual({
    count: 6 * SECOND,
    sum: 4.5 * SECOND,
    buckets: [2, 1, 2].map((s) => s * SECOND),
  });
  times.setDenominator(16, 7_000);
  expect(times.read(8_000)).toMatchObject({
    count: 7 * SECOND,
    sum: 5 * SECOND,
    buckets: [2, 2, 2].map((s) => s * SECOND),
  });
});

it('does not decrease if the clock goes back', () => {
  const times = new TimeDistribution([1], 1_000);
  times.set(1, 500);
  expect(times.read(900)).toEqual({ count: 0, sum: 0, buckets: [0] });
  expect(times.read(1_001)).toMatchObject({ count: 1_000_000 });
});
