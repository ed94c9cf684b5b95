// An ApiServer for a soak: priority and fairness is on, what is made in one namespace takes a while, and its clock can jump.

import { anonymous, tokenFile } from '../../dist/exports/authentication.js';
import { rbac } from '../../dist/exports/authorization.js';
import { ApiServer } from '../../dist/index.js';
import { serveAttacked } from './serve-attacked.mjs';

/**
 * Milliseconds that creations in the namespace `fair` take, and hold their seats for, one after the other. Were they alike, all
 * seats would be free at the same moment, and a flow would get no more of them than it has requests waiting then.
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
  /** Moves the time of day, forwards or back. */
  jump({ milliseconds }) {
    jumped += milliseconds;
    return jumped;
  },
});
