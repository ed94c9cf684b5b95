import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees what nothing reaches, at once. */
export const collectGarbage = runInNewContext('gc') as () => void; // the flag makes it

/** Returns how many bytes can be reached, those of buffers included. */
export function reachableBytes(): number {
  // Buffers of the first collection are given back by the second.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Returns how many MiB can be reached. */
export const reachableMegabytes = (): number => reachableBytes() / 2 ** 20;
