import { openSync, readSync } from 'node:fs';

/** Linux provides the nanoseconds here that the thread which opens the file has run. */
const THREAD_TIME = '/proc/thread-self/schedstat';

/**
 * Returns the milliseconds that this thread has run. Other processes on a busy machine do not count, and neither do V8's helper threads,
 * which collect garbage without blocking the event loop. If the time of the thread is unknown, the time of the process is returned.
 */
export const cpuTime: () => number = threadTime() ?? (() => process.cpuUsage().user / 1000);

function threadTime(): (() => number) | undefined {
  try {
    const file = openSync(THREAD_TIME, 'r');
    const buffer = Buffer.alloc(64);
    const read = () => {
      // The kernel updates the number when the usage of the process is requested; otherwise it lags by up to 4 ms.
      process.cpuUsage();
      return Number.parseInt(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)), 10) / 1e6;
    };
    return read() > 0 ? read : undefined;
  } catch {
    return undefined;
  }
}
