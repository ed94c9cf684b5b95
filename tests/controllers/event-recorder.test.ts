import { describe, expect, it } from 'vitest';
import { EventLimits } from '../../src/controllers/event-recorder.js';
import { systemRandom } from '../../src/meta/random.js';
import { createFakeHost } from '../../src/testing/fake-host.js';

const about = { kind: 'Pod', namespace: 'default', name: 'a', uid: '1', apiVersion: 'v1' };
const different = (count: number) => Array.from({ length: count }, (_, i) => `message ${i}`);
const same = (count: number) => Array<string>(count).fill('message');

describe('events about one object', () => {
  it.each<[string, before: readonly string[], seconds: number, expected: string]>([
    ['the first', [], 1, '1 x'],
    ['the same again', ['x'], 1, '2 x'],
    ['the same, as often as would be combined', Array<string>(10).fill('x'), 1, '11 x'],
    ['too often', Array<string>(25).fill('x'), 1, 'none'],
    ['too often, but after a while', Array<string>(25).fill('x'), 300, '26 x'],
    ['the last that is not combined', different(8), 1, '1 x'],
    ['the first that is combined', different(9), 1, '1 (combined from similar events): x'],
    ['another that is combined', different(10), 1, '2 (combined from similar events): x'],
    ['the last of many', different(24), 1, '16 (combined from similar events): x'],
    ['too many', different(25), 1, 'none'],
    ['several, but not of late', different(9), 601, '1 x'],
    ['the same again after a long time', ['x'], 1000, '2 x'],
    ['more than are remembered', ['x', ...different(10)], 601, '1 x'],
    ['one of several', [...different(12), ...same(3)], 1, '7 (combined from similar events): x'],
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
