// What the servers of a soak and of fuzzing share: they listen, note what nobody caught, and answer for themselves.

import { listen } from '../../dist/http/index.js';
import { serveParent } from './process.mjs';

/** Starts a server and serves what the parent asks: its faults, the bytes of its heap after a collection, how many objects it has, and `more`. */
export async function serveAttacked(server, more = {}) {
  await server.start();
  const listener = await listen(server);
  const faults = [];
  for (const event of ['unhandledRejection', 'uncaughtException'])
    process.on(event, (error) => faults.push(`${event}: ${error?.stack ?? error}`));
  const heap = () => {
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  const objects = async () => (await server.save()).split('\n---\n').length - 1;
  serveParent(
    { port: listener.port, ca: listener.certificateAuthority },
    { faults: () => faults, heap, objects, ...more },
  );
}
