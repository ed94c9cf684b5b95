import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees all unreachable objects at once. */
export const collectGarbage = runInNewContext('gc') as () => void; // the flag defines `gc`, so the cast is safe

/** Returns the number of reachable bytes, including those of buffers. */
export function reachableBytes(): number {
  // The second collection releases the buffers that the first one found.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Returns the number of reachable MiB. */
export const reachableMegabytes = (): number => reachableBytes() / 2 ** 20;
