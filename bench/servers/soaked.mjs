// An ApiServer for a soak: priority and fairness is on, what is made in one namespace takes a while, and its clock can jump.

import { anonymous, tokenFile } from '../../dist/exports/authentication.js';
import { rbac } from '../../dist/exports/authorization.js';
import { ApiServer } from '../../dist/index.js';
import { serveAttacked } from './serve-attacked.mjs';

/** Milliseconds that a creation in the namespace `fair` takes, and holds its seat for. */
const HELD = 2000;

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
const slow = () => ({
  name: 'slow',
  handles: ({ operation, namespace }) => operation === 'CREATE' && namespace === 'fair',
  validate: () => new Promise((resolve) => setTimeout(resolve, HELD)),
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
  priorityAndFairness: true,
});
await serveAttacked(server, {
  /** Moves the time of day, forwards or back. */
  jump({ milliseconds }) {
    jumped += milliseconds;
    return jumped;
  },
});
