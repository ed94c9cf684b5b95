// An ApiServer for a soak: with priority and fairness, slow creations in one namespace, and a clock that can jump.

import { anonymous, tokenFile } from '../../dist/exports/authentication.js';
import { rbac } from '../../dist/exports/authorization.js';
import { ApiServer } from '../../dist/index.js';
import { serveAttacked } from './serve-attacked.mjs';

/**
 * The milliseconds of successive creations in the namespace `fair`, during which they hold their seats. If they were equal, all seats would
 * be released at the same moment, and a flow would get no more of them than it has waiting requests.
 */
const HELD = [1200, 6200, 2800, 4600, 2000, 5400, 3800];

let jumped = 0;
const clock = {
  now: () => Date.now() + jumped,
  monotonic: () => performance.now(),
  setTimer(callback, milliseconds) {
    const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
let held = 0;
const slow = () => ({
  name: 'slow',
  handles: ({ operation, namespace }) => operation === 'CREATE' && namespace === 'fair',
  validate: () => new Promise((resolve) => setTimeout(resolve, HELD[held++ % HELD.length])),
});

const server = new ApiServer({
  dialect: 'k8s',
  clock,
  authentication: [
    tokenFile('admin,admin,1,"system:masters"\nflow-a,flow-a,2,"flows"\nflow-b,flow-b,3,"flows"\n'),
    anonymous(),
  ],
  authorization: [rbac()],
  admission: (defaults) => [...defaults, slow],
  featureGates: { WatchList: true },
  limits: { priorityAndFairness: true },
});
await serveAttacked(server, {
  /** Changes the time of day, forwards or back. */
  jump({ milliseconds }) {
    jumped += milliseconds;
    return jumped;
  },
});
