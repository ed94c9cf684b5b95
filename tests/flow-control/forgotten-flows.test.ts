import { expect, it } from 'vitest';
import { reachableMegabytes } from '../support/collect-garbage.js';
import { flowWorld, levelOf, memberOf, schemaOf } from './world.js';

it('very many flows leave no state behind', { timeout: 120_000 }, () => {
  const world = flowWorld({ seats: 1 });
  const queues = { queues: 128, handSize: 8, queueLengthLimit: 1 };
  world.levels.set([levelOf('busy', { nominalConcurrencyShares: 100_000, borrowingLimitPercent: 0, ...queues })]);
  world.schemas.set([schemaOf('crowd', 'busy', 'crowd')]);
  expect(world.begin(memberOf('jane', 'crowd'))).not.toBeInstanceOf(Promise);
  let refused = 0;
  // The queues fill up, and further requests are refused.
  for (let i = 0; i < 1_000; i++) if (!(world.begin(memberOf(`user-${i}`, 'crowd')) instanceof Promise)) refused++;
  expect(refused).toBeGreaterThanOrEqual(1_000 - 128);
  const before = reachableMegabytes();
  for (let i = 0; i < 50_000; i++) world.begin(memberOf(`u${i}`, 'crowd'));
  // The limit is 40 bytes per flow.
  expect(reachableMegabytes() - before).toBeLessThan(2);
});
