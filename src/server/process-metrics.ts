import type { Clock } from '../meta/clock.js';
import type { MetricFamily, Metrics } from '../metrics/metrics.js';

const startTime = {
  name: 'process_start_time_seconds',
  help: 'Start time of the process since unix epoch in seconds.',
  type: 'gauge',
  labels: [],
} as const;
const cpu: MetricFamily = {
  name: 'process_cpu_seconds_total',
  help: 'Total user and system CPU time spent in seconds.',
  type: 'counter',
  labels: [],
};
const memory: MetricFamily = {
  name: 'process_resident_memory_bytes',
  help: 'Resident memory size in bytes.',
  type: 'gauge',
  labels: [],
};

/** The used members of Node's `process`, which other runtimes lack. */
interface NativeProcess {
  uptime?(): number;
  cpuUsage?(): { readonly user: number; readonly system: number };
  memoryUsage?: { rss?(): number };
}

const MICROSECONDS = 1_000_000;

/**
 * Collects what the runtime reports about the process. If the runtime reports no uptime, the start of the server counts as that of the
 * process.
 */
export function collectProcess(all: Metrics, indicators: Metrics, clock: Clock): void {
  const { process = {} } = globalThis as { readonly process?: NativeProcess };
  const start = clock.now() / 1000 - (process.uptime?.() ?? 0);
  all.set(startTime, [], start);
  indicators.set({ ...startTime, stability: 'ALPHA' }, [], start);
  if (process.cpuUsage)
    all.collect(cpu, () => {
      const { user = 0, system = 0 } = process.cpuUsage?.() ?? {};
      return [[[], (user + system) / MICROSECONDS]];
    });
  if (process.memoryUsage?.rss) all.collect(memory, () => [[[], process.memoryUsage?.rss?.() ?? 0]]);
}
