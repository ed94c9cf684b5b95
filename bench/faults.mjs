import { injectFaults } from '../dist/testing/index.js';
import { addedCost } from './support/added-cost.mjs';

/** What a fault that no request meets costs a GET. */
export default () =>
  addedCost({
    add(server) {
      const faults = injectFaults(server);
      faults.on({ verb: 'get', resource: 'secrets' }, { optional: true }).answer(500);
      return () => faults[Symbol.dispose]();
    },
    topicOf: (way) => `GET ${way} beside a fault that it does not meet`,
    target: 2,
  });
