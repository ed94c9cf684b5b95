/** Milliseconds of work that this process has done: what others do on a busy machine does not count. */
export const cpuTime = (): number => process.cpuUsage().user / 1000;
