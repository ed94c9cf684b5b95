import { systemClock } from './clock.js';

/**
 * A function that may have to wait, written as a generator. It gets values that may be promises with {@link settled}, and runs
 * synchronously when none of them is a promise, while every `await` of an async function would yield to the event loop.
 *
 *     function* half(name: string): Flow<number> {
 *       const found = yield* settled(find(name));
 *       return found / 2;
 *     }
 *     const answer = run(half('a'));
 *
 * Flows must be declared at module level. If a flow is declared inside another function, the JavaScript engine creates internal objects
 * (such as the generator's prototype) at every call of that function, and these objects survive the call.
 */
export type Flow<T> = Generator<PromiseLike<unknown>, T, unknown>;

/** Returns the value or, if it is a promise, its result. @throws the error that the promise is rejected with */
export function* settled<T>(value: T | PromiseLike<T>): Flow<T> {
  if (typeof value !== 'object' || value === null || !('then' in value) || typeof value.then !== 'function')
    return value as T;
  return (yield value) as T; // `run` passes the result of the promise back to the generator.
}

/** Runs a flow. Returns its result, or a promise if the flow has to wait. @throws the error that the flow throws before it waits */
export function run<T>(flow: Flow<T>): T | Promise<T> {
  const step = flow.next();
  return step.done ? step.value : runAsync(flow, step);
}

async function runAsync<T>(flow: Flow<T>, first: IteratorResult<PromiseLike<unknown>, T>): Promise<T> {
  let step = first;
  while (!step.done) {
    let value: unknown;
    try {
      value = await step.value;
    } catch (error) {
      step = flow.throw(error);
      continue;
    }
    step = flow.next(value);
  }
  return step.value;
}

/** The maximum time in milliseconds for which work may block the event loop. */
const LONGEST_TURN = 10;

// `setImmediate` is read when the module is loaded, so that fake timers of tests do not stop {@link yieldIfDue}.
const { setImmediate: scheduleImmediate = (callback: () => void) => void setTimeout(callback, 0) } = globalThis as {
  readonly setImmediate?: (callback: () => void) => unknown;
};

/** Resolves in the next turn of the event loop, after all other work of this turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void scheduleImmediate(resolve));
}

/** The start of the current turn of the event loop; it is measured at the first {@link yieldIfDue} of a turn. */
let turnBegan: number | undefined;

/**
 * Yields to other requests once this turn of the event loop has taken ten milliseconds; until then it returns undefined. Work of any length
 * must call it between steps, if callers can make the work longer. Examples are controllers, and checks of lists that grow with the stored
 * objects.
 */
export function yieldIfDue(): Promise<void> | undefined {
  const now = systemClock.monotonic?.() ?? 0;
  if (turnBegan === undefined) {
    turnBegan = now;
    scheduleImmediate(() => (turnBegan = undefined));
  }
  return now - turnBegan < LONGEST_TURN ? undefined : nextTurn();
}

/** Maps items in order, and yields to other requests between them. Rejects with the error that `map` throws. */
export async function mapYielding<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const [index, item] of items.entries()) {
    const turn = yieldIfDue();
    if (turn) await turn;
    mapped.push(map(item, index));
  }
  return mapped;
}

/**
 * Resolves or rejects like a promise, unless a signal fires first. Work that ignores the signal is therefore not awaited after the abort.
 * @param errorOf returns the error to reject with after the abort
 */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal, errorOf: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(errorOf());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
