import { openSync, readSync } from 'node:fs';

/** Linux keeps here the nanoseconds that the thread which opens it has run. */
const THREAD_TIME = '/proc/thread-self/schedstat';

/**
 * Milliseconds that this thread has run. What other processes do on a busy machine does not count, and neither do V8's helper threads, which
 * collect garbage beside the event loop without holding it up. Where the thread's own time cannot be read, the process's is taken.
 */
export const cpuTime: () => number = threadTime() ?? (() => process.cpuUsage().user / 1000);

function threadTime(): (() => number) | undefined {
  try {
    const file = openSync(THREAD_TIME, 'r');
    const buffer = Buffer.alloc(64);
    const read = () => {
      // The kernel brings the figure up to date when the process's own usage is asked for; otherwise it lags by up to 4 ms.
      process.cpuUsage();
      return Number.parseInt(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)), 10) / 1e6;
    };
    return read() > 0 ? read : undefined;
  } catch {
    return undefined;
  }
}
