import { describe, expect, it } from 'vitest';
import { EventLimits } from '../../src/controllers/event-recorder.js';
import { systemRandom } from '../../src/meta/random.js';
import { createFakeHost } from '../../src/testing/fake-host.js';

const about = { kind: 'Pod', namespace: 'default', name: 'a', uid: '1', apiVersion: 'v1' };
const different = (count: number) => Array.from({ length: count }, (_, i) => `message ${i}`);
const same = (count: number) => Array<string>(count).fill('message');

describe('events about one object', () => {
  it.each<[string, before: readonly string[], seconds: number, expected: string]>([
    ['the first event is recorded', [], 1, '1 x'],
    ['a repeated event is counted', ['x'], 1, '2 x'],
    ['ten repetitions are counted, not combined', Array<string>(10).fill('x'), 1, '11 x'],
    ['the 26th event is dropped', Array<string>(25).fill('x'), 1, 'none'],
    ['the 26th event is recorded if there was time between', Array<string>(25).fill('x'), 300, '26 x'],
    ['the ninth different event is recorded alone', different(8), 1, '1 x'],
    ['the tenth different event is combined', different(9), 1, '1 (combined from similar events): x'],
    [
      'the eleventh different event is counted in the combined one',
      different(10),
      1,
      '2 (combined from similar events): x',
    ],
    [
      'the 25th different event is counted in the combined one',
      different(24),
      1,
      '16 (combined from similar events): x',
    ],
    ['the 26th different event is dropped', different(25), 1, 'none'],
    ['different events are not combined after ten minutes each', different(9), 601, '1 x'],
    ['a repeated event is counted after a long time', ['x'], 1000, '2 x'],
    ['a repeated event is new if the first one is forgotten', ['x', ...different(10)], 601, '1 x'],
    [
      'repetitions of a combined event are counted',
      [...different(12), ...same(3)],
      1,
      '7 (combined from similar events): x',
    ],
  ])('%s', (_, before, seconds, expected) => {
    const host = createFakeHost();
    const { clock } = host;
    const limits = new EventLimits(host);
    for (const message of before) {
      limits.next(about, 'Why', message);
      clock.advance(seconds * 1000);
    }
    const said = limits.next(about, 'Why', 'x');
    expect(said ? `${said.count} ${said.message}` : 'none').toBe(expected);
  });

  it('do not count for other objects', () => {
    const limits = new EventLimits(createFakeHost());
    for (const message of different(30)) limits.next(about, 'Why', message);
    for (const other of [{ kind: 'Node' }, { namespace: 'other' }, { name: 'b' }, { uid: '2' }, { apiVersion: 'v2' }])
      expect(limits.next({ ...about, ...other }, 'Why', 'x')).toMatchObject({ count: 1, message: 'x' });
  });

  it('are combined only with events of the same reason, and share their limit', () => {
    const limits = new EventLimits(createFakeHost());
    for (const message of different(12)) limits.next(about, 'Why', message);
    expect(limits.next(about, 'Other', 'x')).toMatchObject({ count: 1, message: 'x', isCombined: false });
    for (const message of same(12)) expect(limits.next(about, 'Other', message)).toBeDefined();
    expect(limits.next(about, 'Third', 'x')).toBeUndefined();
  });

  it('have one name while they are counted, and different names otherwise', () => {
    const limits = new EventLimits(createFakeHost());
    const names = [...different(12), 'message 0'].map((message) => limits.next(about, 'Why', message)?.name);
    expect(new Set(names).size).toBe(10);
    expect(names[10]).toBe(names[9]);
    expect(names[12]).toBe(names[0]);
    expect(names[0]).toMatch(/^a\.[0-9a-f]+$/);
  });

  it('have other names than those that another server creates in the same millisecond', () => {
    const names = [1, 2].map(() => {
      const { clock } = createFakeHost();
      return new EventLimits({ clock, random: systemRandom }).next(about, 'Why', 'x')?.name;
    });
    expect(names[0]).not.toBe(names[1]);
  });

  it('are forgotten after thousands of others', () => {
    const limits = new EventLimits(createFakeHost());
    for (const message of same(30)) limits.next(about, 'Why', message);
    for (let uid = 2; uid < 4200; uid++) limits.next({ ...about, uid: `${uid}` }, 'Why', 'x');
    expect(limits.next(about, 'Why', 'message')?.count).toBe(1);
  });
});
