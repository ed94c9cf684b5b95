import { recordRequests } from '../dist/testing/index.js';
import { addedCost } from './support/added-cost.mjs';

/** The cost that a log of requests adds to a GET. */
export default () =>
  addedCost({
    add(server) {
      const requests = recordRequests(server);
      return () => requests.stop();
    },
    topicOf: (way) => `GET ${way} with a log of requests`,
    target: 5,
  });
