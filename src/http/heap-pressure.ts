import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface HeapPressureOptions {
  /** Part of the heap that may be in use by what lives on; default 0.75. The rest is for requests on their way. */
  readonly share?: number;
  /** Least milliseconds between two looks; default 50. */
  readonly interval?: number;
}

/** What V8 reserves of its limit for young objects unless its flags say otherwise. */
const YOUNG = 48 * 1024 * 1024;
/** After a collection that cost so much, the next one has to wait so many times as long. */
const COLLECTION_SHARE = 20;

/**
 * Reports whether the heap is nearly full of live objects, before V8 ends the process: to be given to a server as
 * `storageFull`. Looking costs little. What is in use holds garbage as well, so that once it passes the mark a collection is
 * made to know; the next one waits until the last has cost no more than a twentieth of the time.
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

/** Bytes in use outside the space of young objects. */
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
