import { expect, it } from 'vitest';
import { type Flow, run, settled } from '../../src/meta/flow.js';

type Maybe<T> = T | Promise<T>;

function* sum(...numbers: Maybe<number>[]): Flow<number> {
  let total = 0;
  for (const number of numbers) total += yield* settled(number);
  return total;
}
function* orZero(value: () => Maybe<number>): Flow<number> {
  try {
    return yield* settled(value());
  } catch {
    return 0;
  }
}

it('returns a value synchronously while nothing waits', () => {
  expect(run(sum(1, 2, 3))).toBe(6);
});

it('returns a promise from the first value that is a promise', async () => {
  const answer = run(sum(1, Promise.resolve(2), 3, Promise.resolve(4)));
  expect(answer).toBeInstanceOf(Promise);
  expect(await answer).toBe(10);
});

it('throws synchronous errors synchronously, and rejects with later ones', async () => {
  function* fails(when: Maybe<number>): Flow<number> {
    yield* settled(when);
    throw new Error('later');
  }
  expect(() => run(fails(1))).toThrow('later');
  await expect(run(fails(Promise.resolve(1)))).rejects.toThrow('later');
});

it('lets a flow catch the rejection of a promise like an error', async () => {
  const bad = () => {
    throw new Error('at once');
  };
  expect(run(orZero(bad))).toBe(0);
  expect(await run(orZero(() => Promise.reject(new Error('later'))))).toBe(0);
});

it('treats an object whose member `then` is not a function as a value', () => {
  function* echo(value: object): Flow<object> {
    return yield* settled(value);
  }
  const value = JSON.parse('{"then":"text"}');
  expect(run(echo(value))).toBe(value);
});
