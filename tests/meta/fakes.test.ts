import { describe, expect, it } from 'vitest';
import { randomSuffix, randomUuid } from '../../src/meta/random.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { createFakeRandom } from '../../src/testing/fake-random.js';

describe('the fake clock', () => {
  it('starts at the given time and does not move by itself', () => {
    expect(createFakeClock(5).now()).toBe(5);
    expect(createFakeClock('1970-01-01T00:00:01Z').now()).toBe(1000);
    expect(createFakeClock(new Date(7)).now()).toBe(7);
    expect(() => createFakeClock('never')).toThrow(TypeError);
  });

  it('fires timers in order, at their times', () => {
    const clock = createFakeClock(0);
    const fired: [string, number][] = [];
    const mark = (name: string) => () => fired.push([name, clock.now()]);
    clock.setTimer(mark('b'), 20);
    clock.setTimer(mark('a'), 10);
    clock.setTimer(mark('b2'), 20);
    const cancel = clock.setTimer(mark('never'), 15);
    clock.setTimer(mark('later'), 100);
    cancel();
    clock.advance(20);
    expect(fired).toEqual([
      ['a', 10],
      ['b', 20],
      ['b2', 20],
    ]);
    expect(clock.now()).toBe(20);
    expect(clock.pendingTimers).toBe(1);
  });

  it('fires timers that timers set', () => {
    const clock = createFakeClock(0);
    const times: number[] = [];
    const again = () => {
      times.push(clock.now());
      clock.setTimer(again, 10);
    };
    clock.setTimer(again, 10);
    clock.advance(35);
    expect(times).toEqual([10, 20, 30]);
    clock.set(5);
    expect(clock.now()).toBe(5);
    expect(times).toHaveLength(3);
  });

  it('does not hang on timers of zero duration, and does not go back when a timer advances it', () => {
    const clock = createFakeClock(0);
    let count = 0;
    const again = () => {
      count++;
      clock.setTimer(again, 0);
    };
    again();
    clock.advance(5);
    expect(count).toBe(6);
    const other = createFakeClock(0);
    other.setTimer(() => other.advance(100), 1);
    other.advance(2);
    expect(other.now()).toBe(101);
  });
});

describe('the fake random source', () => {
  it('repeats its values for the same seed', () => {
    const bytes = (seed?: number) => [...createFakeRandom(seed).fill(new Uint8Array(8))];
    expect(bytes(7)).toEqual(bytes(7));
    expect(bytes(7)).not.toEqual(bytes(8));
    expect(bytes()).toEqual(bytes(1));
  });
  it('is sufficient for names and uids', () => {
    const random = createFakeRandom();
    const names = new Set(Array.from({ length: 1000 }, () => randomSuffix(random)));
    expect(names.size).toBeGreaterThan(990);
    expect(randomUuid(random)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
