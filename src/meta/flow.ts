import { systemClock } from './clock.js';

/**
 * A function that may have to wait, written as a generator: it asks for what may be a promise with {@link settled}, and
 * runs through in one turn where nothing is. An async function would give up its turn each time.
 *
 *     function* half(name: string): Flow<number> {
 *       const found = yield* settled(find(name));
 *       return found / 2;
 *     }
 *     const answer = run(half('a'));
 *
 * A flow is declared in its module, not in another function: engines make a generator function's hidden parts anew for each
 * closure, and those outlive the call.
 */
export type Flow<T> = Generator<PromiseLike<unknown>, T, unknown>;

/** The value, or what its promise is fulfilled with. @throws what it is rejected with */
export function* settled<T>(value: T | PromiseLike<T>): Flow<T> {
  return isPromise(value) ? ((yield value) as T) : value; // run() gives back what the promise was fulfilled with
}

/** Runs a flow: answers at once, or with a promise from where it first has to wait. @throws what the flow throws at once */
export function run<T>(flow: Flow<T>): T | Promise<T> {
  const step = flow.next();
  return step.done ? step.value : goOn(flow, step.value);
}

async function goOn<T>(flow: Flow<T>, first: PromiseLike<unknown>): Promise<T> {
  let waiting = first;
  for (;;) {
    const step = await next(flow, waiting);
    if (step.done) return step.value;
    waiting = step.value;
  }
}

async function next<T>(flow: Flow<T>, waiting: PromiseLike<unknown>): Promise<IteratorResult<PromiseLike<unknown>, T>> {
  let value: unknown;
  try {
    value = await waiting;
  } catch (error) {
    return flow.throw(error);
  }
  return flow.next(value);
}

function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Milliseconds for which a flow may keep the event loop from other work. */
const LONGEST_TURN = 10;

// Looked up at once, so that tests with timers of their own do not stop what gives way.
const { setImmediate: afterOtherWork = (callback: () => void) => void setTimeout(callback, 0) } = globalThis as {
  readonly setImmediate?: (callback: () => void) => unknown;
};

/** When the event loop last came to other work, as far as somebody has asked. */
let turnBegan: number | undefined;

/**
 * Lets other requests have the event loop once this turn has taken ten milliseconds; undefined until then. Whatever one caller can make
 * long calls it between two pieces of its work: controllers, and checks of lists that grow with what was stored before.
 */
export function giveWay(): Promise<void> | undefined {
  const now = systemClock.monotonic?.() ?? 0;
  if (turnBegan === undefined) {
    turnBegan = now;
    afterOtherWork(() => (turnBegan = undefined));
  }
  return now - turnBegan < LONGEST_TURN ? undefined : new Promise((resolve) => void afterOtherWork(resolve));
}

/** Maps items in their order, and gives way to other requests between them. Rejects with what `map` throws. */
export async function mapGivingWay<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const [index, item] of items.entries()) {
    const turn = giveWay();
    if (turn) await turn;
    mapped.push(map(item, index));
  }
  return mapped;
}
