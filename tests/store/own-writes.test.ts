import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { type OwnWrite, OwnWrites, waitForEnd } from '../../src/store/own-writes.js';
import { collectGarbage } from '../support/collect-garbage.js';

type Write = OwnWrite<{ readonly text: string }, string>;

function write(key: string): Write {
  const value = { text: `${key} ${'x'.repeat(100)}` };
  return { type: 'put', key, value, encoded: value.text, source: undefined, entry: undefined, waiting: [] };
}

describe('the writes under way', () => {
  it('are found by their key and by prefixes until they end', () => {
    const writes = new OwnWrites<{ readonly text: string }, string>();
    // Far more than are removed at once.
    const begun = Array.from({ length: 1000 }, (_, i) => write(`/things/${i}`));
    for (const [i, one] of begun.entries()) {
      writes.begin(one);
      expect(writes.get(one.key)).toBe(one);
      const ending = begun[i - 10];
      if (ending === undefined) continue;
      expect(writes.find(['/other/', ending.key])?.key).toMatch(ending.key);
      writes.end(ending);
      expect(writes.get(ending.key)).toBeUndefined();
    }
    expect(begun.filter(({ key }) => writes.get(key) !== undefined)).toEqual(begun.slice(-10));
    for (const one of begun.slice(-10)) writes.end(one);
    expect(writes.find([''])).toBeUndefined();
  });

  it('resume the calls that wait for their end', async () => {
    const writes = new OwnWrites<{ readonly text: string }, string>();
    const one = write('/a');
    writes.begin(one);
    const order: string[] = [];
    const waiting = waitForEnd(one, undefined).then(() => order.push(`ended: ${writes.get('/a') === undefined}`));
    await new Promise(setImmediate);
    order.push('not ended');
    writes.end(one);
    await waiting;
    expect(order).toEqual(['not ended', 'ended: true']);
  });
});

/** The bytes of the objects that outlived a collection of the young generation. */
const oldBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0;

describe('ended writes', () => {
  it('do not survive collections of the young generation', () => {
    const writes = new OwnWrites<{ readonly text: string }, string>();
    let number = 0;
    const run = (times: number) => {
      // There are always writes under way, as with clients that do not wait for each other.
      const begun: Write[] = [];
      for (let i = 0; i < times; i++) {
        const next = write(`/things/${number++}`);
        writes.begin(next);
        begun.push(next);
        if (begun.length > 16) writes.end(begun.shift() as Write); // there are seventeen, so the cast is safe
      }
      for (const one of begun) writes.end(one);
    };
    run(50_000);
    const kept = Array.from({ length: 5 }, () => {
      collectGarbage();
      const before = oldBytes();
      // So few that the old generation is not collected meanwhile. A Map from which they are removed keeps 450 bytes of each.
      run(40_000);
      return (oldBytes() - before) / 40_000;
    });
    // On a busy machine, single rounds keep more, because the engine compiles and collects at other times.
    expect(Math.min(...kept)).toBeLessThan(80);
  });
});
