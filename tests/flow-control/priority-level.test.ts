import { expect, it } from 'vitest';
import { RetryAfter } from '../../src/flow-control/priority-level.js';

/** Records a number of refusals in each of some seconds. */
function refuse(retryAfter: RetryAfter, from: number, seconds: number, each: number): number {
  for (let second = from; second < from + seconds; second++)
    for (let i = 0; i < each; i++) retryAfter.refused(second * 1000);
  return from + seconds;
}

it('Retry-After doubles while many requests are refused, up to 32 seconds, and decreases when few are', () => {
  const retryAfter = new RetryAfter();
  expect(retryAfter.seconds).toBe(1);
  let now = refuse(retryAfter, 1_700_000_000, 2, 5);
  expect(retryAfter.seconds).toBe(2);
  now = refuse(retryAfter, now, 100, 50);
  expect(retryAfter.seconds).toBe(32);
  now = refuse(retryAfter, now + 100, 40, 1);
  expect(retryAfter.seconds).toBeLessThan(32);
});

it('Retry-After does not increase after a single burst', () => {
  const retryAfter = new RetryAfter();
  refuse(retryAfter, 1_700_000_000, 1, 10_000);
  expect(retryAfter.seconds).toBe(1);
});

it('Retry-After follows the refusals, second by second', () => {
  const retryAfter = new RetryAfter();
  const steps: readonly (readonly [second: number, refused: number, expected: number])[] = [
    [0, 5, 1],
    [1, 11, 2],
    // It does not increase again at once.
    [2, 1, 2],
    [3, 11, 4],
    [4, 1, 4],
    [7, 1, 8],
    [11, 1, 8],
    [15, 1, 7],
    [17, 1, 6],
    [21, 14, 5],
    [22, 1, 10],
  ];
  for (const [second, refused, expected] of steps) {
    refuse(retryAfter, 1_700_000_000 + second, 1, refused);
    expect(retryAfter.seconds, `after ${second} s`).toBe(expected);
  }
});
