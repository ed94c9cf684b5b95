import { expect } from 'vitest';
import { failure, put, remove, type Test } from './context.js';

/** Tests when `waitFor` resolves and when it gives up. */
export function waiting(test: Test): void {
  test('resolves at once for a reached revision', async ({ store }) => {
    await put(store, '/a');
    await store.waitFor();
    await store.waitFor(store.revision);
    await store.waitFor(1);
  });
  test('resolves when the revision is reached, not before', async ({ store, clock }) => {
    await put(store, '/other');
    // A store may have timers of its own, so only additional ones count.
    const own = clock.pendingTimers;
    const reached: string[] = [];
    const second = Promise.resolve(store.waitFor(store.revision + 2)).then(() => reached.push('second'));
    const first = Promise.resolve(store.waitFor(store.revision + 1)).then(() => reached.push('first'));
    await put(store, '/a');
    await first;
    expect(reached).toEqual(['first']);
    await remove(store, '/a');
    await second;
    expect(reached).toEqual(['first', 'second']);
    expect(clock.pendingTimers).toBe(own);
  });
  test('gives up after the timeout, 3 s by default', async ({ store, clock }) => {
    await put(store, '/a');
    const own = clock.pendingTimers;
    const requested = store.revision + 1;
    const short = store.waitFor(requested, { timeoutMilliseconds: 100 });
    const usual = store.waitFor(requested);
    clock.advance(100);
    await expect(short).rejects.toEqual(failure('futureRevision', { requested, current: store.revision }));
    clock.advance(2899);
    expect(clock.pendingTimers).toBe(own + 1);
    clock.advance(1);
    await expect(usual).rejects.toEqual(failure('futureRevision', { requested, current: store.revision }));
  });
  test('gives up when aborted', async ({ store, clock }) => {
    const controller = new AbortController();
    const waits = store.waitFor(store.revision + 1, { signal: controller.signal });
    controller.abort();
    await expect(waits).rejects.toEqual(failure('aborted'));
    await expect(store.waitFor(store.revision + 1, { signal: AbortSignal.abort() })).rejects.toEqual(
      failure('aborted'),
    );
    expect(clock.pendingTimers).toBe(0);
  });
}

/** Tests which operations `close` ends and which remain possible. */
export function closing(test: Test): void {
  test('ends watches, and notifies them', async ({ store }) => {
    const live = store.watch('', store.revision);
    const exact = store.watch('/a', store.revision, { exact: true });
    const folder = store.watch('/a/', store.revision);
    let notifications = 0;
    live.onReadable = () => notifications++;
    const loop = (async () => {
      for await (const _ of exact);
      return 'ended';
    })();
    await store.close();
    expect([live, exact, folder].map(({ state, error }) => [state, error])).toEqual(
      Array(3).fill(['closed', undefined]),
    );
    expect(notifications).toBe(1);
    expect(await loop).toBe('ended');
    expect(store.watch('', store.revision).state).toBe('closed');
  });
  test('refuses writes, including those in progress, and ends waits', async ({ store }) => {
    await put(store, '/a', 1);
    const waits = store.waitFor(store.revision + 1);
    const slow = store.guaranteedUpdate('/a', async () => {
      await store.close();
      return { action: 'put', value: { n: 2 } };
    });
    await expect(slow).rejects.toEqual(failure('closed'));
    await expect(waits).rejects.toEqual(failure('closed'));
    await expect(put(store, '/b')).rejects.toEqual(failure('closed'));
    expect(store.get('/a')?.value.n).toBe(1);
    await store.close();
  });
}
