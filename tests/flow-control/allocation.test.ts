import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allocate, type Claim } from '../../src/flow-control/allocation.js';
import { propertyRuns } from '../support/property-runs.js';

const claim = fc
  .tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300 }))
  .map(([lower, more, room]): Claim => ({ lower, target: lower + more, upper: lower + room }));

it('shares are the same fraction of what is wanted, but for bounds, and sum up', () => {
  fc.assert(
    fc.property(fc.array(claim, { minLength: 1, maxLength: 12 }), fc.nat(1000), (claims, wish) => {
      const sum = (of: (each: Claim) => number) => claims.reduce((before, each) => before + of(each), 0);
      const total = Math.min(
        Math.max(
          wish,
          sum(({ lower }) => lower),
        ),
        sum(({ upper }) => upper),
      );
      const allocation = allocate(total, claims);
      if (!allocation) throw new Error('there is a solution');
      const { shares, fairFraction } = allocation;
      if (total === 0) return;
      expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(total, 4);
      for (const [i, { lower, upper, target }] of claims.entries()) {
        const share = shares[i] ?? Number.NaN;
        expect(share).toBeGreaterThanOrEqual(lower);
        expect(share).toBeLessThanOrEqual(upper);
        const fair = fairFraction * Math.max(target, 0.001);
        if (share > lower && share < upper) expect(share).toBeCloseTo(fair, 4);
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});

it('a division is impossible if the bounds do not allow it', () => {
  expect(allocate(10, [{ lower: 11, target: 11, upper: 12 }])).toBeUndefined();
  expect(allocate(13, [{ lower: 11, target: 11, upper: 12 }])).toBeUndefined();
  expect(allocate(5, [])).toBeUndefined();
});

it('those who want more than their share get what others do not want', () => {
  const idle = { lower: 10, target: 10, upper: 600 };
  const busy = { lower: 100, target: 400, upper: 600 };
  const { shares } = allocate(600, [idle, busy]) ?? {};
  expect(shares?.[1]).toBeGreaterThan(550);
});
