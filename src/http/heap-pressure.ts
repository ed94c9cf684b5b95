import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The options of `heapPressure`. */
export interface HeapPressureOptions {
  /** The share of the heap that live objects may use; default 0.75. The rest is for requests in progress. */
  readonly share?: number;
  /** The minimum number of milliseconds between two measurements; default 50. */
  readonly interval?: number;
}

/** The part of the heap limit that V8 reserves for the young generation by default, in bytes. */
const YOUNG = 48 * 1024 * 1024;
/** The pause after a garbage collection, as a multiple of the collection's duration. */
const COLLECTION_SHARE = 20;

/**
 * Returns a function for the server option `storageFull`. It reports whether live objects nearly fill the heap, so that the server can act
 * before V8 ends the process. Measuring is cheap, but the measured memory includes garbage, so above the threshold a garbage collection
 * finds the true value. Collections take at most a twentieth of the time.
 */
export function heapPressure({ share = 0.75, interval = 50 }: HeapPressureOptions = {}): () => boolean {
  const limit = oldLimit() * share;
  let full = false;
  let look = 0;
  return () => {
    const now = performance.now();
    if (now < look) return full;
    look = now + interval;
    full = oldBytes() > limit;
    if (!full) return false;
    collect();
    full = oldBytes() > limit;
    look = performance.now() + Math.max(interval, (performance.now() - now) * COLLECTION_SHARE);
    return full;
  };
}

function oldLimit(): number {
  const { heap_size_limit: limit } = getHeapStatistics();
  return Math.max(limit - YOUNG, limit / 2);
}

/** Returns the number of bytes in use in V8's old generation. */
function oldBytes(): number {
  let bytes = 0;
  for (const { space_name: name, space_used_size: used } of getHeapSpaceStatistics()) {
    if (name !== 'new_space' && name !== 'new_large_object_space' && name !== 'read_only_space') bytes += used;
  }
  return bytes;
}

let collector: (() => void) | undefined;

function collect(): void {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  collector();
}
