import { describe, expect, it } from 'vitest';
import { SharedTimeouts } from '../../src/meta/shared-timeouts.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';

/** Timeouts with a clock that the test advances, and the calls that they made. */
function setUp() {
  const clock = createFakeClock();
  const timeouts = new SharedTimeouts(clock);
  const called: string[] = [];
  return { clock, timeouts, called, set: (at: number, name: string) => timeouts.set(at, () => void called.push(name)) };
}

describe('SharedTimeouts', () => {
  it('calls back at the time of each timeout, in any order of setting, with one timer', () => {
    const { clock, called, set } = setUp();
    for (const [at, name] of [
      [300, 'c'],
      [100, 'a'],
      [200, 'b'],
      [200, 'b2'],
    ] as const)
      set(at, name);
    expect(clock.pendingTimers).toBe(1);
    clock.advance(99);
    expect(called).toEqual([]);
    clock.advance(1);
    expect(called).toEqual(['a']);
    clock.advance(100);
    expect(called).toEqual(['a', 'b', 'b2']);
    clock.advance(1000);
    expect(called).toEqual(['a', 'b', 'b2', 'c']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not call back cleared timeouts, even if they are cleared while others fire', () => {
    const { clock, timeouts, called, set } = setUp();
    const cleared = set(100, 'cleared');
    timeouts.set(100, () => timeouts.clear(late));
    const late = set(150, 'late');
    set(200, 'kept');
    timeouts.clear(cleared);
    timeouts.clear(cleared);
    clock.advance(200);
    expect(called).toEqual(['kept']);
  });

  it('sets a timer again after all timeouts were cleared', () => {
    const { clock, timeouts, called, set } = setUp();
    timeouts.clear(set(100, 'cleared'));
    clock.advance(100);
    expect(clock.pendingTimers).toBe(0);
    set(150, 'next');
    clock.advance(50);
    expect(called).toEqual(['next']);
  });

  it('leaves no timer once it is closed and no timeout is pending', () => {
    const { clock, timeouts, called, set } = setUp();
    timeouts.clear(set(100, 'cleared before'));
    expect(clock.pendingTimers).toBe(1);
    timeouts.close();
    expect(clock.pendingTimers).toBe(0);
    // A request that is still waiting for its body keeps its timeout.
    const cleared = set(100, 'cleared after');
    set(50, 'due');
    clock.advance(60);
    expect(called).toEqual(['due']);
    timeouts.clear(cleared);
    expect(clock.pendingTimers).toBe(0);
  });
});
