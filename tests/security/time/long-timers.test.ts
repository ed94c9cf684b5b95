import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/meta/clock.js';

/* The runtime fires a timer of more than 2^31-1 ms at once; the clock's own must not: what sets itself again would run hot. */
const LONGEST = 2 ** 31 - 1;
describe("the machine's clock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([LONGEST, LONGEST + 1, 3 * LONGEST, 100])('fires after %d ms, once, not before', (milliseconds) => {
    const callback = vi.fn();
    systemClock.setTimer(callback, milliseconds);
    vi.advanceTimersByTime(milliseconds - 1);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(LONGEST);
    expect(callback).toHaveBeenCalledOnce();
  });
  it('can be cancelled in a later part of a long wait', () => {
    const callback = vi.fn();
    const cancel = systemClock.setTimer(callback, 3 * LONGEST);
    vi.advanceTimersByTime(2 * LONGEST + 5);
    cancel();
    vi.advanceTimersByTime(3 * LONGEST);
    expect(callback).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
  it('never fires after an infinite time', () => {
    const callback = vi.fn();
    systemClock.setTimer(callback, Number.POSITIVE_INFINITY);
    vi.advanceTimersByTime(5 * LONGEST);
    expect(callback).not.toHaveBeenCalled();
  });
});
