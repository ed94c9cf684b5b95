import { injectFaults } from '../dist/testing/index.js';
import { addedCost } from './support/added-cost.mjs';

/** The cost that a fault which no request matches adds to a GET. */
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
