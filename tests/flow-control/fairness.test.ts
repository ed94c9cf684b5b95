import { expect, it } from 'vitest';
import type { FlowDecision } from '../../src/flow-control/flow-control.js';
import { atOnce, flowWorld, levelOf, memberOf, schemaOf } from './world.js';

const SEATS = 10;

/** A server with ten seats for the group crowd; the mandatory levels have almost none. */
function crowded(queues = 64, handSize = 6) {
  const world = flowWorld({ seats: SEATS });
  world.levels.set([levelOf('busy', { queues, handSize, nominalConcurrencyShares: 100_000 })]);
  world.schemas.set([schemaOf('crowd', 'busy', 'crowd')]);
  return world;
}

/** Flows that keep a number of requests open, each for some milliseconds. Returns how many requests of each were executed. */
async function serve(flows: Readonly<Record<string, { readonly open: number; readonly takes: number }>>) {
  const world = crowded();
  const served: Record<string, number> = {};
  const send = (user: string, takes: number) => {
    const run = (decision: FlowDecision) => {
      if (decision.retryAfter !== undefined) throw new Error('refused');
      world.clock.setTimer(() => {
        served[user] = (served[user] ?? 0) + 1;
        decision.release();
        send(user, takes);
      }, takes);
    };
    const decision = world.begin(memberOf(user, 'crowd'));
    if (decision instanceof Promise) decision.then(run);
    else run(decision);
  };
  for (const [user, { open, takes }] of Object.entries(flows)) for (let i = 0; i < open; i++) send(user, takes);
  for (let i = 0; i < 20_000; i++) {
    world.clock.advance(1);
    await undefined; // Requests that are being executed continue.
    await undefined;
  }
  return served;
}

const share = (served: Readonly<Record<string, number>>, user: string) =>
  (served[user] ?? 0) / Object.values(served).reduce((a, b) => a + b, 0);

it('two flows that together want twice the seats get half of them each', async () => {
  const served = await serve({ jane: { open: 10, takes: 20 }, john: { open: 10, takes: 20 } });
  expect(Math.abs(share(served, 'jane') - 0.5)).toBeLessThan(0.05);
});

it('a flow that wants more than its share gets no more', async () => {
  const served = await serve({ greedy: { open: 13, takes: 20 }, modest: { open: 7, takes: 20 } });
  expect(Math.abs(share(served, 'modest') - 0.5)).toBeLessThan(0.05);
});

it('longer requests count for more', async () => {
  const served = await serve({ slow: { open: 10, takes: 40 }, quick: { open: 10, takes: 10 } });
  const slow = (served['slow'] ?? 0) * 40;
  expect(Math.abs(slow / (slow + (served['quick'] ?? 0) * 10) - 0.5)).toBeLessThan(0.1);
});

it('a flow of very many requests does not keep another from being served', async () => {
  const world = crowded();
  const flood = Array.from({ length: 300 }, () => world.begin(memberOf('flood', 'crowd')));
  const mouse = world.begin(memberOf('mouse', 'crowd'));
  let served = false;
  if (mouse instanceof Promise) void mouse.then(() => (served = true));
  const running = flood.slice(0, SEATS).map(atOnce);
  for (const decision of running.slice(0, 3)) {
    world.clock.advance(20);
    decision.release();
  }
  await undefined;
  await undefined;
  expect(served).toBe(true);
});
