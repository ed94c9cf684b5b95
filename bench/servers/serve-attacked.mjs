// Shared by the servers of the soaks and the fuzzer: they listen, record uncaught errors, and report their state.

import { listen } from '../../dist/http/index.js';
import { serveParent } from './process.mjs';

/** Starts a server, and reports to the parent its faults, the bytes of its collected heap, its number of objects, and `more`. */
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
