import { recordRequests } from '../dist/testing/index.js';
import { addedCost } from './support/added-cost.mjs';

/** What a log of requests costs a GET. */
export default () =>
  addedCost({
    add(server) {
      const requests = recordRequests(server);
      return () => requests.stop();
    },
    topicOf: (way) => `GET ${way} with a log of requests`,
    target: 5,
  });
