import { describe, expect, it } from 'vitest';
import { Configuration } from '../../src/flow-control/configuration.js';
import type { PriorityLevel } from '../../src/flow-control/priority-level.js';
import { suggestedPriorityLevels } from '../../src/resources/flowcontrol/default-objects.js';
import type { PriorityLevelConfiguration as LevelObject } from '../../src/resources/flowcontrol/flowcontrol-v1.types.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { createFakeHost } from '../../src/testing/fake-host.js';

const SEATS = (40 + 100 + 5) * 6;
const NAMES = ['exempt', 'workload-high', 'workload-low', 'catch-all'];

/** The mandatory levels and two others, with their demands. */
function world() {
  const clock = createFakeClock();
  const configuration = new Configuration({ ...createFakeHost(), clock }, SEATS);
  const stored = suggestedPriorityLevels.filter(({ metadata }) => NAMES.includes(metadata.name ?? ''));
  configuration.update(stored as unknown as readonly LevelObject[], []); // They have all members that the function reads.
  const byName = new Map([...configuration.levels].map((level) => [level.name, level]));
  const [exempt, high, low, last] = NAMES.map((name) => byName.get(name) as PriorityLevel) as [
    PriorityLevel,
    PriorityLevel,
    PriorityLevel,
    PriorityLevel,
  ];
  const want = (level: PriorityLevel, seats: number) => level.queueSet.demand.set(seats, clock.monotonic());
  /** Advances the clock by a number of periods. */
  const pass = (periods: number) => {
    for (let i = 0; i < periods; i++) {
      clock.advance(10_000);
      configuration.adjustLimits();
    }
  };
  const limits = () => [exempt, high, low, last].map(({ current }) => current);
  return { configuration, exempt, high, low, last, want, pass, limits };
}

describe('exempt levels, where demand exceeds the seats,', () => {
  const opened = () => {
    const opened = world();
    const { exempt, high, low, last, want } = opened;
    for (const level of [exempt, high, low, last]) want(level, SEATS + 100);
    return opened;
  };

  it('take what they want, and leave the others at least the seats that these do not lend', () => {
    const { high, low, last, pass, limits, configuration } = opened();
    pass(1);
    expect(limits()).toEqual([SEATS + 100, high.lower, low.lower, last.lower]);
    expect(configuration.fairFraction).toBe(0);
  });

  it('take the same fraction of the lendable seats of each level', () => {
    const { exempt, high, low, last, want, pass, limits, configuration } = opened();
    pass(1);
    const half = [high, low, last].map(({ nominal, lower }) => (nominal + lower) / 2);
    const taken = SEATS - half.reduce((sum, each) => sum + each, 0);
    want(exempt, taken);
    pass(2);
    expect(limits()).toEqual([taken, ...half]);
    expect(configuration.fairFraction).toBe(0);
  });

  it('take all lendable seats of a level that wants little, and none of levels that want much', () => {
    const { exempt, high, low, last, want, pass, limits } = opened();
    const rest = [high.nominal, low.lower, last.nominal];
    const taken = SEATS - rest.reduce((sum, each) => sum + each, 0);
    want(exempt, taken);
    want(low, 1);
    pass(2);
    expect(limits()).toEqual([taken, ...rest]);
  });
});

it('seats are divided among the limited levels if demand is below the total', () => {
  const { high, low, want, pass, limits, configuration } = world();
  want(high, 100);
  pass(1);
  const [exempt, ...others] = limits();
  expect(exempt).toBe(0);
  expect(others.reduce((sum: number, each = 0) => sum + each, 0)).toBeCloseTo(SEATS, -1);
  expect(others[0]).toBeGreaterThan(high.nominal);
  expect(others[1]).toBe(Math.round(configuration.fairFraction * low.lower));
  expect(configuration.fairFraction).toBeGreaterThan(1);
});
