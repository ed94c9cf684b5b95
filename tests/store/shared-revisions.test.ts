import { describe, expect, it } from 'vitest';
import { MemoryState } from '../../src/exports/storage.js';
import { createFakeClock } from '../../src/testing/index.js';

interface Sample {
  readonly n: number;
}

const open = () => new MemoryState<Sample>({ clock: createFakeClock(), firstRevision: 4, snapshotInterval: 1 });
const put = (state: MemoryState<Sample>, key: string, revision: number, n = revision) =>
  state.apply({ type: 'put', key, value: { n }, revision, mayShareRevision: true });
const shown = (events: readonly { readonly type: string; readonly key: string; readonly revision: number }[]) =>
  events.map(({ type, key, revision }) => `${type} ${key}@${revision}`);

describe('writes of one transaction', () => {
  it('have one revision, which contains all of them', () => {
    const state = open();
    const watch = state.watch('', 4);
    put(state, '/a', 5);
    put(state, '/b', 5);
    put(state, '/c', 6);
    state.apply({ type: 'delete', key: '/a', value: { n: 7 }, revision: 7 });
    state.apply({ type: 'delete', key: '/b', value: { n: 7 }, revision: 7, mayShareRevision: true });
    const keysAt = (revision: number) => state.list('', { revision }).entries.map(({ key }) => key);
    expect([4, 5, 6, 7].map(keysAt)).toEqual([[], ['/a', '/b'], ['/a', '/b', '/c'], ['/c']]);
    expect(shown(watch.take())).toEqual(['put /a@5', 'put /b@5', 'put /c@6', 'delete /a@7', 'delete /b@7']);
    expect(shown(state.watch('', 5).take())).toEqual(['put /c@6', 'delete /a@7', 'delete /b@7']);
  });
  it('are sent once each to a reader that falls behind within them', () => {
    const state = open();
    const watch = state.watch('', 4, { maxBuffered: 2 });
    put(state, '/a', 5);
    expect(shown(watch.take())).toEqual(['put /a@5']);
    for (const key of ['/b', '/c', '/d']) put(state, key, 5);
    expect(watch.state).toBe('replaying');
    expect(shown(watch.take())).toEqual(['put /b@5', 'put /c@5', 'put /d@5']);
  });
  it('are refused unless they are marked as such', () => {
    const state = open();
    put(state, '/a', 5);
    expect(() => state.apply({ type: 'put', key: '/b', value: { n: 1 }, revision: 5 })).toThrow('is not newer');
    expect(() => put(state, '/b', 4)).toThrow('is not newer');
  });
});

describe('a revision without a write', () => {
  it('can be waited for, listed and watched from', async () => {
    const state = open();
    put(state, '/a', 5);
    const reached = state.waitFor(9);
    state.advance(9);
    await reached;
    state.advance(7);
    expect([state.revision, state.list('').revision, state.compactRevision]).toEqual([9, 9, 4]);
    expect(state.list('', { revision: 7 }).entries).toHaveLength(1);
    const watch = state.watch('', 9);
    put(state, '/b', 10);
    expect(shown(watch.take())).toEqual(['put /b@10']);
  });
});

describe('a state that skips revisions', () => {
  it('ends the watches that need every event, and sends the differences to the others', () => {
    const state = open();
    put(state, '/a', 5);
    put(state, '/b', 6);
    const [ending, crossing] = [state.watch('/', 6), state.watch('/', 6, { crossesGaps: true })];
    state.skip(20, () => {
      state.apply({ type: 'put', key: '/a', value: { n: 12 }, revision: 12 });
      state.apply({ type: 'delete', key: '/b', value: { n: 6 }, revision: 20 });
    });
    expect([ending.state, ending.error]).toMatchObject(['closed', { code: 'compacted' }]);
    expect(shown(crossing.take())).toEqual(['put /a@12', 'delete /b@20']);
    expect([state.revision, state.compactRevision, state.count('')]).toEqual([20, 20, 1]);
    for (const revision of [6, 12, 19]) expect(() => state.list('', { revision })).toThrow('was compacted');
    put(state, '/c', 21);
    expect(shown(crossing.take())).toEqual(['put /c@21']);
    expect(state.list('', { revision: 20 }).entries.map(({ key }) => key)).toEqual(['/a']);
  });
});
